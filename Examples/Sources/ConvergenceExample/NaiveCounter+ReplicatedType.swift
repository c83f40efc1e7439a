public import Convergence
public import DeltaCRDT

extension NaiveCounter: ReplicatedType {
    public enum Action: String, Sendable, CustomStringConvertible {
        case increment
        public var description: String { rawValue }
    }

    public init(birth: Birth) { self.init() }

    public static func randomAction(using generator: inout SeededGenerator) -> Action { .increment }

    public mutating func perform(_ action: Action, at now: Int64) -> [Dot] {
        increment()
        return []
    }

    public mutating func message(to peer: Int, at now: Int64) -> NaiveCounter? { self }

    public mutating func receive(_ message: NaiveCounter, from peer: Int, at now: Int64) -> Reception<NaiveCounter> {
        merge(message)
        return .taken()
    }

    public var view: Int { value }

    public static func check(_ observation: Observation<Self>) -> Violation? {
        CounterSpecification.check(observation.view, of: observation.history) { _ in 1 }
    }
}
