import ArgumentParser

/// How a node tells what happens.
struct LogOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "text (for people, by default) or json (a line an event, with nothing that a trip says).", valueName: "form"
        ),
        transform: { text in
            guard let form = NodeLog.Form(rawValue: text) else { throw ValidationError("--log takes text or json") }
            return form
        })
    var log: NodeLog.Form?

    /// The log at standard output.
    func open() -> NodeLog { NodeLog(log ?? .text) }
}
