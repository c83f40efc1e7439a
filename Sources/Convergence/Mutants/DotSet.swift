import DeltaCRDT

/// An observed-remove set whose adds win.
struct DotSet<V: Variant>: ReplicatedType {
    struct Message: Sendable {
        let sender: ReplicaID
        let state: DotState<Int>
    }

    private var name: ReplicaID
    private var counter: UInt64 = 0
    private var state = DotState<Int>()

    init(birth: Birth) { name = birth.start }

    mutating func restarted(as birth: Birth) {
        // The fault: what was done after a backup was made, and is done after it is restored, bears the same numbers.
        if V.mutation != .reusedNumbers { name = birth.start }
    }

    static func randomAction(using generator: inout SeededGenerator) -> SetAction { .random(using: &generator) }

    mutating func perform(_ action: SetAction, at now: Int64) -> [Dot] {
        switch action {
        case .add(let element):
            counter += 1
            let dot = Dot(replica: name, counter: counter)
            state.remove { $0 == element }
            state.add(element, as: dot)
            return [dot]
        case .remove(let element):
            state.remove { $0 == element }
            return []
        }
    }

    mutating func message(to peer: Int, at now: Int64) -> Message? { Message(sender: name, state: state) }

    mutating func receive(_ message: Message, from peer: Int, at now: Int64) -> Reception<Message> {
        state.merge(message.state)
        // The fault: the name comes over with the rest.
        if V.mutation == .borrowedName { name = message.sender }
        return .taken()
    }

    var view: Elements<Int> { Elements(Set(state.live.values).sorted()) }

    static func check(_ observation: Observation<Self>) -> Violation? {
        SetSpecification.check(
            observation.view.all, before: observation.previous?.all, of: observation.history, policy: .addWins,
            meaning: { $0.effect })
    }

    func persist(on disk: inout SimulatedDisk<Self>) {
        disk.append(self)
        // The fault: it says that it is done, and does not wait.
        if V.mutation != .earlyAcknowledgement { disk.sync() }
    }

    static func recover(from disk: SimulatedDisk<Self>, birth: Birth) -> Self {
        // The fault: half a record is believed.
        let last = disk.records.last { $0.isWhole || V.mutation == .tornWrite }
        guard var replica = last?.record else { return Self(birth: birth) }
        replica.restarted(as: birth)
        return replica
    }

    static func torn(_ record: Self) -> Self {
        var half = record
        half.state = half.state.torn
        return half
    }
}
