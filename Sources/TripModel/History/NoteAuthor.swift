/// Who wrote, and in which note. Live typing makes a change every half second, of which people are told as of one.
package struct NoteAuthor: Hashable, Sendable {
    package let participant: ParticipantID
    /// Nil for the note of the trip.
    package let item: ItemID?

    package init(participant: ParticipantID, item: ItemID?) {
        self.participant = participant
        self.item = item
    }

    /// How long after the first of them the changes of one person to one note are told as one, in milliseconds.
    package static let span: Int64 = 600_000
    /// What follows within so long is the same typing, in milliseconds.
    static let pause: Int64 = 3_000
}

extension HistoryEvent {
    /// In which note a person wrote, where that is what they did.
    package func noteAuthor(_ participant: ParticipantID) -> NoteAuthor? {
        switch self {
        case .noted: NoteAuthor(participant: participant, item: nil)
        case .item(let id, _, .noted, _): NoteAuthor(participant: participant, item: id)
        default: nil
        }
    }
}

extension HistoryEntry {
    /// Who wrote in which note, where the change did nothing else.
    package var noteAuthor: NoteAuthor? { events.count == 1 ? events[0].noteAuthor(participant) : nil }
}

extension Sequence<HistoryEntry> {
    /// The entries, where each row of changes that one person made to one note within `NoteAuthor.span` is one entry, at the
    /// place and the time of the first. What others write in notes meanwhile stands between them, and nothing else does.
    ///
    /// Complexity: O(n).
    package func joiningNotes() -> [HistoryEntry] {
        var joined: [HistoryEntry] = []
        // Where what each person writes in a note stands, and when they wrote last.
        var rows: [NoteAuthor: (place: Int, last: Int64)] = [:]
        for entry in self {
            guard let writer = entry.noteAuthor else {
                rows = [:]
                joined.append(entry)
                continue
            }
            if let (place, last) = rows[writer], entry.isWithin(NoteAuthor.span, of: joined[place].wallTime),
                let both = joined[place].joined(with: entry, isTyping: entry.isWithin(NoteAuthor.pause, of: last))
            {
                joined[place] = both
                rows[writer] = (place, entry.wallTime)
            } else {
                rows[writer] = (joined.count, entry.wallTime)
                joined.append(entry)
            }
        }
        return joined
    }
}

extension HistoryEntry {
    /// The author's clock says both times, whatever they are.
    fileprivate func isWithin(_ span: Int64, of time: Int64) -> Bool {
        let (distance, isOverflow) = wallTime.subtractingReportingOverflow(time)
        return !isOverflow && distance.magnitude < UInt64(span)
    }

    /// This entry and the next one of the same writer in the same note as one; nil where that brought an item back.
    fileprivate func joined(with next: HistoryEntry, isTyping: Bool) -> HistoryEntry? {
        var event = events[0]
        switch (event, next.events[0]) {
        case (.noted(let added, let removed), .noted(let more, let less)):
            let words = NoteWords(added: added, removed: removed).joined(with: more, less, isTyping: isTyping)
            event = .noted(added: words.added, removed: words.removed)
        case (
            .item(let id, let title, .noted(let added, let removed), let broughtBack),
            .item(_, _, .noted(let more, let less), false)
        ):
            let words = NoteWords(added: added, removed: removed).joined(with: more, less, isTyping: isTyping)
            event = .item(
                id: id, title: title, event: .noted(added: words.added, removed: words.removed),
                broughtBack: broughtBack)
        default: return nil
        }
        return HistoryEntry(participant: participant, stamp: stamp, wallTime: wallTime, events: [event])
    }
}

/// What came and what went in a note.
private struct NoteWords {
    var added: String
    var removed: String

    /// Words that came and then gave way to others are told as they are in the end.
    /// - Parameter isTyping: whether what follows goes on where this ends, as far as anybody knows: then letters that were typed and
    ///   deleted at once are not told.
    func joined(with more: String, _ less: String, isTyping: Bool) -> NoteWords {
        var joined = self
        if isTyping, !less.isEmpty, added.hasSuffix(less) {
            joined.added.removeLast(less.count)
            joined.added += more
        } else if let place = place(of: less) {
            joined.added.replaceSubrange(place, with: more)
        } else if isTyping, more.isEmpty || less.isEmpty {
            joined.added += more
            joined.removed = less + removed
        } else {
            return NoteWords(added: Self.told([added, more]), removed: Self.told([removed, less]))
        }
        return NoteWords(added: Self.cut(joined.added), removed: Self.cut(joined.removed))
    }

    /// Where whole words are among those that came; nil where they are not, or not once.
    private func place(of words: String) -> Range<String.Index>? {
        let places = words.isEmpty ? [] : added.ranges(of: words)
        guard places.count == 1 else { return nil }
        let isEdge = { (scalar: Unicode.Scalar?) in scalar.map(TextClasses.isSpace) ?? true }
        guard isEdge(words.unicodeScalars.first) || isEdge(added[..<places[0].lowerBound].unicodeScalars.last),
            isEdge(words.unicodeScalars.last) || isEdge(added[places[0].upperBound...].unicodeScalars.first)
        else { return nil }
        return places[0]
    }

    /// As a change tells of several places.
    private static func told(_ parts: [String]) -> String {
        cut(parts.filter { !$0.isEmpty }.joined(separator: " … "))
    }

    private static func cut(_ text: String) -> String { String(text.unicodeScalars.prefix(Limits.noteTold)) }
}
