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
    /// place and the time of the first. What others write in notes meanwhile stands between them, and nothing else does. A row
    /// ends where somebody else deletes words of it.
    ///
    /// Complexity: O(n).
    package func joiningNotes() -> [HistoryEntry] {
        var joined: [HistoryEntry] = []
        // Where what each person writes in a note stands, and their last entry.
        var rows: [NoteAuthor: (place: Int, last: HistoryEntry)] = [:]
        // The last deletion in each note.
        var deletions: [ItemID?: HistoryEntry] = [:]
        for entry in self {
            guard let writer = entry.noteAuthor else {
                (rows, deletions) = ([:], [:])
                joined.append(entry)
                continue
            }
            if let (place, last) = rows[writer], entry.isWithin(NoteAuthor.span, of: joined[place].wallTime),
                deletions[writer.item].map({ $0.stamp > last.stamp && $0.deletes(wordsOf: joined[place]) }) != true,
                let both = joined[place]
                    .joined(with: entry, isTyping: entry.isWithin(NoteAuthor.pause, of: last.wallTime))
            {
                joined[place] = both
                rows[writer] = (place, entry)
            } else {
                rows[writer] = (joined.count, entry)
                joined.append(entry)
            }
            if entry.noteWords?.removed.isEmpty == false { deletions[writer.item] = entry }
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

    /// What came and what went in the note.
    fileprivate var noteWords: NoteWords? {
        switch events[0] {
        case .noted(let added, let removed), .item(_, _, .noted(let added, let removed), _):
            NoteWords(added: added, removed: removed)
        default: nil
        }
    }

    /// Whether this deleted words that somebody else wrote.
    fileprivate func deletes(wordsOf other: HistoryEntry) -> Bool {
        guard participant != other.participant, let words = noteWords, let others = other.noteWords else {
            return false
        }
        return others.replacing(words.removed, with: "") != nil
    }

    /// This entry and the next one of the same writer in the same note as one; nil where that brought an item back.
    fileprivate func joined(with next: HistoryEntry, isTyping: Bool) -> HistoryEntry? {
        guard let words = noteWords, let more = next.noteWords else { return nil }
        let both = words.joined(with: more.added, more.removed, isTyping: isTyping)
        let event: HistoryEvent
        switch (events[0], next.events[0]) {
        case (.noted, .noted): event = .noted(added: both.added, removed: both.removed)
        case (.item(let id, let title, _, let broughtBack), .item(_, _, _, false)):
            event = .item(
                id: id, title: title, event: .noted(added: both.added, removed: both.removed), broughtBack: broughtBack)
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
        let isAtEnd = isTyping && !less.isEmpty && added.hasSuffix(less)
        if let changed = isAtEnd && more.isEmpty ? nil : replacing(less, with: more) {
            joined.added = changed
        } else if isAtEnd {
            joined.added.removeLast(less.count)
            joined.added += more
        } else if isTyping, more.isEmpty || less.isEmpty {
            joined.added += more
            joined.removed = less + removed
        } else {
            return NoteWords(added: Self.told([added, more]), removed: Self.told([removed, less]))
        }
        return NoteWords(added: Self.cut(joined.added), removed: Self.cut(joined.removed))
    }

    /// What came, with other words in place of some of it: of several places each with its own. Nil where a place is not found once,
    /// where the next one is not behind it, or where only some of the places have other words: nobody knows which.
    func replacing(_ less: String, with more: String) -> String? {
        let gone = Self.parts(less)
        let come = more.isEmpty ? gone.map { _ in "" } : Self.parts(more)
        guard !gone.isEmpty, gone.count == come.count else { return nil }
        var (changed, rest) = ("", added.startIndex)
        for (gone, come) in zip(gone, come) {
            // What was only deleted may be a part of a word.
            guard let place = place(of: gone, isWhole: !come.isEmpty), rest <= place.lowerBound else { return nil }
            changed += added[rest..<place.lowerBound]
            changed += come
            rest = place.upperBound
        }
        return changed + added[rest...]
    }

    /// Where whole words are among those that came; nil where they are not, or not once.
    /// - Parameter isWhole: whether only whole words count.
    private func place(of words: String, isWhole: Bool) -> Range<String.Index>? {
        let isEdge = { (scalar: Unicode.Scalar?) in scalar.map(TextClasses.isSpace) ?? true }
        let isApart = { (place: Range<String.Index>) in
            (isEdge(words.unicodeScalars.first) || isEdge(added[..<place.lowerBound].unicodeScalars.last))
                && (isEdge(words.unicodeScalars.last) || isEdge(added[place.upperBound...].unicodeScalars.first))
        }
        let found = words.isEmpty ? [] : added.ranges(of: words)
        let places = isWhole ? found.filter(isApart) : found
        return places.count == 1 && isApart(places[0]) ? places[0] : nil
    }

    /// The places that a change tells of.
    private static func parts(_ told: String) -> [String] { told.split(separator: separator).map(String.init) }

    private static let separator = " … "

    /// As a change tells of several places.
    private static func told(_ parts: [String]) -> String {
        cut(parts.filter { !$0.isEmpty }.joined(separator: separator))
    }

    private static func cut(_ text: String) -> String { String(text.unicodeScalars.prefix(Limits.noteTold)) }
}
