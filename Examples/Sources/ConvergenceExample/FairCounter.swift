public import Convergence
public import DeltaCRDT

/// A number that people count up, right: everybody counts in an entry of their own.
public struct FairCounter: StateBased {
    public var state = GCounter()
    public var writer: ReplicaID

    public init(birth: Birth) { writer = birth.start }

    public static func randomAction(using generator: inout SeededGenerator) -> NaiveCounter.Action { .increment }

    public mutating func perform(_ action: NaiveCounter.Action, at now: Int64) -> [Dot] {
        state.add(1, by: writer)
        return []
    }

    public var view: Int { Int(clamping: state.value) }

    public static func check(_ observation: Observation<Self>) -> Violation? {
        CounterSpecification.check(observation.view, of: observation.history) { _ in 1 }
    }
}
