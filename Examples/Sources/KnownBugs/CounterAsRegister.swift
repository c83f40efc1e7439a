public import Convergence
public import DeltaCRDT

/// A counter that is saved by writing its value: of two people who count at the same time, the last to write wins, and the other's
/// increments are gone.
///
/// Source: automerge/automerge-swift issue 64, https://github.com/automerge/automerge-swift/issues/64
public struct CounterAsRegister<R: Repair>: ReplicatedType {
    public struct Increment: Sendable, CustomStringConvertible {
        let amount: Int
        public var description: String { "increment by \(amount)" }
    }

    public struct Write: Sendable {
        let stamp: Stamp
        let value: Int
    }

    private var clock: Clock
    /// The last write; of the right counter, the last of each life.
    private var writes: [ReplicaID: Write] = [:]

    public init(birth: Birth) { clock = Clock(birth) }
    public mutating func restarted(as birth: Birth) { clock.restart(birth) }

    public static func randomAction(using generator: inout SeededGenerator) -> Increment {
        Increment(amount: generator.number(in: 1...9))
    }

    public mutating func perform(_ action: Increment, at now: Int64) -> [Dot] {
        let stamp = clock.tick()
        let before = R.isDone ? writes[stamp.writer]?.value ?? 0 : view
        writes[stamp.writer] = Write(stamp: stamp, value: before + action.amount)
        return [stamp.dot]
    }

    public mutating func message(to peer: Int, at now: Int64) -> [ReplicaID: Write]? { writes }

    public mutating func receive(
        _ message: [ReplicaID: Write], from peer: Int, at now: Int64
    ) -> Reception<[ReplicaID: Write]> {
        writes.merge(message) { $0.stamp > $1.stamp ? $0 : $1 }
        clock.see(message.values.map(\.stamp.time).max() ?? 0)
        return .taken()
    }

    public var view: Int {
        R.isDone
            ? writes.values.map(\.value).reduce(0, +) : writes.values.max { $0.stamp < $1.stamp }?.value ?? 0
    }

    public static func check(_ observation: Observation<Self>) -> Violation? {
        CounterSpecification.check(observation.view, of: observation.history) { $0.amount }
    }
}
