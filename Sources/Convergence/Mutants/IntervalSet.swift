import DeltaCRDT

/// An observed-remove set that sends intervals of its log of operations, and goes back where a peer lacks the start.
struct IntervalSet<V: Variant>: ReplicatedType {
    struct Operation: Sendable {
        let dot: Dot
        let added: Int?
        let removed: [Dot]
    }

    enum Message: Sendable {
        /// Operations of a sender's log, from an index.
        case interval(log: ReplicaID, start: Int, [Operation])
        /// So many of the log are here.
        case have(log: ReplicaID, count: Int)
    }

    private var name: ReplicaID
    private var counter: UInt64 = 0
    private var log: [Operation] = []
    private var known: Set<Dot> = []
    private var live: [Dot: Int] = [:]
    private var received: [ReplicaID: Int] = [:]
    private var sent: [Int: Int] = [:]

    init(birth: Birth) { name = birth.start }

    mutating func restarted(as birth: Birth) {
        name = birth.start
        sent = [:]
    }

    static func randomAction(using generator: inout SeededGenerator) -> SetAction { .random(using: &generator) }

    mutating func perform(_ action: SetAction, at now: Int64) -> [Dot] {
        counter += 1
        let dot = Dot(replica: name, counter: counter)
        switch action {
        case .add(let element): apply(Operation(dot: dot, added: element, removed: []))
        case .remove(let element):
            apply(Operation(dot: dot, added: nil, removed: live.filter { $1 == element }.keys.sorted()))
        }
        return [dot]
    }

    private mutating func apply(_ operation: Operation) {
        guard known.insert(operation.dot).inserted else { return }
        log.append(operation)
        live[operation.dot] = operation.added
        for dot in operation.removed { live[dot] = nil }
    }

    mutating func message(to peer: Int, at now: Int64) -> Message? {
        let start = sent[peer, default: 0]
        sent[peer] = log.count
        return .interval(log: name, start: start, Array(log[start...]))
    }

    mutating func receive(_ message: Message, from peer: Int, at now: Int64) -> Reception<Message> {
        switch message {
        case .have(let log, let count):
            // The fault: what was sent is believed to have come, whatever the peer says.
            if log == name, V.mutation != .losslessOnly { sent[peer] = min(count, self.log.count) }
            return .ignored()
        case .interval(let log, let start, let operations):
            let count = received[log, default: 0]
            // The fault: an interval that begins after what is here is taken, and its start counts as here.
            guard start <= count || V.mutation == .gappedInterval else {
                return .ignored(reply: .have(log: log, count: count))
            }
            if V.mutation == .holesAsRemoves { removeHoles(operations) }
            for operation in operations { apply(operation) }
            received[log] = max(count, start + operations.count)
            return .taken(reply: .have(log: log, count: max(count, start + operations.count)))
        }
    }

    /// The fault: what an interval does not speak of, and is older than it, reads as removed.
    private mutating func removeHoles(_ operations: [Operation]) {
        for operation in operations where operation.added != nil {
            live = live.filter { $0.key.replica != operation.dot.replica || $0.key.counter > operation.dot.counter }
        }
    }

    var view: Elements<Int> { Elements(Set(live.values).sorted()) }

    static func check(_ observation: Observation<Self>) -> Violation? {
        SetSpecification.check(
            observation.view.all, before: observation.previous?.all, of: observation.history, policy: .addWins,
            meaning: { $0.effect })
    }
}
