import ArgumentParser
import CaravanNode
import Console
import TripService
import TripText

struct Salvage: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "salvage", abstract: "Recover a trip whose files are damaged.",
        discussion: """
            Keeps every change that is intact and signed, repairs single flipped bits, and says what is lost. What other \
            members have comes back at the next sync. The damaged folder is kept, and never deleted. A damaged trip has no \
            title: name it by its id, which `caravan trips` shows.

            Examples:
              caravan salvage --dry-run
              caravan salvage --trip 46ea66
            """)

    @Flag(name: [.customShort("n"), .long], help: "Only show what would be recovered.")
    var dryRun = false

    @OptionGroup var trip: TripOptions

    func run() async throws {
        let access = try await trip.access()
        let view = try await access.salvage(isDry: dryRun)
        Output.text(TerminalText.salvage(view, style: Reader.style))
        if view.damagedFolder != nil { try await Home().runIfNodeRuns(trip: view.id) }
    }
}
