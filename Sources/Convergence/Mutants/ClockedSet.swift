import DeltaCRDT

/// An observed-remove set that also remembers when, by Lamport time, each element was added and removed last.
struct ClockedSet<V: Variant>: ReplicatedType {
    struct Message: Sendable {
        let state: DotState<Int>
        let added: [Int: UInt64]
        let removed: [Int: UInt64]
        let clock: UInt64
    }

    private var name: ReplicaID
    private var counter: UInt64 = 0
    private var clock: UInt64 = 0
    private var state = DotState<Int>()
    private var added: [Int: UInt64] = [:]
    private var removed: [Int: UInt64] = [:]

    init(birth: Birth) { name = birth.start }
    mutating func restarted(as birth: Birth) { name = birth.start }
    static func randomAction(using generator: inout SeededGenerator) -> SetAction { .random(using: &generator) }

    mutating func perform(_ action: SetAction, at now: Int64) -> [Dot] {
        clock += 1
        switch action {
        case .add(let element):
            counter += 1
            let dot = Dot(replica: name, counter: counter)
            state.remove { $0 == element }
            state.add(element, as: dot)
            added[element] = clock
            return [dot]
        case .remove(let element):
            state.remove { $0 == element }
            removed[element] = clock
            return []
        }
    }

    mutating func message(to peer: Int, at now: Int64) -> Message? {
        Message(state: state, added: added, removed: removed, clock: clock)
    }

    mutating func receive(_ message: Message, from peer: Int, at now: Int64) -> Reception<Message> {
        state.merge(message.state)
        for (element, time) in message.added { added[element] = max(added[element] ?? 0, time) }
        for (element, time) in message.removed { removed[element] = max(removed[element] ?? 0, time) }
        clock = max(clock, message.clock)
        return .taken()
    }

    var view: Elements<Int> {
        // The fault: the last by the clock wins, and an add that knew nothing of a remove with a later time is lost.
        if V.mutation == .clockSet {
            return Elements(added.filter { $0.value > removed[$0.key] ?? 0 }.keys.sorted())
        }
        return Elements(Set(state.live.values).sorted())
    }

    static func check(_ observation: Observation<Self>) -> Violation? {
        SetSpecification.check(
            observation.view.all, before: observation.previous?.all, of: observation.history, policy: .addWins,
            meaning: { $0.effect })
    }
}
