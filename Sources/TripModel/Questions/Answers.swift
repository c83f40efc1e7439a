import DeltaCRDT

/// The answers to one question: of each participant the last, and the last before each standing closing that they knew of. So what
/// somebody says later does not take away what they said in time.
///
/// Whether an answer is late, its past alone decides, not a clock: it is late if the closing is in its past. What something
/// replaced never stands again, so closings that don't stand are forgotten, and so are the answers that only they kept apart.
struct Answers: Hashable, Sendable {
    struct Part: Hashable, Sendable {
        /// Of the closings that stand, those that the authors had seen, ascending.
        let seen: [OperationID]
        fileprivate(set) var answers = Ballot<Answer>()
    }

    /// Ascending by what the authors had seen.
    private(set) var parts: [Part] = []

    /// Takes an answer if it stands above the participant's last that knew of the same closings. O(answers and closings).
    /// - Parameter closings: those that stand.
    mutating func give(_ answer: Answer?, by act: FoldedOperation, closings: [Written]) {
        let seen = closings.filter { act.hasSeen($0.id) }.map(\.operation).sorted()
        take(answer, by: act.authored, knowing: seen)
    }

    /// Forgets closings that no longer stand. O(answers and closings).
    mutating func keep(_ standing: Set<OperationID>) {
        guard parts.contains(where: { !standing.isSuperset(of: $0.seen) }) else { return }
        let known = parts
        parts = []
        for part in known {
            let seen = part.seen.filter(standing.contains)
            for entry in part.answers.entries { take(entry.word, by: entry.id, knowing: seen) }
        }
    }

    private mutating func take(_ answer: Answer?, by id: AuthoredOperation, knowing seen: [OperationID]) {
        let place = parts.partitioningIndex { !$0.seen.lexicographicallyPrecedes(seen) }
        if place == parts.count || parts[place].seen != seen { parts.insert(Part(seen: seen), at: place) }
        parts[place].answers.say(answer, by: id)
    }

    /// A participant's last answer; nil where they gave none, or took it back. O(parts · log answers).
    func last(of participant: ParticipantID) -> Answer? { Self.last(of: participant, in: parts)?.word }

    /// What each participant answered, by participant. O(answers · parts · log answers).
    /// - Parameter standing: the closings that stand; none where the question is open.
    func given(standing: Set<OperationID>) -> [(participant: ParticipantID, answer: GivenAnswer)] {
        let inTime = parts.filter { standing.isDisjoint(with: $0.seen) }
        let participants = Set(parts.flatMap { $0.answers.entries.map(\.id.author) })
        return participants.sorted().compactMap { participant in
            let last = Self.last(of: participant, in: parts)
            let counted = Self.last(of: participant, in: inTime)
            let late = last?.id == counted?.id ? nil : last?.word
            guard counted?.word != nil || late != nil else { return nil }
            return (participant, GivenAnswer(counted: counted?.word, late: late))
        }
    }

    /// Where the highest of all stands; nil where nobody answered.
    var touched: LamportTimestamp? { parts.flatMap { $0.answers.entries.map(\.id.stamp) }.max() }

    private static func last(of participant: ParticipantID, in parts: [Part]) -> Ballot<Answer>.Entry? {
        parts.compactMap { $0.answers[participant] }.max { $0.id < $1.id }
    }
}
