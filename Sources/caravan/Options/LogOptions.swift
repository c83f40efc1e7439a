import ArgumentParser

/// How a node tells what happens.
struct LogOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "text (for people, the default) or json (one event per line, without any content of the trip).",
            valueName: "form"
        ), completion: .list(["text", "json"]),
        transform: { text in
            guard let form = NodeLog.Form(rawValue: text) else { throw ValidationError("--log takes text or json") }
            return form
        })
    var log: NodeLog.Form?

    /// The log at standard output.
    func open() -> NodeLog { NodeLog(log ?? .text) }
}
