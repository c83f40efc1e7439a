import ArgumentParser
import CaravanNode
import Console
import TripModel
import TripService
import TripText

struct ListItems: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the items of the trip.",
        discussion: """
            Examples:
              caravan list
              caravan list --sort votes --limit 5
              caravan list --where kind=stay
              caravan list --where assignee=Noah
              caravan list --list Packing
              caravan list --mine
            """, aliases: ["ls"])

    @Option(
        help: ArgumentHelp(
            "votes (highest first), price (lowest per person first, one currency after the other), order (as moved, or as added) or recent.",
            valueName: "by"),
        completion: .orders,
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
            valueName: "field=text"), transform: FieldCondition.init(typed:))
    var conditions: [FieldCondition] = []

    @Option(help: ArgumentHelp("Only the items of this list.", valueName: "list"), completion: .lists)
    var list: String?

    @Flag(help: "Only what you have to do: items assigned to you that you didn't decline, and what you bring.")
    var mine = false

    @Flag(help: "Include removed items.")
    var all = false

    @OptionGroup var limit: LimitOptions
    @OptionGroup var reading: ReadingOptions
    @OptionGroup var trip: TripOptions

    func run() async throws {
        let list = try await chosenList
        let filter = ItemFilter(
            conditions: try await namedConditions, list: list?.id, toDoBy: mine ? try await trip.me() : nil,
            includingRemoved: true)
        // A whole list that people read says what numbers mean from now on; a part of it, or what a program reads, does not.
        let part: TripRequest = reading.json ? .find(filter) : .shown(.find(filter))
        let isWhole = conditions.isEmpty && list == nil && !mine && limit.limit == nil
        let answer = try await trip.answer(isWhole ? (reading.json ? .view : .list) : part)
        guard case .trip(let whole) = answer else { return Reader.show(answer, json: reading.json) }
        // Expenses have a list of their own, and are shown here where somebody asks for what only they say.
        let view = conditions.contains { Self.ofCosts($0.value) } ? whole : whole.plan
        if view.items.isEmpty, !reading.json, !all || view.removedItems.isEmpty {
            if !conditions.isEmpty { return Output.line("No item matches.") }
            if mine { return Output.line("You have nothing to do.") }
            if let list { return Output.line("The list \(list.title.quoted) is empty.") }
        }
        Reader.page(
            reading.json
                ? TripJSON.list(view, sortedBy: sort, includingRemoved: all, limit: limit.limit).line
                : TerminalText.list(
                    view, sortedBy: sort, includingRemoved: all, limit: limit.limit, style: Reader.style),
            json: reading.json)
    }

    private var chosenList: ListView? {
        get async throws(ServiceError) {
            guard let list else { return nil }
            let view = try await trip.view()
            do { return try view.list(named: list) } catch { throw ServiceError(error) }
        }
    }

    /// The conditions, with the id of a person who is named.
    private var namedConditions: [ItemFilter.Condition] {
        get async throws(ServiceError) {
            var named: [ItemFilter.Condition] = []
            for condition in conditions.map(\.value) {
                guard condition.field.kind == .person, !condition.text.isEmpty else {
                    named.append(condition)
                    continue
                }
                let view = try await trip.view()
                let person: ParticipantID
                do { person = try view.person(named: condition.text) } catch { throw ServiceError(error) }
                named.append(ItemFilter.Condition(field: condition.field, text: person.description))
            }
            return named
        }
    }

    private static func ofCosts(_ condition: ItemFilter.Condition) -> Bool {
        switch condition.field {
        case .cost, .payment, .category: true
        case .itemKind: [ItemView.expenseKind, ItemView.paymentKind].contains(condition.text.lowercased())
        default: false
        }
    }
}

struct Search: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "search",
        abstract: "Search the items.",
        discussion: """
            Searches titles, fields, alternative proposals, options of questions, amenities, comments, and the names of authors and
            voters. Of several words, it finds items that have all of them, in any order.

            Example: caravan search quiet river
            """)

    @Argument(help: ArgumentHelp("The words to find (case-insensitive).", valueName: "text"))
    var words: [String]

    @OptionGroup var limit: LimitOptions
    @OptionGroup var reading: ReadingOptions
    @OptionGroup var trip: TripOptions

    private var text: String { words.joined(separator: " ") }

    func validate() throws {
        if text.isBlank { throw ValidationError("the text to find is empty; `caravan list` shows all items") }
    }

    func run() async throws {
        let found = TripRequest.find(ItemFilter(text: text))
        let answer = try await trip.answer(reading.json ? found : .shown(found))
        guard case .trip(let view) = answer else { return Reader.show(answer, json: reading.json) }
        guard !view.items.isEmpty || reading.json else { return Output.line("No item matches \(text.quoted).") }
        Reader.page(
            reading.json
                ? TripJSON.list(view, limit: limit.limit).line
                : TerminalText.list(view, limit: limit.limit, style: Reader.style), json: reading.json)
    }
}

/// What `list --where` asks of an item.
struct FieldCondition {
    let value: ItemFilter.Condition

    init(typed text: String) throws {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2 else { throw ValidationError("--where takes FIELD=TEXT, such as kind=stay") }
        let field = try Field(named: parts[0], among: Field.ofPlans + [.cost, .category])
        value = ItemFilter.Condition(field: field, text: try field.kind == .flag ? Self.flag(parts[1]) : parts[1])
    }

    /// What a field holds that is set or not, for the words of `edit --editor`.
    private static func flag(_ word: String) throws -> String {
        switch word.lowercased() {
        case "yes", Field.setValue: Field.setValue
        case "no", "": ""
        default: throw ValidationError("--where takes yes or no for this field, such as done=yes")
        }
    }
}

struct Show: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show one item with all its details.", discussion: "Example: caravan show 2")

    @Argument(help: .item, completion: .items)
    var item: String

    @OptionGroup var reading: ReadingOptions
    @OptionGroup var trip: TripOptions

    func run() async throws {
        let request = TripRequest.show(item: .typed(item))
        Reader.page(try await trip.answer(reading.json ? request : .shown(request)), json: reading.json)
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
        guard metrics else {
            let answer = try await trip.answer(.status)
            guard case .status(let view) = answer, !reading.json else { return Reader.show(answer, json: reading.json) }
            return Reader.show(view)
        }
        guard let metrics = try await Home().nodeMetrics() else {
            throw ServiceError("no node is running; start one with `caravan up`")
        }
        Output.text(PrometheusText.text(metrics))
    }
}
