public import Convergence
public import DeltaCRDT

/// A merge that makes news. Where both sides have an entry, the values are merged and get the time of the merge: greater than that
/// of a removal which happened after both entries were written, so the entry comes back though nobody touched it.
///
/// Source: appdecentral/replicatingtypes, `ReplicatingDictionary.merged(with:)` of values that are merged themselves
/// (Sources/ReplicatingTypes/ReplicatingDictionary.swift at 50a9851).
public struct RenewedStamps<R: Repair>: ReplicatedType {
    public struct Entry: Sendable {
        var stamp: Stamp
        var isThere: Bool
    }

    private var clock: Clock
    private var entries: [String: Entry] = [:]

    public init(birth: Birth) { clock = Clock(birth) }
    public mutating func restarted(as birth: Birth) { clock.restart(birth) }
    public static func randomAction(using generator: inout SeededGenerator) -> NameAction { .random(using: &generator) }

    public mutating func perform(_ action: NameAction, at now: Int64) -> [Dot] {
        switch action {
        case .add(let name): entries[name] = Entry(stamp: clock.tick(), isThere: true)
        case .remove(let name): entries[name] = Entry(stamp: clock.tick(), isThere: false)
        }
        return []
    }

    public mutating func message(to peer: Int, at now: Int64) -> [String: Entry]? { entries }

    public mutating func receive(_ message: [String: Entry], from peer: Int, at now: Int64) -> Reception<
        [String: Entry]
    > {
        clock.see(message.values.map(\.stamp.time).max() ?? 0)
        for (name, theirs) in message.sorted(by: { $0.key < $1.key }) {
            guard let mine = entries[name] else {
                entries[name] = theirs
                continue
            }
            let isRenewed = !R.isDone && mine.isThere && theirs.isThere && mine.stamp != theirs.stamp
            entries[name] =
                isRenewed ? Entry(stamp: clock.tick(), isThere: true) : mine.stamp > theirs.stamp ? mine : theirs
        }
        return .taken()
    }

    public var view: [String] { entries.filter { $1.isThere }.keys.sorted() }

    public static func check(_ observation: Observation<Self>) -> Violation? {
        SetSpecification.check(
            observation.view, before: observation.previous, of: observation.history, policy: .either, meaning: \.effect)
    }
}
