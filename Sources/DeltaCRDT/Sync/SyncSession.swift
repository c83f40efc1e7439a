/// One side's part in keeping two replicas of a state alike over a connection: what to send, and what to do with what comes.
///
/// Each side has a session for each connection, made when it opens. It sends what ``message(for:)`` returns, after each change and
/// each message that came, until that is nil. Both begin by telling what they have; then only what the other lacks is sent, removals
/// included, and after that each change once. A connection must keep the order of messages and lose none; on a new one, begin a new
/// session, which costs a question and an answer.
///
/// An example is in <doc:SyncingOverAConnection>.
///
/// A session is a value and does no input or output. Automerge's `sync::State` is its model.
public struct SyncSession<State: SyncableState & CanonicalCodable>: Sendable {
    /// How many questions a message holds at most.
    static var mostQuestions: Int { 4 }

    /// How far the state was when the peer last was, or will be, told all of it.
    private var told: StateCheckpoint?
    private var hasSentSummary = false
    /// What is to be sent with the next message, beside what is new.
    private var answer = State()
    private var questions: [RangeSummary] = []

    /// Nothing sent, and nothing received. Complexity: O(1).
    public init() {}

    /// The next message to send; nil while there is nothing to tell.
    ///
    /// Complexity: O(replicas + what the peer lacks).
    public mutating func message(for state: State) -> [UInt8]? {
        var message = Message()
        if !hasSentSummary { message.summary = state.summary(within: nil) }
        note(state)
        guard !hasSentSummary || !answer.context.isEmpty || !questions.isEmpty else { return nil }
        (message.delta, message.questions) = (answer, questions)
        (answer, questions, hasSentSummary) = (State(), [], true)
        return message.encoded()
    }

    /// Notes for the answer what was done since the peer told what it has.
    private mutating func note(_ state: State) {
        guard let told else { return }
        answer.merge(state.delta(since: told))
        self.told = state.checkpoint
    }

    /// Takes a message of the peer's: joins what it brings, and prepares the answer. Changes nothing where it cannot be read.
    ///
    /// Complexity: O(replicas + what comes, and what the peer lacks).
    public mutating func receive(
        _ message: [UInt8], into state: inout State, conflicts: inout CausalContext
    ) throws(DecodingFailure) {
        let message = try Message(decoding: message)
        note(state)
        state.merge(message.delta, conflicts: &conflicts)
        if let summary = message.summary {
            let (delta, question) = state.answer(to: summary)
            answer.merge(delta)
            if !question.isEmpty { questions.append(question) }
        }
        if message.summary != nil || told != nil { told = state.checkpoint }
        for question in message.questions {
            let (delta, next) = state.answer(to: question)
            answer.merge(delta)
            if !next.isEmpty { questions.append(next) }
        }
        questions = questions.suffix(Self.mostQuestions)
    }

    /// Takes a message of the peer's, without telling of events that were given to two contents.
    ///
    /// Complexity: O(replicas + what comes, and what the peer lacks).
    public mutating func receive(_ message: [UInt8], into state: inout State) throws(DecodingFailure) {
        var conflicts = CausalContext()
        try receive(message, into: &state, conflicts: &conflicts)
    }
}

extension SyncSession {
    /// A version, the own summary in the first message of a side, a delta, and questions.
    private struct Message: CanonicalCodable {
        static var version: UInt64 { 1 }

        var summary: StateSummary?
        var delta = State()
        var questions: [RangeSummary] = []

        init() {}

        func encode(into encoder: inout CanonicalEncoder) {
            encoder.encode(Self.version)
            encoder.encode(summary != nil)
            summary?.encode(into: &encoder)
            delta.encode(into: &encoder)
            encoder.encode(count: questions.count)
            for question in questions { question.encode(into: &encoder) }
        }

        init(from decoder: inout CanonicalDecoder) throws(DecodingFailure) {
            let version = try decoder.decodeUInt64()
            guard version == Self.version else { throw version == 0 ? .unknown : .newerVersion }
            if try decoder.decodeBool() { summary = try StateSummary(from: &decoder) }
            delta = try State(from: &decoder)
            for _ in 0..<(try decoder.decodeCount(limit: mostQuestions)) {
                questions.append(try RangeSummary(from: &decoder))
            }
        }
    }
}
