public import Convergence
public import DeltaCRDT

/// A shortcut in a merge. A set without tombstones takes the other side's entries as they are where its clock covers one's own;
/// but removals do not tick the clock, so a side that removed something since looks as if it knew no more.
///
/// Source: basho/riak_dt pull requests 78 and 79, https://github.com/basho/riak_dt/pull/79
public struct DominatedMerge<R: Repair>: ReplicatedType {
    public struct State: Sendable {
        var seen: [ReplicaID: UInt64] = [:]
        var entries: [String: Set<Dot>] = [:]
    }

    private var name: ReplicaID
    private var state = State()

    public init(birth: Birth) { name = birth.start }
    public mutating func restarted(as birth: Birth) { name = birth.start }
    public static func randomAction(using generator: inout SeededGenerator) -> NameAction { .random(using: &generator) }

    public mutating func perform(_ action: NameAction, at now: Int64) -> [Dot] {
        switch action {
        case .add(let element):
            let dot = Dot(replica: name, counter: state.seen[name, default: 0] + 1)
            state.seen[name] = dot.counter
            state.entries[element] = [dot]
            return [dot]
        case .remove(let element):
            state.entries[element] = nil
            return []
        }
    }

    public mutating func message(to peer: Int, at now: Int64) -> State? { state }

    public mutating func receive(_ message: State, from peer: Int, at now: Int64) -> Reception<State> {
        let isCovered = state.seen.allSatisfy { $1 <= message.seen[$0] ?? 0 }
        if !R.isDone, isCovered {
            state = message
            return .taken()
        }
        for element in Set(state.entries.keys).union(message.entries.keys) {
            let (mine, theirs) = (state.entries[element] ?? [], message.entries[element] ?? [])
            let kept = mine.filter { theirs.contains($0) || $0.counter > message.seen[$0.replica] ?? 0 }
            let news = theirs.filter { !mine.contains($0) && $0.counter > state.seen[$0.replica] ?? 0 }
            let dots = kept.union(news)
            state.entries[element] = dots.isEmpty ? nil : dots
        }
        state.seen.merge(message.seen, uniquingKeysWith: max)
        return .taken()
    }

    public var view: [String] { state.entries.keys.sorted() }

    public static func check(_ observation: Observation<Self>) -> Violation? {
        SetSpecification.check(
            observation.view, before: observation.previous, of: observation.history, policy: .addWins, meaning: \.effect
        )
    }
}
