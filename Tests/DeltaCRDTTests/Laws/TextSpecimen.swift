import DeltaCRDT

typealias TextSpecimen = TypingSpecimen<Text>

/// Typing and deleting at random places, some of them in characters of several bytes.
enum TypingSpecimen<State: TypedText>: Specimen {
    /// What is typed and deleted, and what that meant where it happened, once somebody has found out.
    final class Operation: CustomStringConvertible {
        let typed: String
        let place: Int
        let deleted: Int
        var effect: Effect?

        init(typed: String, place: Int, deleted: Int) {
            (self.typed, self.place, self.deleted) = (typed, place, deleted)
        }

        var description: String { "at \(place), \(deleted) away, \"\(typed)\" in" }
    }

    typealias Effect = NaiveFugue<Unicode.Scalar>.Effect

    static func operation(_ random: inout SplitMix64) -> Operation {
        let typed = ["a", "b", "xyz", "é", "日本", "🏕", "ä\u{301}b", "typed in a row"][random.below(8)]
        // Mostly near the end and the beginning, where people meet.
        let place = [0, 1, random.below(64), 1000, 999][random.below(5)]
        return switch random.below(6) {
        case 0: Operation(typed: "", place: place, deleted: 1 + random.below(5))
        case 1: Operation(typed: typed, place: place, deleted: 1 + random.below(3))
        default: Operation(typed: typed, place: place, deleted: 0)
        }
    }

    static func perform(_ operation: Operation, on state: inout State, by replica: ReplicaID) -> State {
        let scalars = Array(state.string.unicodeScalars)
        let place = self.place(operation, scalars.count)
        let start = scalars[..<place].reduce(0) { $0 + UTF8.width($1) }
        let gone = scalars[place...].prefix(operation.deleted).reduce(0) { $0 + UTF8.width($1) }
        var delta = state.remove(start..<start + gone)
        delta.merge(state.insert(operation.typed, at: start, by: replica))
        return delta
    }

    private static func place(_ operation: Operation, _ count: Int) -> Int {
        operation.place >= 999 ? max(0, count - (1000 - operation.place)) : operation.place % (count + 1)
    }

    static func view(_ state: State) -> Bytes {
        let text = state.string
        return text.utf8.count == state.utf8Count ? Bytes(text) : Bytes("unsound")
    }

    static func follow(_ view: Bytes, _ change: SequenceChange<String>, _ after: Bytes) -> Bytes {
        var bytes = view.bytes
        switch change {
        case .inserted(let text, let position): bytes.insert(contentsOf: Array(text.utf8), at: position)
        case .removed(let range): bytes.removeSubrange(range)
        }
        return Bytes(String(decoding: bytes, as: UTF8.self))
    }

    static func catchUp(_ state: State, from other: State) -> [State] { state.catchUp(from: other) }

    /// What each event meant follows from what its author had seen; what is seen follows from what the known ones meant.
    static func expected(_ known: [Event<Operation>], in history: [Event<Operation>]) -> Bytes {
        var counters: [ReplicaID: UInt64] = [:]
        for event in history {
            let typed = UInt64(event.operation.typed.unicodeScalars.count)
            let first = counters[event.replica, default: 0] + 1
            counters[event.replica] = first + typed - 1
            if event.operation.effect == nil {
                event.operation.effect = effect(of: event, first, tree(of: history.filter(event.saw)))
            }
        }
        return Bytes(String(String.UnicodeScalarView(tree(of: known).elements)))
    }

    private static func effect(
        of event: Event<Operation>, _ first: UInt64, _ seen: NaiveFugue<Unicode.Scalar>
    ) -> Effect {
        var (effect, seen) = (Effect(), seen)
        let visible = seen.visible
        let place = self.place(event.operation, visible.count)
        for dot in visible[place...].prefix(event.operation.deleted) {
            if let node = seen.nodes[dot] { effect.removed.append(node) }
            seen.remove(dot)
        }
        for (offset, scalar) in event.operation.typed.unicodeScalars.enumerated() {
            let dot = Dot(replica: event.replica, counter: first + UInt64(offset))
            let node = seen.node(scalar, at: place + offset, dot: dot)
            seen.add(node)
            effect.nodes.append(node)
        }
        return effect
    }

    private static func tree(of events: [Event<Operation>]) -> NaiveFugue<Unicode.Scalar> {
        NaiveFugue(events.compactMap { $0.operation.effect })
    }
}
