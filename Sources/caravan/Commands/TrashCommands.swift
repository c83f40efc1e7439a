import ArgumentParser
import CaravanNode
import Console
import TripModel
import TripService
import TripText

struct Trash: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "trash",
        abstract: "List, restore or erase deleted trips.",
        discussion: """
            A deleted trip stays in the trash for 30 days, with its keys and its passphrase. Several copies of one trip are \
            numbered, the last deleted one first: 3f2a9c, 3f2a9c.2.

            Examples:
              caravan trash
              caravan trash restore "Lisbon in June"
              caravan trash empty
            """,
        subcommands: [ListTrash.self, RestoreFromTrash.self, EmptyTrash.self], defaultSubcommand: ListTrash.self)
}

struct ListTrash: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the deleted trips.", discussion: "Example: caravan trash list",
        aliases: ["ls"])

    @OptionGroup var reading: ReadingOptions

    func run() async throws {
        let trips = try await Home().trashed(.ofKeysUnlessTyped)
        Output.text(
            reading.json
                ? TripJSON.trash(trips).line : Reader.fitted(TerminalText.trash(trips, style: Reader.style)))
    }
}

struct RestoreFromTrash: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore", abstract: "Restore a deleted trip, and make it the current one.",
        discussion: "Example: caravan trash restore \"Lisbon in June\"")

    @Argument(
        help: "Its title, or the start of its id; an earlier copy as `caravan trash` shows it, such as 3f2a9c.2.",
        completion: .trashed)
    var trip: String

    @OptionGroup var report: TellOptions

    func run() async throws {
        let home = Home()
        let restored = try await home.restoreFromTrash(named: trip, .ofKeysUnlessTyped)
        try home.use(trip: restored.id)
        report.tell(
            "Restored \(restored.title.map { "“\($0.displayed())”" } ?? "trip \(restored.id.prefix(6))")",
            TripJSON.trip(restored.id, restored.title, did: "restored"))
        let others = (try? await home.trashed(.ofKeysUnlessTyped)) ?? []
        if others.contains(where: { $0.id == restored.id }) {
            report.note("Another copy of it is still in the trash; see `caravan trash`.")
        }
    }
}

struct EmptyTrash: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "empty", abstract: "Erase all deleted trips for good.", discussion: "Example: caravan trash empty")

    @OptionGroup var confirmation: ConfirmationOptions
    @OptionGroup var report: TellOptions

    func run() async throws {
        let home = Home()
        let count = try await home.trashed(.ofKeysUnlessTyped).count
        guard count > 0 else { return report.tell("The trash is empty.", TripJSON.emptied(0)) }
        let trips = TerminalText.counted(count, "deleted trip")
        try confirmation.require("Erase \(trips) for good? Changes that nobody else has are lost")
        try home.emptyTrash(all: true)
        report.tell("Erased \(trips)", TripJSON.emptied(count))
    }
}
