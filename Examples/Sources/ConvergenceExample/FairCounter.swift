public import Convergence
public import DeltaCRDT

/// A number that people count up, right: everybody counts in an entry of their own.
public struct FairCounter: ReplicatedType {
    private var name: ReplicaID
    private var counter = GCounter()

    public init(birth: Birth) { name = birth.start }

    /// Whoever starts anew counts in a new entry: an old one may have been counted on from a backup.
    public mutating func restarted(as birth: Birth) { name = birth.start }

    public static func randomAction(using generator: inout SeededGenerator) -> NaiveCounter.Action { .increment }

    public mutating func perform(_ action: NaiveCounter.Action, at now: Int64) -> [Dot] {
        _ = counter.increment(by: name)
        return []
    }

    public mutating func message(to peer: Int, at now: Int64) -> GCounter? { counter }

    public mutating func receive(_ message: GCounter, from peer: Int, at now: Int64) -> Reception<GCounter> {
        _ = counter.merge(message)
        return .taken()
    }

    public var view: Int { Int(clamping: counter.value) }

    public static var codec: Codec<FairCounter>? { Codec(\.counter) }

    public static func check(_ observation: Observation<Self>) -> Violation? {
        CounterSpecification.check(observation.view, of: observation.history) { _ in 1 }
    }
}
