import DeltaCRDT

/// A map of items with two fields each, which every item has from the beginning; an edit brings back what was removed
/// at the same time.
struct ItemBoard<V: Variant>: ReplicatedType {
    enum Action: Sendable, CustomStringConvertible {
        case create(Int, String)
        case edit(Int, String)
        case remove(Int)

        var effect: SetEffect<Int> {
            switch self {
            case .create(let item, _), .edit(let item, _): .add([item])
            case .remove(let item): .remove(item)
            }
        }

        var description: String {
            switch self {
            case .create(let item, let value): "create item \(item) with title \(value) and note \(value)"
            case .edit(let item, let value): "set item \(item)'s title to \(value)"
            case .remove(let item): "remove item \(item)"
            }
        }
    }

    /// What a dot names: an item's existence, or what a field holds.
    struct Entry: Sendable {
        let item: Int
        let field: String?
        let value: String
    }

    struct Item: Equatable, Sendable, CustomStringConvertible {
        let number: Int
        let titles: [String]
        let notes: [String]

        var description: String { "\(number): title \(titles), note \(notes)" }
    }

    private var name: ReplicaID
    private var counter: UInt64 = 0
    private var state = DotState<Entry>()

    static var scopeActions: [Action] { [.create(0, "a"), .edit(0, "b"), .remove(0)] }

    init(birth: Birth) { name = birth.start }
    mutating func restarted(as birth: Birth) { name = birth.start }

    static func randomAction(using generator: inout SeededGenerator) -> Action {
        let item = generator.number(in: 0...2)
        let value = "v\(generator.number(in: 0...99))"
        return switch generator.number(in: 0...2) {
        case 0: .create(item, value)
        case 1: .edit(item, value)
        default: .remove(item)
        }
    }

    mutating func perform(_ action: Action, at now: Int64) -> [Dot] {
        switch action {
        case .create(let item, let value):
            return [write(item, nil, ""), write(item, "title", value), write(item, "note", value)]
        case .edit(let item, let value):
            // Nobody can edit what is not there: it is made anew, whole. So only what was done at the same time can leave
            // an item without a note.
            guard view.all.contains(where: { $0.number == item }) else { return perform(.create(item, value), at: now) }
            return [write(item, nil, ""), write(item, "title", value)]
        case .remove(let item):
            // The fault: the fields go with the item, so that a concurrent edit brings back its own field alone.
            state.remove { $0.item == item && ($0.field == nil || V.mutation == .emptyShell) }
            return []
        }
    }

    private mutating func write(_ item: Int, _ field: String?, _ value: String) -> Dot {
        counter += 1
        let dot = Dot(replica: name, counter: counter)
        state.remove { $0.item == item && $0.field == field }
        state.add(Entry(item: item, field: field, value: value), as: dot)
        return dot
    }

    mutating func message(to peer: Int, at now: Int64) -> DotState<Entry>? { state }

    mutating func receive(
        _ message: DotState<Entry>, from peer: Int, at now: Int64
    ) -> Reception<DotState<Entry>> {
        state.merge(message)
        return .taken()
    }

    var view: Elements<Item> {
        let entries = Array(state.live.values)
        func values(_ item: Int, _ field: String) -> [String] {
            Set(entries.filter { $0.item == item && $0.field == field }.map { $0.value }).sorted()
        }
        let numbers = Set(entries.filter { $0.field == nil }.map { $0.item }).sorted()
        return Elements(numbers.map { Item(number: $0, titles: values($0, "title"), notes: values($0, "note")) })
    }

    static func check(_ observation: Observation<Self>) -> Violation? {
        let history = observation.history
        if let violation = SetSpecification.check(
            observation.view.all.map { $0.number }, before: observation.previous?.all.map { $0.number }, of: history,
            policy: .addWins, meaning: { $0.effect })
        {
            return violation
        }
        history.look(.wholeItems, !observation.view.all.isEmpty && History.areConcurrent(history.events))
        for item in observation.view.all {
            if item.titles.isEmpty || item.notes.isEmpty {
                return Violation(.wholeItems, "item \(item) came back without all that it had")
            }
        }
        return nil
    }
}
