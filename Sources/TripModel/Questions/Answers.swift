import DeltaCRDT

/// The answers to one question: of each participant the last, and the last before each standing closing that they knew of. So what
/// somebody says later does not take away what they said in time.
///
/// Whether an answer is late, its past alone decides, not a clock: it is late if the closing is in its past. What something
/// replaced never stands again, so closings that don't stand are forgotten, and so are the answers that only they kept apart.
struct Answers: Sendable {
    /// The closings that an author had seen, by their places, and what was answered with them seen.
    private var ballots: [PlaceSet: Ballot<Answer>] = [:]
    /// The closings by their places: a closing takes a bit of each part, for a changed client can make many of both. Nil where a closing
    /// stands no more.
    private var closings: [OperationID?] = []
    private var places: [OperationID: Int] = [:]

    struct Part: Hashable, Sendable {
        /// Of the closings that stand, those that the authors had seen, ascending.
        let seen: [OperationID]
        let answers: Ballot<Answer>
    }

    /// The same on every node: ascending by what the authors had seen. O(parts · closings).
    var parts: [Part] {
        ballots.map { seen, answers in
            Part(
                seen: closings.indices.compactMap { seen.contains($0) ? closings[$0] : nil }.sorted(), answers: answers)
        }
        .sorted { $0.seen.lexicographicallyPrecedes($1.seen) }
    }

    /// What was answered, without what the authors had seen. O(parts).
    var all: [Ballot<Answer>] { Array(ballots.values) }

    /// Takes an answer if it stands above the participant's last that knew of the same closings. O(answers and closings).
    /// - Parameter closings: those that stand.
    mutating func give(_ answer: Answer?, by act: FoldedOperation, closings: [Written]) {
        var seen = PlaceSet()
        for closing in closings where act.hasSeen(closing.id) { seen.insert(place(of: closing.operation)) }
        ballots[seen, default: Ballot<Answer>()].say(answer, by: act.authored)
    }

    private mutating func place(of closing: OperationID) -> Int {
        if let place = places[closing] { return place }
        closings.append(closing)
        places[closing] = closings.count - 1
        return closings.count - 1
    }

    /// Forgets closings that no longer stand. O(closings), and O(answers · closings) where there are such.
    mutating func keep(_ standing: Set<OperationID>) {
        guard places.keys.contains(where: { !standing.contains($0) }) else { return }
        places = places.filter { standing.contains($0.key) }
        // Closings are renumbered once most of the numbers are of some that stand no more.
        let isSparse = places.count * 2 < closings.count
        let kept = isSparse ? closings.indices.filter { closings[$0].map { standing.contains($0) } ?? false } : []
        for place in closings.indices where closings[place].map({ !standing.contains($0) }) ?? false {
            closings[place] = nil
        }
        let present = PlaceSet(closings.indices.filter { closings[$0] != nil })
        let known = ballots
        ballots = [:]
        for (seen, answers) in known {
            var seen = seen.intersection(present)
            if isSparse { seen = PlaceSet(kept.indices.filter { seen.contains(kept[$0]) }) }
            guard let others = ballots[seen] else {
                ballots[seen] = answers
                continue
            }
            var both = others
            for entry in answers.entries { both.say(entry.word, by: entry.id) }
            ballots[seen] = both
        }
        guard isSparse else { return }
        closings = kept.map { closings[$0] }
        for (place, closing) in closings.enumerated() { if let closing { places[closing] = place } }
    }

    /// A participant's last answer; nil where they gave none, or took it back. O(parts · log answers).
    func last(of participant: ParticipantID) -> Answer? { Self.last(of: participant, in: ballots.values)?.word }

    /// What each participant answered, by participant. O(answers · parts · log answers).
    /// - Parameter standing: the closings that stand; none where the question is open.
    func given(standing: Set<OperationID>) -> [(participant: ParticipantID, answer: GivenAnswer)] {
        let late = PlaceSet(standing.compactMap { places[$0] }.sorted())
        let inTime = ballots.filter { $0.key.intersection(late).isEmpty }.values
        let participants = Set(ballots.values.flatMap { $0.entries.map(\.id.author) })
        return participants.sorted().compactMap { participant in
            let last = Self.last(of: participant, in: ballots.values)
            let counted = Self.last(of: participant, in: inTime)
            let late = last?.id == counted?.id ? nil : last?.word
            guard counted?.word != nil || late != nil else { return nil }
            return (participant, GivenAnswer(counted: counted?.word, late: late))
        }
    }

    /// Where the highest of all stands; nil where nobody answered.
    var touched: LamportTimestamp? { ballots.values.flatMap { $0.entries.map(\.id.stamp) }.max() }

    private static func last(
        of participant: ParticipantID, in ballots: some Sequence<Ballot<Answer>>
    ) -> Ballot<Answer>.Entry? {
        ballots.compactMap { $0[participant] }.max { $0.id < $1.id }
    }
}

/// Equal on all nodes: the places of closings are each node's own.
extension Answers: Hashable {
    static func == (left: Self, right: Self) -> Bool { left.parts == right.parts }

    func hash(into hasher: inout Hasher) { hasher.combine(ballots.count) }
}

/// Places of a list, a bit each.
private struct PlaceSet: Hashable, Sendable {
    /// The last is not 0.
    private var words: [UInt64] = []

    init() {}

    /// - Parameter places: ascending.
    init(_ places: [Int]) { for place in places { insert(place) } }

    var isEmpty: Bool { words.isEmpty }

    func contains(_ place: Int) -> Bool { place / 64 < words.count && words[place / 64] >> UInt64(place % 64) & 1 == 1 }

    mutating func insert(_ place: Int) {
        while words.count <= place / 64 { words.append(0) }
        words[place / 64] |= 1 << UInt64(place % 64)
    }

    func intersection(_ other: PlaceSet) -> PlaceSet {
        var common = PlaceSet()
        common.words = zip(words, other.words).map { $0 & $1 }
        while common.words.last == 0 { common.words.removeLast() }
        return common
    }
}
