import TripPage

/// What a page sends of a note: where its reader writes in it, what they wrote, or both.
struct NoteForm: Sendable {
    enum Edit: Sendable {
        /// The whole text, and the one that was shown: of a page without script.
        case whole(String, shown: String)
        /// A piece of a text that was shown before, named by its mark: `out` UTF-16 units from `start` on become `text`.
        case piece(of: String, start: Int, out: Int, text: String)

        /// The bytes that it brings at most.
        var size: Int {
            switch self {
            case .whole(let text, _), .piece(_, _, _, let text): text.utf8.count
            }
        }
    }

    let name: NoteName
    /// The page's stream; nil for a page without script.
    let stream: String?
    /// The line of the caret, the first being 1; 0 for a page whose reader left the note.
    let line: Int?
    let edit: Edit?

    static let lineMax = 1_000_000

    /// Nil for what no page sends.
    init?(_ form: FormFields) {
        name = form["item"].map { NoteName.item($0) } ?? .trip
        stream = form["stream"]
        line = form["line"].flatMap { Int($0) }.flatMap { (0...Self.lineMax).contains($0) ? $0 : nil }
        if let text = form["note"] {
            edit = .whole(text, shown: form["shown"] ?? "")
        } else if let base = form["base"] {
            guard let start = form["at"].flatMap({ Int($0) }), let out = form["out"].flatMap({ Int($0) }),
                let text = form["added"]
            else { return nil }
            edit = .piece(of: base, start: start, out: out, text: text)
        } else {
            edit = nil
        }
        guard edit != nil || line != nil else { return nil }
    }
}
