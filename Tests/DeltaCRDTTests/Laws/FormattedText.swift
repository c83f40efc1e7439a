import DeltaCRDT

/// A text that can be formatted: the library's, and the one with faults.
protocol FormattedText: DeltaState, CanonicalCodable where Change == RichTextChange {
    var string: String { get }
    var marks: [FormattingMark] { get }

    mutating func insert(_ text: String, at position: Int, by replica: ReplicaID) -> Self
    mutating func remove(_ range: Range<Int>) -> Self
    mutating func mark(
        _ range: Range<Int>, _ name: String, value: String, expanding expansion: MarkExpansion, by replica: ReplicaID
    ) -> Self
    mutating func unmark(
        _ range: Range<Int>, _ name: String, expanding expansion: MarkExpansion, by replica: ReplicaID
    ) -> Self

    func catchUp(from other: Self) -> [Self]
}

extension RichText: FormattedText {
    func catchUp(from other: RichText) -> [RichText] {
        [
            merging(other.delta(since: summary())),
            merging(other.delta(since: summary(within: other.context.versionVector))),
            merging(other.delta(since: context.versionVector)),
        ]
    }
}

/// A text, and the marks of each of its bytes by their names.
struct Formatted: Equatable, CustomStringConvertible {
    var bytes: [UInt8] = []
    var attributes: [[String: String]] = []
    /// Whether marks of one name overlap, or touch with one value, or do not ascend.
    var isUnsound = false

    var description: String {
        "\(String(decoding: bytes, as: UTF8.self)) \(attributes.map { $0.map { "\($0)=\($1)" }.sorted() })"
    }

    mutating func insert(_ text: String, at position: Int) {
        bytes.insert(contentsOf: Array(text.utf8), at: position)
        attributes.insert(contentsOf: text.utf8.map { _ in [:] }, at: position)
    }

    mutating func remove(_ range: Range<Int>) {
        bytes.removeSubrange(range)
        attributes.removeSubrange(range)
    }
}

/// Typing, deleting and formatting at random places, held against Peritext's rules as they are in its paper: every mark that anybody
/// wrote, and at each character the latest of those whose anchors are around it.
enum FormattingSpecimen<State: FormattedText>: Specimen {
    struct Format {
        let name: String
        /// Nil where it is taken off.
        let value: String?
        let expansion: MarkExpansion
        let length: Int
    }

    final class Operation: CustomStringConvertible {
        let typed: String
        let place: Int
        let deleted: Int
        let format: Format?
        var effect: Effect?

        init(typed: String = "", place: Int, deleted: Int = 0, format: Format? = nil) {
            (self.typed, self.place, self.deleted, self.format) = (typed, place, deleted, format)
        }

        var description: String {
            guard let format else { return "at \(place), \(deleted) away, \"\(typed)\" in" }
            return "\(format.name) \(format.value ?? "off") on \(format.length) at \(place)"
        }
    }

    /// What an operation meant where it happened.
    struct Effect {
        var text = NaiveFugue<Unicode.Scalar>.Effect()
        var mark: Mark?
        /// The numbers of the events whose marks it overwrote.
        var covered: Set<Int> = []
        /// All events that its delta names.
        var dots: Set<Dot> = []
    }

    struct Mark {
        let dot: Dot
        let time: Int
        let name: String
        let value: String?
        let start: Anchor
        let end: Anchor

        func isEarlier(than other: Mark) -> Bool { (time, dot) < (other.time, other.dot) }
    }

    enum Anchor: Equatable {
        case beginning, end
        case before(Dot)
        case after(Dot)

        /// Where it is among characters, which take two each; nil where its character is not there.
        func place(in order: [Dot: Int]) -> Int? {
            switch self {
            case .beginning: -1
            case .end: .max
            case .before(let dot): order[dot].map { 2 * $0 }
            case .after(let dot): order[dot].map { 2 * $0 + 1 }
            }
        }
    }

    static func operation(_ random: inout SplitMix64) -> Operation {
        let place = [0, 1, random.below(64), 1000, 999][random.below(5)]
        let kind = random.below(9)
        guard kind > 4 else {
            let typed = ["a", "b", "xyz", "é", "日本", "typed in a row"][random.below(6)]
            return switch kind {
            case 0: Operation(place: place, deleted: 1 + random.below(5))
            case 1: Operation(typed: typed, place: place, deleted: 1 + random.below(3))
            default: Operation(typed: typed, place: place)
            }
        }
        let (name, expansion): (String, MarkExpansion) = [
            ("bold", .after), ("link", .none), ("note", .both), ("quote", .before),
        ][random.below(4)]
        let value = kind == 5 ? nil : ["", "a", "b"][random.below(3)]
        let format = Format(name: name, value: value, expansion: expansion, length: random.below(8))
        return Operation(place: random.below(2) == 0 ? random.below(64) : place, format: format)
    }

    static func perform(_ operation: Operation, on state: inout State, by replica: ReplicaID) -> State {
        let scalars = Array(state.string.unicodeScalars)
        let place = self.place(operation, scalars.count)
        let start = scalars[..<place].reduce(0) { $0 + UTF8.width($1) }
        if let format = operation.format {
            let length = scalars[place...].prefix(format.length).reduce(0) { $0 + UTF8.width($1) }
            let range = start..<start + length
            guard let value = format.value else {
                return state.unmark(range, format.name, expanding: format.expansion, by: replica)
            }
            return state.mark(range, format.name, value: value, expanding: format.expansion, by: replica)
        }
        let gone = scalars[place...].prefix(operation.deleted).reduce(0) { $0 + UTF8.width($1) }
        var delta = state.remove(start..<start + gone)
        delta.merge(state.insert(operation.typed, at: start, by: replica))
        return delta
    }

    private static func place(_ operation: Operation, _ count: Int) -> Int {
        operation.place >= 999 ? max(0, count - (1000 - operation.place)) : operation.place % (count + 1)
    }

    static func view(_ state: State) -> Formatted {
        var view = Formatted()
        view.insert(state.string, at: 0)
        var last: [String: FormattingMark] = [:]
        var begin = 0
        for mark in state.marks {
            if mark.range.isEmpty || mark.range.lowerBound < begin || mark.range.upperBound > view.bytes.count {
                view.isUnsound = true
                continue
            }
            if let other = last[mark.name],
                mark.range.lowerBound < other.range.upperBound + (other.value == mark.value ? 1 : 0)
            {
                view.isUnsound = true
            }
            begin = mark.range.lowerBound
            last[mark.name] = mark
            for place in mark.range { view.attributes[place][mark.name] = mark.value }
        }
        return view
    }

    static func follow(_ view: Formatted, _ change: RichTextChange, _ after: Formatted) -> Formatted {
        var view = view
        switch change {
        case .inserted(let text, let position): view.insert(text, at: position)
        case .removed(let range): view.remove(range)
        case .marked(let range, let name, let value):
            for place in range {
                if view.attributes[place][name] == value { view.isUnsound = true }
                view.attributes[place][name] = value
            }
        }
        return view
    }

    static func catchUp(_ state: State, from other: State) -> [State] { state.catchUp(from: other) }

    // MARK: The oracle

    static func expected(_ known: [Event<Operation>], in history: [Event<Operation>]) -> Formatted {
        for event in history where event.operation.effect == nil {
            let own = history.filter { $0.replica == event.replica }.compactMap { $0.operation.effect }
            let last = own.flatMap { $0.dots }.filter { $0.replica == event.replica }.map { $0.counter }.max() ?? 0
            event.operation.effect = effect(of: event, last, history.filter(event.saw))
        }
        let bits = known.reduce(0) { $0 | $1.bit }
        // Where everybody saw all that came before, it can't be seen that marks are overwritten: none is forgotten here.
        let isClosed = known.allSatisfy { $0.past & ~bits == 0 }
        let covered = isClosed ? [] : self.covered(by: known)
        return formatted(
            tree(of: known), known.filter { !covered.contains($0.number) }.compactMap { $0.operation.effect?.mark })
    }

    private static func formatted(_ tree: NaiveFugue<Unicode.Scalar>, _ marks: [Mark]) -> Formatted {
        let all = tree.all
        let order = order(of: all)
        var view = Formatted()
        for dot in tree.visible {
            guard let place = order[dot], let scalar = tree.nodes[dot]?.element else { continue }
            var latest: [String: Mark] = [:]
            for mark in marks {
                guard let start = mark.start.place(in: order), let end = mark.end.place(in: order),
                    start <= 2 * place, 2 * place + 1 <= end
                else { continue }
                if let other = latest[mark.name], mark.isEarlier(than: other) { continue }
                latest[mark.name] = mark
            }
            for byte in String(scalar).utf8 {
                view.bytes.append(byte)
                view.attributes.append(latest.compactMapValues { $0.value })
            }
        }
        return view
    }

    private static func effect(of event: Event<Operation>, _ last: UInt64, _ seen: [Event<Operation>]) -> Effect {
        var (effect, tree, counter) = (Effect(), tree(of: seen), last)
        let visible = tree.visible
        let (operation, place) = (event.operation, place(event.operation, visible.count))
        func nextDot() -> Dot {
            counter += 1
            return Dot(replica: event.replica, counter: counter)
        }
        let overwritten = covered(by: seen)
        let alive = seen.filter { !overwritten.contains($0.number) && $0.operation.effect?.mark != nil }
        if let format = operation.format {
            let upper = min(place + format.length, visible.count)
            guard place < upper else { return effect }
            let latest = alive.compactMap { $0.operation.effect?.mark?.time }.max() ?? -1
            let time = max(Set(seen.flatMap { $0.operation.effect?.dots ?? [] }).count, latest + 1)
            let mark = mark(format, place..<upper, visible, nextDot(), time)
            let order = order(of: tree.all)
            effect.mark = mark
            effect.dots = [mark.dot]
            for other in alive {
                guard let earlier = other.operation.effect?.mark, earlier.name == mark.name,
                    let start = mark.start.place(in: order), let end = mark.end.place(in: order),
                    let earlierStart = earlier.start.place(in: order), let earlierEnd = earlier.end.place(in: order),
                    start <= earlierStart, earlierEnd <= end
                else { continue }
                effect.covered.insert(other.number)
                effect.dots.insert(earlier.dot)
            }
            return effect
        }
        for dot in visible[place...].prefix(operation.deleted) {
            if let node = tree.nodes[dot] { effect.text.removed.append(node) }
            effect.dots.insert(dot)
            tree.remove(dot)
        }
        var origin = edge(at: place, of: tree, alive.compactMap { $0.operation.effect?.mark })
        for scalar in operation.typed.unicodeScalars {
            let node = tree.node(scalar, after: origin, dot: nextDot())
            tree.add(node)
            effect.text.nodes.append(node)
            effect.dots.insert(node.dot)
            origin = node.dot
        }
        return effect
    }

    private static func mark(_ format: Format, _ range: Range<Int>, _ visible: [Dot], _ dot: Dot, _ time: Int) -> Mark {
        var (growsBefore, growsAfter) =
            switch format.expansion {
            case .none: (false, false)
            case .before: (true, false)
            case .after: (false, true)
            case .both: (true, true)
            }
        // What is left of a mark keeps to its own expansion beside a stretch that lost it.
        if format.value == nil { (growsBefore, growsAfter) = (!growsAfter, !growsBefore) }
        let (first, last) = (range.lowerBound, range.upperBound - 1)
        let start: Anchor =
            growsBefore ? (first == 0 ? .beginning : .after(visible[first - 1])) : .before(visible[first])
        let end: Anchor =
            growsAfter ? (last + 1 == visible.count ? .end : .before(visible[last + 1])) : .after(visible[last])
        return Mark(dot: dot, time: time, name: format.name, value: format.value, start: start, end: end)
    }

    /// Behind which element something is typed: the visible one before it, or the last removed one there that a mark's edge follows.
    private static func edge(at place: Int, of tree: NaiveFugue<Unicode.Scalar>, _ marks: [Mark]) -> Dot? {
        let (all, visible) = (tree.all, tree.visible)
        let before = place == 0 ? nil : visible[place - 1]
        let first = before.flatMap { all.firstIndex(of: $0) }.map { $0 + 1 } ?? 0
        let gap = all[first...].prefix { tree.removed.contains($0) }
        return gap.last { dot in marks.contains { $0.start == .after(dot) || $0.end == .after(dot) } } ?? before
    }

    private static func covered(by events: [Event<Operation>]) -> Set<Int> {
        events.reduce(into: []) { $0.formUnion($1.operation.effect?.covered ?? []) }
    }

    private static func order(of all: [Dot]) -> [Dot: Int] {
        Dictionary(uniqueKeysWithValues: all.enumerated().map { ($1, $0) })
    }

    private static func tree(of events: [Event<Operation>]) -> NaiveFugue<Unicode.Scalar> {
        NaiveFugue(events.compactMap { $0.operation.effect?.text })
    }
}
