import ArgumentParser
import TripModel
import TripService
import TripText

struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show the trip.", discussion: "Examples: caravan list, caravan list --sort votes --all")

    @Option(
        help: ArgumentHelp("votes (highest first), order (as they came) or recent.", valueName: "by"),
        transform: { text in
            guard let order = ItemOrder(rawValue: text) else {
                throw ValidationError("--sort takes votes, order or recent")
            }
            return order
        })
    var sort = ItemOrder.order

    @Flag(help: "Removed items too.")
    var all = false

    @OptionGroup var reading: ReadingOptions
    @OptionGroup var trip: TripOptions

    func run() async throws {
        let answer = try await trip.answer(.list)
        guard case .trip(let view) = answer else { return Reader.show(answer, json: reading.json) }
        Output.text(
            reading.json
                ? TripJSON.list(view, sortedBy: sort, includingRemoved: all).line
                : TerminalText.list(view, sortedBy: sort, includingRemoved: all, style: Reader.style))
    }
}

struct Show: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show one item as a card.", discussion: "Example: caravan show 2")

    @Argument(help: .item)
    var item: String

    @OptionGroup var reading: ReadingOptions
    @OptionGroup var trip: TripOptions

    func run() async throws { try await trip.ask(.show(item: item), json: reading.json) }
}

struct History: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show who did what, and when.", discussion: "Example: caravan history")

    @OptionGroup var reading: ReadingOptions
    @OptionGroup var trip: TripOptions

    func run() async throws { try await trip.ask(.history, json: reading.json) }
}

struct Status: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show who is here, and whether everyone has everything.",
        discussion: "Example: caravan status --json")

    @OptionGroup var reading: ReadingOptions
    @OptionGroup var trip: TripOptions

    func run() async throws { try await trip.ask(.status, json: reading.json) }
}
