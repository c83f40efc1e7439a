import TripPage

/// What a page sends of a note: where its reader writes in it, what they wrote, or both.
struct NoteForm: Sendable {
    enum Edit: Sendable {
        /// The whole text, and the one that was shown: of a page without script.
        case whole(String, shown: String)
        /// A piece of the text that was shown before: `out` UTF-16 units from `start` on become `text`.
        case piece(start: Int, out: Int, text: String)

        /// The bytes that it brings at most.
        var size: Int {
            switch self {
            case .whole(let text, _), .piece(_, _, let text): text.utf8.count
            }
        }
    }

    /// Where the reader's caret is.
    enum Caret: Sendable {
        /// In UTF-16 units of the text that the edit makes; without an edit, of the one that was shown before.
        case at(Int)
        /// They left the note.
        case gone
    }

    let name: NoteName
    /// The page's stream; nil for a page without script.
    let stream: String?
    /// The mark of the text that was shown before; empty for a page without script.
    let base: String
    let caret: Caret?
    let edit: Edit?

    /// Nil for what no page sends.
    init?(_ form: PostedFields) {
        name = form["item"].map { NoteName.item($0) } ?? .trip
        stream = form["stream"]
        base = form["base"] ?? ""
        caret = form["caret"].flatMap { text in
            text == "gone" ? .gone : Int(text).flatMap { $0 < 0 ? nil : .at($0) }
        }
        if let text = form["note"] {
            edit = .whole(text, shown: form["shown"] ?? "")
        } else if let text = form["added"] {
            guard let start = form["at"].flatMap({ Int($0) }), let out = form["out"].flatMap({ Int($0) }) else {
                return nil
            }
            edit = .piece(start: start, out: out, text: text)
        } else {
            edit = nil
        }
        guard edit != nil || caret != nil else { return nil }
    }
}
