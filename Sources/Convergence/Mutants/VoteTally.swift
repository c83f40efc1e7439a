import DeltaCRDT

/// A grow-only counter: an entry for each writer, merged by maximum.
struct VoteTally<V: Variant>: ReplicatedType {
    struct Vote: Sendable, CustomStringConvertible { var description: String { "vote" } }

    private var name: ReplicaID
    private var entries: [ReplicaID: Int] = [:]

    init(birth: Birth) { name = Self.name(birth) }
    mutating func restarted(as birth: Birth) { name = Self.name(birth) }

    /// The fault: two people vote under one name.
    private static func name(_ birth: Birth) -> ReplicaID {
        V.mutation == .sharedEntry ? ReplicaID(high: UInt64(birth.replica / 2), low: 0) : birth.start
    }

    static func randomAction(using generator: inout SeededGenerator) -> Vote { Vote() }

    mutating func perform(_ action: Vote, at now: Int64) -> [Dot] {
        entries[name, default: 0] += 1
        return []
    }

    mutating func message(to peer: Int, at now: Int64) -> [ReplicaID: Int]? { entries }

    mutating func receive(_ message: [ReplicaID: Int], from peer: Int, at now: Int64) -> Reception<[ReplicaID: Int]> {
        for (name, count) in message { entries[name] = max(entries[name] ?? 0, count) }
        return .taken()
    }

    var view: Int { entries.values.reduce(0, +) }

    static func check(_ observation: Observation<Self>) -> Violation? {
        CounterSpecification.check(observation.view, of: observation.history) { _ in 1 }
    }
}
