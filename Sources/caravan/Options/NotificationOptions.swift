import ArgumentParser
import CaravanNode
import TripText

/// Whether the desktop tells what others do.
struct NotificationOptions: ParsableArguments {
    @Flag(help: "Show desktop notifications of what others do.")
    var notify = false

    // Its name was --quiet, which of other commands is no option with a value.
    @Option(
        name: [.customLong("quiet-hours"), .customLong("quiet")],
        help: ArgumentHelp("Hours without notifications, in your time zone: 22:00-08:00.", valueName: "hours"),
        transform: { text in
            guard let hours = QuietHours(text) else {
                throw ValidationError("--quiet-hours takes hours such as 22:00-08:00")
            }
            return hours
        })
    var quietHours: QuietHours?

    func validate() throws {
        if quietHours != nil, !notify { throw ValidationError("--quiet-hours needs --notify") }
    }

    /// Tells what happens at a node while `body` runs.
    func whileTelling<Result>(of node: HomeNode, _ body: () async throws -> Result) async rethrows -> Result {
        guard notify else { return try await body() }
        let notifier = DesktopNotifier(quiet: quietHours)
        let telling = Task { await notifier.run(node) }
        defer { telling.cancel() }
        return try await body()
    }
}
