import Testing
import TripFixtures
import TripModel

@testable import TripText

struct EditableNoteTests {
    private func note(_ text: String?) throws -> EditableNote {
        var world = World(participants: [0])
        if let text { try world.perform(.editNote(text), on: 0) }
        return EditableNote(world.view(0).note)
    }

    @Test("the file is the note with a line end, and what editors put around a text is no change")
    func unchanged() throws {
        let note = try note("By the river\n\nTwo bathrooms")
        #expect(note.text == "By the river\n\nTwo bathrooms\n" && note.shown == "By the river\n\nTwo bathrooms")
        for saved in [note.text, note.shown, "\u{FEFF}By the river\r\n\r\nTwo bathrooms\r\n", "\n\(note.text)\n\n"] {
            #expect(note.edit(saved: saved) == nil, "\(saved.debugDescription)")
        }
        let empty = try self.note(nil)
        #expect(empty.text.isEmpty && empty.edit(saved: "") == nil && empty.edit(saved: " \n") == nil)
    }

    @Test("what differs is the whole new note, and no text clears it")
    func changed() throws {
        let note = try note("By the river")
        #expect(note.edit(saved: "By the Tejo\n\tquiet\n") == "By the Tejo\n\tquiet")
        #expect(note.edit(saved: "\n") == "")
        // Equal to read, and others' letters.
        #expect(try self.note("é").edit(saved: "e\u{301}") == "e\u{301}")
    }

    @Test("the line of a trip's note is its first, cut to the window")
    func line() {
        #expect(TerminalText.noteLine("Bus 28") == "Note of the trip: Bus 28")
        #expect(TerminalText.noteLine("Bus\u{1B} 28\nat nine") == "Note of the trip: Bus  28 …")
        let long = String(repeating: "word ", count: 100)
        #expect(TerminalText.noteLine(long, style: TextStyle(width: 60)).count == 60)
        #expect(TerminalText.noteLine(long).count == 201)
    }
}
