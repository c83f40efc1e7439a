public import Convergence
public import DeltaCRDT

/// An update that comes before the one it stands on. Its writes must wait, but what they replace is removed at once: a key that nobody
/// deleted has no value.
///
/// Source: yjs/yjs issues 461, https://github.com/yjs/yjs/issues/461 (“Element in Y.Map deleted after pendingStructs added”), and 591.
public struct EarlyRemovals<R: Repair>: ReplicatedType {
    public struct Change: Sendable {
        let stamp: Stamp
        /// The number of its author's changes before this one.
        let index: Int
        let write: MapWrite
        let replaces: Set<Stamp>
    }

    public enum Message: Sendable {
        /// What is new, and the numbers of changes that it stands on, of each author.
        case update([Change], after: [ReplicaID: Int])
        /// The number of changes that are here, of each author.
        case lacks([ReplicaID: Int])
    }

    private var clock: Clock
    private var changes: [Change] = []
    private var counts: [ReplicaID: Int] = [:]
    private var entries: [String: [Stamp: Int]] = [:]
    /// How many of the changes were sent to a peer: each is sent once, until the peer says what it lacks.
    private var sent: [Int: Int] = [:]

    public init(birth: Birth) { clock = Clock(birth) }
    public mutating func restarted(as birth: Birth) { clock.restart(birth) }

    public static func randomAction(using generator: inout SeededGenerator) -> MapWrite { .random(using: &generator) }

    public mutating func perform(_ action: MapWrite, at now: Int64) -> [Dot] {
        let stamp = clock.tick()
        let seen = Set((entries[action.key] ?? [:]).keys)
        take(Change(stamp: stamp, index: counts[stamp.writer] ?? 0, write: action, replaces: seen))
        return [stamp.dot]
    }

    private mutating func take(_ change: Change) {
        changes.append(change)
        counts[change.stamp.writer] = change.index + 1
        clock.see(change.stamp.time)
        remove(change.replaces, from: change.write.key)
        entries[change.write.key, default: [:]][change.stamp] = change.write.value
    }

    private mutating func remove(_ stamps: Set<Stamp>, from key: String) {
        entries[key] = entries[key]?.filter { !stamps.contains($0.key) }
    }

    public mutating func message(to peer: Int, at now: Int64) -> Message? {
        let start = sent[peer] ?? 0
        sent[peer] = changes.count
        let before = Dictionary(changes[..<start].map { ($0.stamp.writer, $0.index + 1) }, uniquingKeysWith: max)
        return .update(Array(changes[start...]), after: before)
    }

    public mutating func receive(_ message: Message, from peer: Int, at now: Int64) -> Reception<Message> {
        switch message {
        case .lacks(let theirs):
            sent[peer] = changes.firstIndex { $0.index >= theirs[$0.stamp.writer] ?? 0 } ?? changes.count
            return .ignored()
        case .update(let update, let before):
            guard before.allSatisfy({ counts[$0] ?? 0 >= $1 }) else {
                if !R.isDone { for change in update { remove(change.replaces, from: change.write.key) } }
                return .ignored(reply: .lacks(counts))
            }
            for change in update where change.index >= counts[change.stamp.writer] ?? 0 { take(change) }
            return .taken()
        }
    }

    public static func describe(_ message: Message) -> String? {
        switch message {
        case .update(let changes, _): changes.map(\.write.description).joined(separator: ", ")
        case .lacks: "lacks what the update stands on"
        }
    }

    /// Of concurrent writes the last is shown.
    public var view: ShownMap { ShownMap(values: entries.compactMapValues { $0.max { $0.key < $1.key }?.value }) }

    public static func check(_ observation: Observation<Self>) -> Violation? {
        observation.view.check(observation.history)
    }
}
