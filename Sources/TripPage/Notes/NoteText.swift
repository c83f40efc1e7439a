package import TripModel

/// Which note: that of the trip as a whole, or of an item by its short id.
package enum NoteName: Hashable, Sendable {
    case trip
    case item(String)

    /// The id of its box.
    package var id: String {
        switch self {
        case .trip: "trip-note"
        case .item(let item): "note-" + item
        }
    }

    /// The fragment that holds its box.
    package var fragment: String { id + "-box" }
}

/// A note that a page shows in a box to write in.
package struct NoteText: Hashable, Sendable {
    package let name: NoteName
    package let text: String
    /// By which a page says to which text an edit was made: equal for equal bytes, on every node.
    package let mark: String

    /// O(bytes).
    package init(_ name: NoteName, _ text: String) {
        self.name = name
        self.text = text
        mark = FNV1a.digits(FNV1a.hash(text.utf8))
    }
}

/// Somebody who writes in a note.
package struct NoteWriter: Hashable, Sendable {
    package let note: NoteName
    package let participant: ParticipantID
    /// Where their caret is in the text, in UTF-16 units; nil where that isn't known.
    package let offset: Int?

    package init(note: NoteName, participant: ParticipantID, offset: Int?) {
        self.note = note
        self.participant = participant
        self.offset = offset
    }
}

extension PageState {
    /// The notes that this page has boxes of: everybody who can do anything writes in them, guests too.
    var noteTexts: [NoteText] {
        guard mayVote else { return [] }
        var notes: [NoteText] = []
        if query.view == .notes { notes.append(NoteText(.trip, trip.note?.value ?? "")) }
        if let open = query.open, let item = trip.items.first(where: { $0.shortID == open }) {
            notes.append(NoteText(item))
        }
        return notes
    }

    /// Whether an open card has a box for its note.
    func mayWriteNote(of item: ItemView) -> Bool { mayVote && !item.isRemoved }
}

extension NoteText {
    /// The number of the line that a place is in, the first being 1. O(offset).
    func line(at offset: Int) -> Int { 1 + text.utf16.prefix(offset).count { $0 == 0x0A } }

    /// The note of an item.
    package init(_ item: ItemView) { self.init(.item(item.shortID), item.fields[.note]?.value ?? "") }
}
