import TripModel

extension TripPage {
    /// A note in a box that everybody writes in at once: the script keeps it up to date, and without it there is a button that saves.
    ///
    /// Its text, its other writers and its links are fragments of their own, so typing redraws nothing else.
    ///
    /// - Parameter isHeaded: whether a heading names it already.
    static func noteBox(
        _ note: NoteText, label: String, placeholder: String, isHeaded: Bool = false, state: PageState
    ) -> HTML {
        let (id, back) = (note.name.id, state.query.text)
        return tag(.div, .class("live-note")) {
            tag(
                .form, .class("note-form"), .plain(.method, "post"),
                .action(PagePath(["t", state.tripID, "note"], part: state.part))
            ) {
                if case .item(let item) = note.name { hidden("item", item) }
                if !back.isEmpty { hidden("back", back) }
                tag(.label, .plain(.for, id), isHeaded ? .class("unseen") : nil) { label }
                HTML.part(
                    id: note.name.fragment,
                    tag(.div, .id(note.name.fragment), .class("note-box")) {
                        tag(
                            .textarea, .id(id), .plain(.name, "note"), .plain(.rows, isHeaded ? 8 : 2),
                            .plain(.placeholder, placeholder), .plain(.autocomplete, "off"), .plain(.dir, "auto"),
                            .aria(.describedby, id + "-state"), .data(.mark, "note"), .data(.shown, note.mark)
                        ) { note.text }
                        hidden("shown", note.text)
                    })
                tag(.p, .id(id + "-state"), .class("note-state"), .data(.mark, "note-state"), .aria(.live, "polite"))
                tag(.button, .class("button", "note-save"), .plain(.type, "submit")) { "Save" }
            }
            noteWriters(note, state)
            noteLinks(note, state)
        }
    }

    private static let writersMax = 5

    /// Who else writes, and where: the script draws their carets into the box. A caret that moves is not read aloud.
    private static func noteWriters(_ note: NoteText, _ state: PageState) -> HTML {
        let id = note.name.id + "-who"
        let others = state.writers.filter { $0.note == note.name && $0.participant != state.viewer.participant }
        return .part(
            id: id,
            tag(.div, .id(id), .class("note-who"), .aria(.live, "polite")) {
                for writer in others.prefix(writersMax) {
                    let name = state.trip.displayName(of: writer.participant)
                    tag(.p, writer.offset.map { .data(.at, String($0)) }) {
                        avatar(writer.participant, name: name, isDecoration: true)
                        tag(.span) {
                            tag(.span, .plain(.dir, "auto")) { name }
                            " is writing"
                        }
                        if let offset = writer.offset {
                            tag(.span, .class("facts"), .aria(.hidden, "true")) { "line \(note.line(at: offset))" }
                        }
                    }
                }
            })
    }

    /// The links in the text, which a box can't show as such.
    private static func noteLinks(_ note: NoteText, _ state: PageState) -> HTML {
        let id = note.name.id + "-links"
        return .part(
            id: id,
            tag(.p, .id(id), .class("note-links")) {
                for link in links(in: note.text, mayJoin: state.mayJoin) {
                    link
                    " "
                }
            })
    }

    // MARK: - The note of the trip

    static func notesView(_ state: PageState) -> HTML {
        tag(.section, .class("view", "notes"), .aria(.labelledby, "notes-title")) {
            tag(.h2, .id("notes-title")) { "Notes on the trip" }
            if state.mayVote {
                tag(.p, .class("hint")) {
                    "Everybody in the trip can write here at the same time, guests too. It’s saved as you type."
                }
                noteBox(
                    NoteText(.trip, state.trip.note?.value ?? ""), label: "Notes on the trip",
                    placeholder: "Flights, door codes, what everybody should know", isHeaded: true, state: state)
            } else if let note = state.trip.note {
                tag(.p, .class("prose"), .plain(.dir, "auto")) { prose(note.value, mayJoin: state.mayJoin) }
            } else {
                tag(.p, .class("hint")) { "Nobody has written anything here." }
            }
        }
    }

    /// What stands above the cards of a trip that has a note: how it begins. Guests, who have no menu, find the note by it.
    static func notesBar(_ state: PageState) -> HTML? {
        let text = state.trip.note?.value
        guard text != nil || state.viewer.isGuest && state.mayVote else { return nil }
        return tag(.div, .class("news-bar")) {
            tag(.p, .class("hint"), .plain(.dir, "auto")) {
                text.map { $0.displayed(limit: 80) } ?? "Nobody has written notes on the trip yet."
            }
            tag(.a, .class("text"), .href(address(.notes, state: state))) { "Notes" }
        }
    }
}
