public import Convergence
public import DeltaCRDT

extension LastWriterSet: ReplicatedType {
    public init(birth: Birth) { self.init() }

    public static func randomAction(using generator: inout SeededGenerator) -> SetAction { .random(using: &generator) }

    public mutating func perform(_ action: SetAction, at now: Int64) -> [Dot] {
        switch action {
        case .add(let name): add(name, at: now)
        case .remove(let name): remove(name, at: now)
        }
        return []
    }

    public mutating func message(to peer: Int, at now: Int64) -> LastWriterSet? { self }

    public mutating func receive(_ message: LastWriterSet, from peer: Int, at now: Int64) -> Reception<LastWriterSet> {
        merge(message)
        return .taken()
    }

    public var view: [String] { elements }

    public static func check(_ observation: Observation<Self>) -> Violation? {
        SetSpecification.check(
            observation.view, before: observation.previous, of: observation.history, policy: .either, meaning: \.effect)
    }
}
