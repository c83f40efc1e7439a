public import Convergence
public import DeltaCRDT

/// The asking set with one fault: it reports every answer as taken whole, even one to a question of an earlier life.
public struct TrustingSet: ReplicatedType {
    private var asking: AskingSet

    public init(birth: Birth) { asking = AskingSet(birth: birth) }

    public mutating func restarted(as birth: Birth) { asking.restarted(as: birth) }

    public static func randomAction(using generator: inout SeededGenerator) -> SetAction { .random(using: &generator) }

    public mutating func perform(_ action: SetAction, at now: Int64) -> [Dot] { asking.perform(action, at: now) }

    public mutating func message(to peer: Int, at now: Int64) -> AskingSet.Message? {
        asking.message(to: peer, at: now)
    }

    public mutating func receive(
        _ message: AskingSet.Message, from peer: Int, at now: Int64
    ) -> Reception<AskingSet.Message> {
        let reception = asking.receive(message, from: peer, at: now)
        return reception.extent == .part ? .taken() : reception
    }

    public var view: [String] { asking.view }
    public var stateDescription: String? { asking.stateDescription }
    public static func describe(_ message: AskingSet.Message) -> String? { AskingSet.describe(message) }

    public static func check(_ observation: Observation<Self>) -> Violation? {
        SetSpecification.check(
            observation.view, before: observation.previous, of: observation.history, policy: .addWins,
            meaning: \.effect)
    }
}
