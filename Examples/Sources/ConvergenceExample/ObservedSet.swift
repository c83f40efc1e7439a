public import Convergence
public import DeltaCRDT

/// A set of names, right: a remove covers the adds that its author had seen, and no others.
public struct ObservedSet: StateBased {
    public var state = AddWinsSet<String>()
    public var writer: ReplicaID

    public init(birth: Birth) { writer = birth.start }

    public static func randomAction(using generator: inout SeededGenerator) -> SetAction { .random(using: &generator) }

    public mutating func perform(_ action: SetAction, at now: Int64) -> [Dot] {
        switch action {
        case .add(let element): state.insert(element, by: writer)
        case .remove(let element): state.remove(element)
        }
        return []
    }

    public var view: [String] { state.elements.sorted() }

    public static func check(_ observation: Observation<Self>) -> Violation? {
        SetSpecification.check(
            observation.view, before: observation.previous, of: observation.history, policy: .addWins,
            meaning: \.effect)
    }
}
