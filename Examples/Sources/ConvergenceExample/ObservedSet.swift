public import Convergence
public import DeltaCRDT

/// A set of names, right: a remove covers the adds that its author had seen, and no others.
public struct ObservedSet: ReplicatedType {
    private var name: ReplicaID
    private var names = AddWinsSet<String>()

    public init(birth: Birth) { name = birth.start }

    public mutating func restarted(as birth: Birth) { name = birth.start }

    public static func randomAction(using generator: inout SeededGenerator) -> SetAction { .random(using: &generator) }

    public mutating func perform(_ action: SetAction, at now: Int64) -> [Dot] {
        switch action {
        case .add(let element): _ = names.add(element, by: name)
        case .remove(let element): _ = names.remove(element)
        }
        return []
    }

    public mutating func message(to peer: Int, at now: Int64) -> AddWinsSet<String>? { names }

    public mutating func receive(
        _ message: AddWinsSet<String>, from peer: Int, at now: Int64
    ) -> Reception<AddWinsSet<String>> {
        _ = names.merge(message)
        return .taken()
    }

    public var view: [String] { names.elements.sorted() }

    public static var codec: Codec<ObservedSet>? { Codec(\.names) }

    public static func check(_ observation: Observation<Self>) -> Violation? {
        SetSpecification.check(
            observation.view, before: observation.previous, of: observation.history, policy: .addWins,
            meaning: \.effect)
    }
}
