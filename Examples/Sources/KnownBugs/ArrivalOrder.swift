public import Convergence
public import DeltaCRDT

/// Two writes of one key at the same time, and each replica keeps the one that it inserted last.
///
/// Source: phoenixframework/phoenix_pubsub issue 214, https://github.com/phoenixframework/phoenix_pubsub/issues/214
public struct ArrivalOrder<R: Repair>: ReplicatedType {
    public struct Entry: Sendable {
        let stamp: Stamp
        let value: Int
    }

    private var clock: Clock
    private var entries: [String: Entry] = [:]
    /// What was taken once, so that a copy does nothing.
    private var taken: Set<Stamp> = []

    public init(birth: Birth) { clock = Clock(birth) }
    public mutating func restarted(as birth: Birth) { clock.restart(birth) }

    public static func randomAction(using generator: inout SeededGenerator) -> MapWrite { .random(using: &generator) }

    public mutating func perform(_ action: MapWrite, at now: Int64) -> [Dot] {
        let entry = Entry(stamp: clock.tick(), value: action.value)
        entries[action.key] = entry
        taken.insert(entry.stamp)
        return []
    }

    public mutating func message(to peer: Int, at now: Int64) -> [String: Entry]? { entries }

    public mutating func receive(_ message: [String: Entry], from peer: Int, at now: Int64) -> Reception<
        [String: Entry]
    > {
        for (key, theirs) in message where taken.insert(theirs.stamp).inserted {
            clock.see(theirs.stamp.time)
            guard let mine = entries[key] else {
                entries[key] = theirs
                continue
            }
            let isLater = R.isDone ? theirs.stamp > mine.stamp : theirs.stamp.time >= mine.stamp.time
            if isLater { entries[key] = theirs }
        }
        return .taken()
    }

    public var view: ShownMap { ShownMap(values: entries.mapValues(\.value)) }

    public static func check(_ observation: Observation<Self>) -> Violation? {
        observation.view.check(observation.history)
    }
}
