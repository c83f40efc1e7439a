import Testing
import TripFixtures
import TripModel
import TripText

/// An item as a text that somebody edits.
struct EditableItemTests {
    private static let note = "# not a comment\n\\ nor that\n[title]\n\n  indented, and \\ in the middle\n[not a name]"

    private func item(_ fields: [Field: String] = [:]) throws -> ItemView {
        var world = World(participants: [0, 1])
        let cabin = try world.add(ItemDraft(title: "Cabin", fields: fields), on: 0)
        try world.syncAll()
        for (device, name) in ["Jie", "Noah"].enumerated() { try world.perform(.setName(name), on: device) }
        for (device, price) in ["€80", "€95"].enumerated() {
            try world.perform(.edit(cabin, [.price: price]), on: device)
        }
        try world.syncAll()
        return try #require(world.view(0).items.first)
    }

    @Test("every field has a block, and what else was proposed stands in a comment")
    func blocks() throws {
        let item = try item([.note: "one\ntwo"])
        let price = try #require(item.fields[.price])
        let text = EditableItem(item).text
        for field in Field.texts { #expect(text.contains("\n[\(field.name)]\n")) }
        #expect(text.contains("[note]\none\ntwo\n"))
        #expect(
            text.contains(
                "[price]\n\(price.value)\n# also proposed: \(price.alternatives[0].value) (\(price.alternatives[0].authorName))\n"
            ))
        #expect(text.hasPrefix("# Cabin\n"))
    }

    @Test("a text that was saved as it was, or emptied, changes nothing")
    func nothingChanged() throws {
        let item = try item([.note: Self.note, .place: "38.7,-9.1", .done: "true", .link: "https://example.org/#x"])
        let editable = EditableItem(item)
        #expect(try editable.edit(saved: editable.text) == nil)
        let otherwise = editable.text.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: "\r\n")
        #expect(try editable.edit(saved: otherwise) == nil, "with other line ends")
        #expect(try editable.edit(saved: "\u{FEFF}" + editable.text + "\n\n") == nil)
        for text in ["", "\n \n", "# nothing\n"] { #expect(try editable.edit(saved: text) == nil) }
    }

    @Test("what was changed is written, over all that the text showed")
    func changes() throws {
        let item = try item([.note: "old", .host: "Ana"])
        let price = try #require(item.fields[.price])
        let editable = EditableItem(item)
        var text = editable.text.replacing("[price]\n\(price.value)", with: "[price]\n€90")
        text = text.replacing("[note]\nold", with: "[ Note ]\n\nnew\n# a comment\n\n\\# lines\n\n")
        text = text.replacing("[host]\nAna", with: "[host]\n")
        text = text.replacing("[done]\n# yes or no\nno", with: "[done]\nYES")
        let edit = try #require(try editable.edit(saved: text))
        #expect(edit.fields == [.price: "€90", .note: "new\n\n# lines", .host: nil, .done: "true"])
        #expect(
            edit.shown == [
                .price: [price.value, price.alternatives[0].value], .note: ["old"], .host: ["Ana"], .done: [],
            ])
    }

    @Test("flags are yes or no, and a kind is one that people know, unless it stays as it is")
    func words() throws {
        let editable = EditableItem(try item([.chosen: "true", .itemKind: "castle"]))
        #expect(editable.text.contains("[chosen]\n# yes or no\nyes\n"))
        let edit = try editable.edit(saved: "[chosen]\nno\n[kind]\nPacking\n")
        #expect(edit?.fields == [.chosen: nil, .itemKind: "bring"])
        #expect(try editable.edit(saved: "[kind]\ncastle\n") == nil)
        for wrong in ["[chosen]\nmaybe\n", "[kind]\nhotel\n"] {
            #expect(throws: TripError.self) { try editable.edit(saved: wrong) }
        }
    }

    @Test("a field whose block was removed stays unchanged")
    func missingBlocks() throws {
        let editable = EditableItem(try item([.note: "old"]))
        let edit = try editable.edit(saved: "[title]\nHut\n")
        #expect(edit?.fields == [.title: "Hut"])
    }

    @Test("a text that cannot be understood is refused with its line")
    func wrong() throws {
        let editable = EditableItem(try item())
        for (text, part) in [
            ("hello\n", "line 1: “hello” is not under the name of a field"),
            ("[title]\nHut\n[prise]\n1", "line 3: there is no field “prise”"),
            ("[title]\nHut\n\n[TITLE]\nHat", "line 4: the field “title” appears twice; delete one of them"),
            ("[done]\nmaybe", "write yes or no"),
        ] {
            let error = #expect(throws: TripError.self) { try editable.edit(saved: text) }
            #expect(error?.message.contains(part) == true, "\(error?.message ?? "")")
        }
    }

    @Test("whatever a value holds, its text gives it back")
    func roundTrip() throws {
        var generator = SeededGenerator(seed: 1)
        let pieces = ["#", "\\", "[note]", "[", "]", "\n", " ", "a", "é", "民", "\t", "[title]\n", "\\#", "\u{202E}"]
        for _ in 0..<400 {
            let value = (0..<generator.below(12)).map { _ in generator.pick(pieces) }.joined()
            let note = TextClasses.trimmed(value)
            guard !note.isBlank, note != "old" else { continue }
            let other = EditableItem(try item([.note: note])).text
            let edit = try EditableItem(try item([.note: "old"])).edit(saved: other)
            #expect(edit?.fields == [.note: note], "\(note.debugDescription)")
        }
    }
}
