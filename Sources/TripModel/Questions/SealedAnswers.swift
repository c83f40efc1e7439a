import DeltaCRDT

/// The answers to one hidden question.
///
/// The person who asked closes it with the names of the answers that count, one a person. So nobody who has read what others revealed
/// can still give an answer that counts, whatever they write, on whatever past.
struct SealedAnswers: Hashable, Sendable {
    struct Entry: Hashable, Sendable {
        let id: LoggedOperation
        /// Nil where the answer was taken back.
        let commitment: [UInt8]?
        /// Once it was revealed.
        fileprivate(set) var answer: Answer?
    }

    /// Of each participant from the lowest to the one that stands highest: at most `countMax`, the lowest ones.
    private(set) var entries: [ParticipantID: [Entry]] = [:]
    /// The answers that every closing named; nil while nobody closed the question.
    private(set) var counted: [ParticipantID: OperationID]?

    /// How often somebody can answer one question.
    static let countMax = 64

    var isClosed: Bool { counted != nil }

    /// O(answers of the author).
    mutating func give(_ commitment: [UInt8]?, by act: FoldedOperation) {
        var own = entries[act.author] ?? []
        let new = Entry(id: act.id, commitment: commitment)
        own.insert(new, at: own.partitioningIndex { new.id < $0.id })
        entries[act.author] = Array(own.prefix(Self.countMax))
    }

    /// Closes the question. Of several closings each takes away what it does not name. O(n).
    mutating func close(counting named: [ParticipantID: OperationID]) {
        counted = counted.map { known in known.filter { named[$0.key] == $0.value } } ?? named
    }

    /// Shows what an answer of the change's participant says, if the change has seen that. O(answers of the author).
    mutating func reveal(_ answer: Answer, of commitment: [UInt8], by act: FoldedOperation) {
        let author = act.author
        for place in (entries[author] ?? []).indices {
            guard let entry = entries[author]?[place], entry.commitment == commitment, act.hasSeen(entry.id)
            else {
                continue
            }
            entries[author]?[place].answer = answer
        }
    }

    /// Somebody's last answer; nil where they gave none, or took it back.
    func last(of participant: ParticipantID) -> Entry? {
        entries[participant]?.last.flatMap { $0.commitment == nil ? nil : $0 }
    }

    /// Everybody's last answer, as a closing names it. O(people).
    var latest: [ParticipantID: OperationID] {
        entries.compactMapValues { entries in entries.last.flatMap { $0.commitment == nil ? nil : $0.id.operation } }
    }

    /// The answer of somebody that counts and is not revealed yet. An answer that its author replaced or took back stays secret, though
    /// the closing did not know of that.
    func unrevealed(of participant: ParticipantID) -> Entry? {
        guard let last = last(of: participant), last.answer == nil, counted?[participant] == last.id.operation else {
            return nil
        }
        return last
    }

    /// What each participant answered, by participant. O(n log n).
    /// - Parameter own: what sealed answers of the person here say, by commitment.
    func given(knowing own: [[UInt8]: RevealedAnswer]) -> [(participant: ParticipantID, answer: GivenAnswer)] {
        entries.keys.sorted().compactMap { participant in
            let last = last(of: participant)
            let standing =
                counted.map { counted in
                    entries[participant]?.first { $0.id.operation == counted[participant] }
                } ?? last
            guard let standing, let commitment = standing.commitment else {
                return last == nil ? nil : (participant, GivenAnswer(counted: nil, seal: .late))
            }
            guard isClosed, let answer = standing.answer else {
                return (participant, GivenAnswer(counted: nil, seal: .whole, known: own[commitment]?.answer))
            }
            return (participant, GivenAnswer(counted: answer))
        }
    }

    /// Where the highest of all stands; nil where nobody answered.
    var touched: LamportTimestamp? { entries.values.compactMap { $0.last?.id.stamp }.max() }
}
