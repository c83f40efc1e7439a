import ArgumentParser

/// How much of a list is shown.
struct LimitOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Show at most so many.", valueName: "n"))
    var limit: Int?

    func validate() throws {
        if let limit, limit < 1 { throw ValidationError("--limit takes 1 or more") }
    }
}
