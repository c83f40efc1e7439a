public import Convergence
public import DeltaCRDT

/// Updates that overlap. Where a store merges two updates of one author, it cuts off the beginning of the second that the first
/// has. It cuts off one too many, so the next is lost, and nobody can take what follows.
///
/// Source: y-crdt/y-crdt pull request 200, https://github.com/y-crdt/y-crdt/pull/200, where the end of the first update was one too great.
public struct OverlappingUpdates<R: Repair>: ReplicatedType {
    public struct Note: Sendable, CustomStringConvertible { public var description: String { "note" } }

    private let name: ReplicaID
    /// The numbers of each author's notes.
    private var notes: [ReplicaID: [Range<Int>]] = [:]

    public init(birth: Birth) { name = birth.start }

    private init(name: ReplicaID, notes: [ReplicaID: [Range<Int>]]) { (self.name, self.notes) = (name, notes) }

    public static func recover(from disk: SimulatedDisk<Self>, birth: Birth) -> Self {
        Self(name: birth.start, notes: disk.records.last(where: \.isWhole)?.record.notes ?? [:])
    }

    public static func randomAction(using generator: inout SeededGenerator) -> Note { Note() }

    public mutating func perform(_ action: Note, at now: Int64) -> [Dot] {
        let count = notes[name]?.first?.upperBound ?? 0
        notes[name] = [0..<count + 1]
        return [Dot(replica: name, counter: UInt64(count + 1))]
    }

    public mutating func message(to peer: Int, at now: Int64) -> [ReplicaID: [Range<Int>]]? { notes }

    public mutating func receive(
        _ message: [ReplicaID: [Range<Int>]], from peer: Int, at now: Int64
    ) -> Reception<[ReplicaID: [Range<Int>]]> {
        notes.merge(message) { Self.merged($0 + $1) }
        return .taken()
    }

    private static func merged(_ updates: [Range<Int>]) -> [Range<Int>] {
        var merged: [Range<Int>] = []
        for next in updates.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            guard let last = merged.last, last.upperBound > next.lowerBound else {
                merged.append(next)
                continue
            }
            let start = last.upperBound + (R.isDone ? 0 : 1)
            guard start < next.upperBound else { continue }
            if R.isDone {
                merged[merged.count - 1] = last.lowerBound..<next.upperBound
            } else {
                merged.append(start..<next.upperBound)
            }
        }
        return merged
    }

    /// What follows a gap waits.
    public var view: Int { notes.values.compactMap { $0.first { $0.lowerBound == 0 } }.map(\.count).reduce(0, +) }

    public static func check(_ observation: Observation<Self>) -> Violation? {
        CounterSpecification.check(observation.view, of: observation.history) { _ in 1 }
    }
}
