public import Convergence
public import DeltaCRDT

/// The set again, by summaries: a replica asks with what it knows, and is sent what it lacks.
public struct AskingSet: ReplicatedType {
    public enum Message: Sendable {
        /// What does this summary lack? Asked by a replica in one of its lives.
        case question(StateSummary, by: ReplicaID)
        /// What was lacking in a summary that the named life asked with.
        case answer(AddWinsSet<String>, to: ReplicaID)
    }

    private var life: ReplicaID
    private var names = AddWinsSet<String>()

    public init(birth: Birth) { life = birth.start }

    public mutating func restarted(as birth: Birth) { life = birth.start }

    public static func randomAction(using generator: inout SeededGenerator) -> SetAction { .random(using: &generator) }

    public mutating func perform(_ action: SetAction, at now: Int64) -> [Dot] {
        switch action {
        case .add(let element): _ = names.insert(element, by: life)
        case .remove(let element): _ = names.remove(element)
        }
        return []
    }

    private var question: Message { .question(names.summary(), by: life) }

    public mutating func message(to peer: Int, at now: Int64) -> Message? { question }

    public mutating func receive(_ message: Message, from peer: Int, at now: Int64) -> Reception<Message> {
        switch message {
        case .question(let summary, let asker):
            return .ignored(reply: .answer(names.delta(since: summary), to: asker))
        case .answer(let delta, let asker):
            _ = names.merge(delta)
            // Asked in another life, with more than was left of it: what lies between is lacking.
            return asker == life ? .taken() : .part(reply: question)
        }
    }

    public var view: [String] { names.elements.sorted() }

    public var stateDescription: String? { "life \(life.low)" }

    public static func describe(_ message: Message) -> String? {
        switch message {
        case .question: "question"
        case .answer(let delta, _): "answer: \(delta.elements.sorted())"
        }
    }

    public static var codec: Codec<AskingSet>? { Codec(\.names) }

    public static func check(_ observation: Observation<Self>) -> Violation? {
        SetSpecification.check(
            observation.view, before: observation.previous, of: observation.history, policy: .addWins,
            meaning: \.effect)
    }
}
