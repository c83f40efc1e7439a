package import TripModel

/// A note as a text file, to be written in an editor or by a script.
package struct EditableNote: Sendable {
    /// The most bytes of a text that is read: as many as a note has that people read.
    package static let bytesMax = Limits.noteShown * Limits.bytesPerCharacter

    /// What its writer is shown, on which what they write is based.
    package let shown: String

    package init(_ note: FieldView?) { shown = note?.value ?? "" }

    /// The file: it ends with a line end, as editors leave it.
    package var text: String { shown.isEmpty ? "" : shown + "\n" }

    /// The note that somebody made of it, empty where they cleared it; nil where it says what it said.
    package func edit(saved text: String) -> String? {
        let new = Self.note(in: text)
        return new.utf8.elementsEqual(shown.utf8) ? nil : new
    }

    /// A file's text as a note is kept: without what editors put at its beginning and its ends.
    package static func note(in text: String) -> String {
        var text = text[...]
        if text.unicodeScalars.first == "\u{FEFF}" { text = text.dropFirst() }
        return TextClasses.trimmed(String(text).replacing("\r\n", with: "\n"))
    }
}
