public import Convergence
public import DeltaCRDT

/// Deltas that leave out removals. A list's delta has the tombstones whose clock is greater than the greatest that the other side
/// names; but a removal does not tick the clock, so that of an older element, made after that of a newer one, never goes out.
///
/// Source: heckj/CRDT, `List.delta` (Sources/CRDT/List.swift at 09ed47c).
public struct LateRemovals<R: Repair>: ReplicatedType {
    public enum Message: Sendable {
        case question(lifeOf: ReplicaID, removed: Set<Stamp>, greatest: [ReplicaID: UInt64])
        case answer(to: ReplicaID, elements: [Stamp: String], removed: Set<Stamp>)
    }

    private var clock: Clock
    private var elements: [Stamp: String] = [:]
    private var removed: Set<Stamp> = []

    public init(birth: Birth) { clock = Clock(birth) }
    public mutating func restarted(as birth: Birth) { clock.restart(birth) }
    public static func randomAction(using generator: inout SeededGenerator) -> NameAction { .random(using: &generator) }

    public mutating func perform(_ action: NameAction, at now: Int64) -> [Dot] {
        switch action {
        case .add(let name):
            let stamp = clock.tick()
            elements[stamp] = name
            return [stamp.dot]
        case .remove(let name):
            removed.formUnion(elements.filter { $0.value == name }.keys)
            return []
        }
    }

    public mutating func message(to peer: Int, at now: Int64) -> Message? {
        let greatest = Dictionary(removed.map { ($0.writer, $0.time) }, uniquingKeysWith: max)
        return .question(lifeOf: clock.last.writer, removed: removed, greatest: greatest)
    }

    public mutating func receive(_ message: Message, from peer: Int, at now: Int64) -> Reception<Message> {
        switch message {
        case .question(let life, let known, let greatest):
            let news = removed.filter { R.isDone ? !known.contains($0) : $0.time > greatest[$0.writer] ?? 0 }
            return .ignored(reply: .answer(to: life, elements: elements, removed: news))
        case .answer(let life, let others, let gone):
            elements.merge(others) { mine, _ in mine }
            removed.formUnion(gone)
            clock.see(others.keys.map(\.time).max() ?? 0)
            return life == clock.last.writer ? .taken() : .part()
        }
    }

    public var view: [String] { Set(elements.filter { !removed.contains($0.key) }.values).sorted() }

    public static func check(_ observation: Observation<Self>) -> Violation? {
        SetSpecification.check(
            observation.view, before: observation.previous, of: observation.history, policy: .addWins, meaning: \.effect
        )
    }
}
