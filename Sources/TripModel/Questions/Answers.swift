import DeltaCRDT

/// The answers to one question: of each participant the last, and the last before each standing closing that they knew of. So what
/// somebody says later does not take away what they said in time.
///
/// Whether an answer is late, its past alone decides, not a clock: it is late if the closing is in its past. What something
/// replaced never stands again, so closings that don't stand are forgotten, and so are the answers that only they kept apart.
struct Answers: Hashable, Sendable {
    struct Entry: Hashable, Sendable {
        let cause: Cause
        let index: OperationIndex
        /// Nil where it was taken back.
        let answer: Answer?
        /// Of the closings that stand, those that its author had seen, ascending.
        fileprivate(set) var seen: [OperationID]

        var operation: OperationID { cause.operation(index) }

        fileprivate func stands(above other: Entry) -> Bool {
            TripModel.stands(cause, index, above: other.cause, other.index)
        }
    }

    /// Ascending by participant, and by what they had seen: one each.
    private(set) var entries: [Entry] = []

    /// Takes an answer if it stands above the participant's last that knew of the same closings. O(answers and closings).
    /// - Parameter closings: those that stand.
    mutating func give(
        _ answer: Answer?, by change: FoldedChange, at index: OperationIndex, closings: [Written]
    ) {
        let seen = closings.filter { change.hasSeen($0.place) }.map(\.operation).sorted()
        take(Entry(cause: change.cause, index: index, answer: answer, seen: seen))
    }

    /// Forgets closings that no longer stand. O(answers and closings).
    mutating func keep(_ standing: Set<OperationID>) {
        guard entries.contains(where: { !standing.isSuperset(of: $0.seen) }) else { return }
        let known = entries
        entries = []
        for var entry in known {
            entry.seen.removeAll { !standing.contains($0) }
            take(entry)
        }
    }

    private mutating func take(_ new: Entry) {
        let key = (new.cause.participant, new.seen)
        let place = entries.partitioningIndex { !Self.precedes(($0.cause.participant, $0.seen), key) }
        guard place < entries.count, entries[place].cause.participant == key.0, entries[place].seen == key.1 else {
            return entries.insert(new, at: place)
        }
        if new.stands(above: entries[place]) { entries[place] = new }
    }

    private static func precedes(
        _ one: (ParticipantID, [OperationID]), _ other: (ParticipantID, [OperationID])
    ) -> Bool {
        one.0 != other.0 ? one.0 < other.0 : one.1.lexicographicallyPrecedes(other.1)
    }

    /// A participant's last answer; nil where they gave none, or took it back. O(answers).
    func last(of participant: ParticipantID) -> Answer? {
        Self.highest(of: entries.filter { $0.cause.participant == participant })?.answer
    }

    /// What each participant answered, by participant.
    /// - Parameter standing: the closings that stand; none where the question is open.
    func given(standing: Set<OperationID>) -> [(participant: ParticipantID, answer: GivenAnswer)] {
        entries.chunked { $0.cause.participant == $1.cause.participant }.compactMap { entries in
            let last = Self.highest(of: entries)
            let counted = Self.highest(of: entries.filter { standing.isDisjoint(with: $0.seen) })
            let late = last?.operation == counted?.operation ? nil : last?.answer
            guard counted?.answer != nil || late != nil else { return nil }
            return (entries[entries.startIndex].cause.participant, GivenAnswer(counted: counted?.answer, late: late))
        }
    }

    /// Where the highest of all stands; nil where nobody answered.
    var touched: Stamp? { entries.map(\.cause.stamp).max() }

    private static func highest(of entries: some Collection<Entry>) -> Entry? {
        entries.reduce(nil) { highest, entry in
            highest.map { entry.stands(above: $0) ? entry : $0 } ?? entry
        }
    }
}

extension Array {
    /// Its parts, each as long as neighbours belong together.
    fileprivate func chunked(_ belong: (Element, Element) -> Bool) -> [ArraySlice<Element>] {
        var chunks: [ArraySlice<Element>] = []
        var start = startIndex
        for index in indices.dropFirst() where !belong(self[index - 1], self[index]) {
            chunks.append(self[start..<index])
            start = index
        }
        if start < endIndex { chunks.append(self[start...]) }
        return chunks
    }
}
