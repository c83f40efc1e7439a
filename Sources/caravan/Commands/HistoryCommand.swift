import ArgumentParser
import TripModel
import TripService
import TripText

struct ShowHistory: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "history",
        abstract: "Show who changed what, and when.",
        discussion: """
            Examples:
              caravan history --limit 20
              caravan history 3
              caravan history --by Noah --since 2d
            """, aliases: ["log"])

    @Argument(
        help: "Only the changes of this item: its number in the list, the start of its id, or its title.",
        completion: .items)
    var item: String?

    @Option(help: ArgumentHelp("Only what this member did.", valueName: "name"), completion: .members)
    var by: String?

    @Option(
        help: ArgumentHelp(
            "Only what was done since a day (2026-06-12), or in the last 2d, 12h or 30m.", valueName: "time"))
    var since: Since?

    @Option(help: ArgumentHelp("Only the last N changes.", valueName: "n"))
    var limit: Int?

    @OptionGroup var reading: ReadingOptions
    @OptionGroup var trip: TripOptions

    func validate() throws {
        if let limit, limit < 1 { throw ValidationError("--limit takes 1 or more") }
    }

    func run() async throws {
        let item = try await itemID()
        let person = try await personID()
        guard case .history(let whole) = try await trip.answer(.history) else { throw TripOptions.otherAnswer }
        let start = since?.milliseconds ?? .min
        let part = (item.map(whole.concerning) ?? whole).keeping { entry in
            entry.wallTime >= start && (person == nil || entry.participant == person)
        }
        let told = reading.json ? part : part.joiningNotes()
        Reader.page(.history(limit.map(told.last) ?? told), json: reading.json)
    }

    private func itemID() async throws(ServiceError) -> ItemID? {
        guard let item else { return nil }
        do { return try await trip.item(item).id } catch {
            guard Int(item) != nil else { throw error }
            throw ServiceError("\(error.message); for the last \(item) changes, use --limit \(item)")
        }
    }

    private func personID() async throws(ServiceError) -> ParticipantID? {
        guard let by else { return nil }
        let view = try await trip.view()
        do { return try view.person(named: by) } catch { throw ServiceError(error) }
    }
}

/// The start of a span that ends now: a day's, by the reader's clock, or so long ago.
struct Since: ExpressibleByArgument {
    let milliseconds: Int64

    init?(argument: String) {
        if let day = Day(argument) {
            milliseconds = Reader.start(of: day)
        } else if let span = Lifetime(argument: argument) {
            milliseconds = Reader.now - span.milliseconds
        } else {
            return nil
        }
    }
}
