import ArgumentParser
import CaravanNode
import Console
import TripModel
import TripService
import TripText

struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Show the trip.", discussion: "Examples: caravan list, caravan list --sort votes --all")

    @Option(
        help: ArgumentHelp(
            "votes (highest first), price (least for each first), order (as they came) or recent.", valueName: "by"),
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
            "Items alone whose field holds a text, in capitals or not, or is empty where none is given; may be given several times.",
            valueName: "field=text"))
    var conditions: [FieldCondition] = []

    @Flag(help: "Removed items too.")
    var all = false

    @OptionGroup var reading: ReadingOptions
    @OptionGroup var trip: TripOptions

    func run() async throws {
        let answer = try await trip.answer(.list)
        guard case .trip(var view) = answer else { return Reader.show(answer, json: reading.json) }
        if !conditions.isEmpty {
            view = view.keeping { item in conditions.allSatisfy { $0.holds(of: item) } }
            if view.items.isEmpty, !reading.json { return Output.line("No item is like that.") }
        }
        Output.text(
            reading.json
                ? TripJSON.list(view, sortedBy: sort, includingRemoved: all).line
                : TerminalText.list(view, sortedBy: sort, includingRemoved: all, style: Reader.style))
    }
}

struct Search: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "search",
        abstract: "Show the items that mention something.",
        discussion: """
            Looked through are their titles and fields, other proposals among these, and the names of who added them or \
            voted. Example: caravan search river
            """)

    @Argument(help: "A text, in capitals or not.")
    var text: String

    @OptionGroup var reading: ReadingOptions
    @OptionGroup var trip: TripOptions

    func run() async throws {
        let answer = try await trip.answer(.list)
        guard case .trip(let trip) = answer else { return Reader.show(answer, json: reading.json) }
        let wanted = text.lowercased()
        let view = trip.keeping { !$0.isRemoved && $0.searchedText.contains(wanted) }
        guard !view.items.isEmpty || reading.json else { return Output.line("No item mentions \(text.quoted).") }
        Output.text(reading.json ? TripJSON.list(view).line : TerminalText.list(view, style: Reader.style))
    }
}

/// What `list --where` asks of an item.
struct FieldCondition: ExpressibleByArgument {
    private let field: Field
    private let text: String

    init?(argument: String) {
        let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let field = Field.allCases.first(where: { $0.name == parts[0].lowercased() }) else {
            return nil
        }
        self.field = field
        text = String(parts[1])
    }

    func holds(of item: ItemView) -> Bool { item.answers(text, at: field) }
}

struct Show: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show one item as a card.", discussion: "Example: caravan show 2")

    @Argument(help: .item)
    var item: String

    @OptionGroup var reading: ReadingOptions
    @OptionGroup var trip: TripOptions

    func run() async throws { try await trip.ask(.show(item: item), json: reading.json) }
}

struct History: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "history",
        abstract: "Show who did what, and when.",
        discussion: "Examples: caravan history, caravan history 20, caravan history \"Casa do Rio\"")

    @Argument(
        help: ArgumentHelp(
            "The last so many changes alone; or what was done to an item, named by its title or the beginning of its id.",
            valueName: "n|item"))
    var part: String?

    @OptionGroup var reading: ReadingOptions
    @OptionGroup var trip: TripOptions

    func validate() throws {
        guard part.flatMap(Self.count) != 0 else { throw ValidationError("how many changes is 1 or more") }
    }

    func run() async throws {
        var item: ItemID?
        if let part, Self.count(part) == nil {
            let answer = try await trip.answer(.show(item: part))
            guard case .item(let found, _) = answer else { return Reader.show(answer, json: reading.json) }
            item = found.id
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
        abstract: "Show who is here, and whether everyone has everything.",
        discussion: "Examples: caravan status --json, caravan status --metrics")

    @Flag(help: "Print what the node of all your trips counts and measures, as Prometheus reads it.")
    var metrics = false

    @OptionGroup var reading: ReadingOptions
    @OptionGroup var trip: TripOptions

    func validate() throws {
        if metrics, reading.json { throw ValidationError("--metrics has a form of its own: leave --json out") }
    }

    func run() async throws {
        guard metrics else { return try await trip.ask(.status, json: reading.json) }
        guard let metrics = try await Home().nodeMetrics() else {
            throw ServiceError("no node runs here: `caravan up` starts one")
        }
        Output.text(PrometheusText.text(metrics))
    }
}
