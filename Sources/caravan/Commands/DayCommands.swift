import ArgumentParser
import Console
import TripModel
import TripService
import TripText

struct PlanItem: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "plan",
        abstract: "Put an item on a day of the trip, and choose it.",
        discussion: """
            Fields that you leave out don't change. Without --zone, a time uses the zone of the plan before it; if no \
            plan has named one, it is the local time of wherever the item is. The last part of a zone's name is enough. If two \
            people plan an item at the same moment, both days are kept; plan it again to pick one.

            Examples:
              caravan plan Castle --on 2026-06-12 --at 14:30 --for 2h --zone Lisbon
              caravan plan "Casa do Rio" --on 2026-06-12..15
              caravan plan 5 --on 2026-06-13
              caravan plan 5 --at none
            """)

    @Argument(help: .item, completion: .items)
    var item: String

    @Option(help: ArgumentHelp("The day, or arrival and departure: 2026-06-12. `none` for no day.", valueName: "day"))
    var on: String?

    @Option(help: ArgumentHelp("The time: 14:30. `none` for the whole day.", valueName: "time"))
    var at: String?

    @Option(
        name: .customLong("for"),
        help: ArgumentHelp("How long it takes: 2h, 90m, 1h30. `none` if that is open.", valueName: "length"))
    var length: String?

    @Option(
        help: ArgumentHelp(
            "The time zone: Europe/Lisbon. `none` for the local time of wherever it is.", valueName: "zone"))
    var zone: String?

    @OptionGroup var trip: WritingOptions

    func validate() throws {
        guard [on, at, length, zone].contains(where: { $0 != nil }) else {
            throw ValidationError("nothing to plan; give a day with --on")
        }
        guard !isUnplanned || [at, length, zone].allSatisfy({ $0 == nil }) else {
            throw ValidationError("--on none cannot be combined with --at, --for and --zone")
        }
    }

    private var isUnplanned: Bool { on == "none" }

    func run() async throws {
        if isUnplanned { return try await trip.ask(.act(.plan(nil), on: [.typed(item)])) }
        let found = try await trip.item(item)
        let typed = TypedPlan(day: on, start: at, length: length, zone: zone)
        let view = try await trip.view()
        let span: DateSpan
        do { span = try typed.span(over: found.dates, in: view, clock: ClockRules.zone) } catch {
            // What a page has fields for.
            let words = error.message.replacing("give a day, too", with: "give one with --on")
            throw ServiceError(words.replacing("give the time, too", with: "give it with --at"))
        }
        try await trip.ask(.act(.plan(span.text), on: [.typed(item)]))
    }
}

struct UnplanItems: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "unplan",
        abstract: "Remove items from their days.",
        discussion: "They stay chosen.\n\nExample: caravan unplan 5")

    @Argument(help: .items, completion: .items)
    var item: [String]

    @OptionGroup var trip: WritingOptions

    func run() async throws { try await trip.ask(.act(.plan(nil), on: .typed(item))) }
}

struct ShowDays: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "days",
        abstract: "Show the plan day by day.",
        discussion: "Chosen items without a day come last.\n\nExample: caravan days --json")

    @OptionGroup var reading: ReadingOptions
    @OptionGroup var trip: TripOptions

    func run() async throws {
        try await trip.page(reading, TripJSON.days) { TerminalText.days($0, style: Reader.style) }
    }
}
