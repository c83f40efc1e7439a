import ArgumentParser
import CaravanNode
import TripText

/// Whether the desktop tells what others do.
struct NotificationOptions: ParsableArguments {
    @Flag(help: "Show desktop notifications of what others do.")
    var notify = false

    @Option(
        help: ArgumentHelp("Hours without notifications, in your time zone: 22:00-08:00.", valueName: "hours"),
        transform: { text in
            guard let hours = QuietHours(text) else { throw ValidationError("--quiet takes hours such as 22:00-08:00") }
            return hours
        })
    var quiet: QuietHours?

    func validate() throws {
        if quiet != nil, !notify { throw ValidationError("--quiet needs --notify") }
    }

    /// Tells what happens at a node while `body` runs.
    func whileTelling<Result>(of node: HomeNode, _ body: () async throws -> Result) async rethrows -> Result {
        guard notify else { return try await body() }
        let notifier = DesktopNotifier(quiet: quiet)
        let telling = Task { await notifier.run(node) }
        defer { telling.cancel() }
        return try await body()
    }
}
