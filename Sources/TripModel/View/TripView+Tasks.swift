// Who is to do an item and by when, and whether they will: derived from its fields, its answers and its claims.
extension ItemView {
    package var due: DateSpan? { fields[.due].flatMap { DateSpan($0.value) } }

    /// Who is to do it. Of several who were given it at the same moment, the one who is shown.
    package var assignee: ParticipantID? { fields[.assignee].flatMap { ParticipantID($0.value) } }

    /// Whether the person who is to do it answered that they won't.
    package var isDeclined: Bool { assignee.map { attendance(of: $0) == .notGoing } ?? false }

    /// Whether somebody has to do it: it was given to them and they didn't decline, or they bring it; and it is not done.
    package func isTask(of person: ParticipantID) -> Bool {
        guard !isRemoved, !isDone else { return false }
        return assignee == person && !isDeclined || sayings.claims.contains { $0.participant == person }
    }

    /// Whether its day, or its time on that day, is over and it is not done.
    /// - Parameters:
    ///   - minute: by the reader's clock, after the midnight that began `day`.
    ///   - minutesSince1970: the same moment, in UTC.
    package func isOverdue(on day: Day, minute: Int, minutesSince1970: Int) -> Bool {
        guard let due, !isDone, !isRemoved else { return false }
        if let moment = due.minutesSince1970 { return moment < minutesSince1970 }
        guard due.arrival == day else { return due.arrival < day }
        return due.time.map { $0.minute < minute } ?? false
    }
}

extension Group {
    /// What to call somebody who is or was in the trip.
    package func name(of person: ParticipantID) -> String {
        (members.first { $0.id == person } ?? gone.first { $0.id == person })?.displayName ?? DisplayNames.unnamed
    }

    /// Who is to do an item and by when, in words: "for Noah, by 3 June 2026", "by 3 June 2026",
    /// "Noah declined, anybody can take it". Nil where nobody said.
    ///
    /// - Parameter you: the reader, where they are called "you".
    package func task(
        of item: ItemView, for you: ParticipantID? = nil, isOverdue: Bool = false, in year: Int? = nil
    ) -> String? {
        let due = item.due.map { (isOverdue ? "was due " : "by ") + $0.words(in: year) }
        guard let person = item.assignee else { return due }
        let who = vacancy(of: item, for: you) ?? "for \(person == you ? "you" : name(of: person))"
        return [who, due].compactMap(\.self).joined(separator: ", ")
    }

    /// Why anybody can take what was given to somebody: "Noah declined, anybody can take it". Nil where that person is to do it.
    package func vacancy(of item: ItemView, for you: ParticipantID? = nil) -> String? {
        guard let person = item.assignee else { return nil }
        guard members.contains(where: { $0.id == person }) else {
            return "\(name(of: person)) is no longer in the trip, anybody can take it"
        }
        return item.isDeclined ? "\(person == you ? "you" : name(of: person)) declined, anybody can take it" : nil
    }
}

extension TripView {
    /// The trip with the names of those who are to do things in place of their ids, for files. O(n).
    package var namingAssignees: TripView {
        let group = group
        var trip = self
        for place in items.indices {
            guard let field = items[place].fields[.assignee] else { continue }
            let named = ([field.shown] + field.alternatives).map { proposal in
                Proposal(
                    value: Field.assignee.words(of: proposal.value, group.name), author: proposal.author,
                    authorName: proposal.authorName)
            }
            trip.items[place].fields[.assignee] = FieldView(shown: named[0], alternatives: Array(named.dropFirst()))
        }
        return trip
    }
}
