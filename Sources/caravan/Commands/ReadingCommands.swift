import ArgumentParser
import CaravanNode
import Console
import TripModel
import TripService
import TripText

struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the items of the trip.",
        discussion: """
            Examples:
              caravan list
              caravan list --sort votes --all
              caravan list --where kind=stay
            """, aliases: ["ls"])

    @Option(
        help: ArgumentHelp(
            "votes (highest first), price (lowest per person first), order (as added) or recent.", valueName: "by"),
        transform: { text in
            guard let order = ItemOrder(rawValue: text) else {
                throw ValidationError("--sort takes votes, price, order or recent")
            }
            return order
        })
    var sort = ItemOrder.order

    @Option(
        name: .customLong("where"),
        help: ArgumentHelp(
            "Only items whose FIELD contains TEXT (case-insensitive); FIELD= matches empty fields (repeatable).",
            valueName: "field=text"))
    var conditions: [FieldCondition] = []

    @Flag(help: "Include removed items.")
    var all = false

    @OptionGroup var reading: ReadingOptions
    @OptionGroup var trip: TripOptions

    func run() async throws {
        let filter = ItemFilter(conditions: conditions.map(\.value), includingRemoved: true)
        // A whole list that people read says what numbers mean from now on; a part of it, or what a program reads, does not.
        let part: TripRequest = reading.json ? .find(filter) : .shown(.find(filter))
        let answer = try await trip.answer(conditions.isEmpty ? (reading.json ? .view : .list) : part)
        guard case .trip(let whole) = answer else { return Reader.show(answer, json: reading.json) }
        // Expenses have a list of their own, and are shown here where somebody looks for something.
        let view = conditions.isEmpty ? whole.plan : whole
        if !conditions.isEmpty, view.items.isEmpty, !reading.json { return Output.line("No item matches.") }
        Output.text(
            reading.json
                ? TripJSON.list(view, sortedBy: sort, includingRemoved: all).line
                : TerminalText.list(view, sortedBy: sort, includingRemoved: all, style: Reader.style))
    }
}

struct Search: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "search",
        abstract: "Search the items.",
        discussion: """
            Searches titles, fields, alternative proposals, and the names of authors and voters.

            Example: caravan search river
            """)

    @Argument(help: "The text to find (case-insensitive).")
    var text: String

    @OptionGroup var reading: ReadingOptions
    @OptionGroup var trip: TripOptions

    func run() async throws {
        let found = TripRequest.find(ItemFilter(text: text))
        let answer = try await trip.answer(reading.json ? found : .shown(found))
        guard case .trip(let view) = answer else { return Reader.show(answer, json: reading.json) }
        guard !view.items.isEmpty || reading.json else { return Output.line("No item matches \(text.quoted).") }
        Output.text(reading.json ? TripJSON.list(view).line : TerminalText.list(view, style: Reader.style))
    }
}

/// What `list --where` asks of an item.
struct FieldCondition: ExpressibleByArgument {
    let value: ItemFilter.Condition

    init?(argument: String) {
        let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let field = Field.allCases.first(where: { $0.name == parts[0].lowercased() }) else {
            return nil
        }
        value = ItemFilter.Condition(field: field, text: String(parts[1]))
    }
}

struct Show: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show one item with all its details.", discussion: "Example: caravan show 2")

    @Argument(help: .item)
    var item: String

    @OptionGroup var reading: ReadingOptions
    @OptionGroup var trip: TripOptions

    func run() async throws { try await trip.show(.show(item: .typed(item)), json: reading.json) }
}

struct History: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "history",
        abstract: "Show who changed what, and when.",
        discussion: """
            Examples:
              caravan history
              caravan history 20
              caravan history "Casa do Rio"
            """, aliases: ["log"])

    @Argument(
        help: ArgumentHelp(
            "Only the last N changes, or only the changes of an item, given by its title or the start of its id.",
            valueName: "n|item"))
    var part: String?

    @OptionGroup var reading: ReadingOptions
    @OptionGroup var trip: TripOptions

    func validate() throws {
        guard part.flatMap(Self.count) != 0 else { throw ValidationError("the number of changes must be 1 or more") }
    }

    func run() async throws {
        var item: ItemID?
        if let part, Self.count(part) == nil {
            item = try await trip.item(part).id
        }
        let answer = try await trip.answer(.history)
        guard case .history(var view) = answer else { return Reader.show(answer, json: reading.json) }
        if let item {
            view = view.concerning(item)
        } else if let count = part.flatMap(Self.count) {
            view = view.last(count)
        }
        Reader.show(.history(view), json: reading.json)
    }

    /// A number of at most six digits: longer ones are beginnings of ids.
    private static func count(_ text: String) -> Int? {
        (1...6).contains(text.utf8.count) && text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(text) : nil
    }
}

struct Status: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Show who is connected, and whether everyone is up to date.",
        discussion: """
            Examples:
              caravan status
              caravan status --json
              caravan status --metrics
            """)

    @Flag(help: "Print the metrics of the node, for all your trips, in the Prometheus text format.")
    var metrics = false

    @OptionGroup var reading: ReadingOptions
    @OptionGroup var trip: TripOptions

    func validate() throws {
        if metrics, reading.json { throw ValidationError("--metrics and --json cannot be combined") }
    }

    func run() async throws {
        guard metrics else { return try await trip.ask(.status, json: reading.json) }
        guard let metrics = try await Home().nodeMetrics() else {
            throw ServiceError("no node is running; start one with `caravan up`")
        }
        Output.text(PrometheusText.text(metrics))
    }
}
