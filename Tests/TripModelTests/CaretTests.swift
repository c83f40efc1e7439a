import Testing
import TripFixtures

@testable import TripModel

/// Where people write in notes, while others edit them.
struct CaretTests {
    /// Two who write in the note of their trip, and where the caret of one is for both.
    private struct Trip {
        var world = World(participants: [0, 1])

        init() {}

        init(_ text: String) throws {
            try world.perform(.editNote(text), on: 0)
            try world.syncAll()
        }

        func live(_ device: Int) -> LiveTrip { LiveTrip(world.nodes[device].replica) }

        func shown(_ device: Int) -> String {
            var live = live(device)
            return live.note?.value ?? ""
        }

        /// The caret of the first before some words of the text as it is shown to them.
        func caret(before words: String) throws -> Caret {
            let text = shown(0)
            let start = try #require(text.firstRange(of: words)).lowerBound
            return try #require(
                live(0).caret(in: nil, at: text.utf16.distance(from: text.startIndex, to: start), of: text))
        }

        /// The second makes another text of what they are shown.
        mutating func edit(_ text: String) throws { try world.perform(.editNote(text, shown: shown(1)), on: 1) }

        /// What comes after it in the text that the second is shown.
        func after(_ caret: Caret) -> String? {
            let text = shown(1)
            return live(1).offset(of: caret).map { String(decoding: text.utf16.dropFirst($0), as: UTF16.self) }
        }
    }

    @Test("a caret stays with its character when others insert before it and remove around it")
    func follows() throws {
        var trip = try Trip("roof 🏡 terrace\nbreakfast")
        let caret = try trip.caret(before: "terrace")
        #expect(trip.after(caret) == "terrace\nbreakfast")
        try trip.edit("👩‍👩‍👧 roof 🏡 terrace\nlate breakfast")
        #expect(trip.after(caret) == "terrace\nlate breakfast")
        // What it stands behind goes.
        try trip.edit("👩‍👩‍👧 terrace\nlate breakfast")
        #expect(trip.after(caret) == "terrace\nlate breakfast")
        try trip.edit("late breakfast")
        #expect(trip.after(caret) == "late breakfast")
        try trip.edit("")
        #expect(trip.after(caret) == "")
    }

    @Test("a caret at the beginning stays there, and one at the end goes on with its own writer's words alone")
    func ends() throws {
        var trip = try Trip("one")
        let first = try trip.caret(before: "one")
        #expect(first.element == nil && trip.after(first) == "one")
        let end = try #require(trip.live(0).caret(in: nil, at: 99, of: "one"))
        #expect(trip.after(end) == "")
        try trip.edit("one two")
        try trip.edit("zero one two")
        #expect(trip.after(first) == "zero one two" && trip.after(end) == " two")
    }

    @Test("of a text that was shown before, a caret is where others' edits since left it")
    func shownBefore() throws {
        let trip = try Trip("zero one two")
        let place = { (text: String, offset: Int) -> String? in
            trip.live(0).caret(in: nil, at: offset, of: text).flatMap { trip.after($0) }
        }
        #expect(place("one two", 4) == "two" && place("one two", 0) == "zero one two")
        #expect(place("zero one and two", 13) == "two", "what it was behind is gone")
        #expect(place("zero one and two", 11) == "two", "it was within what is gone")
        #expect(place("", 0) == "zero one two" && place("zero one two", -1) == "zero one two")
    }

    @Test("offsets count in UTF-16, cut no pair, and leave out white space at the ends that isn't shown")
    func units() throws {
        var trip = try Trip("🏡🏠")
        let inside = try #require(trip.live(0).caret(in: nil, at: 3, of: "🏡🏠"))
        #expect(trip.live(1).offset(of: inside) == 2)
        trip = Trip()
        let edit = NoteEdit(insertions: [.init(place: .beginning, text: Text(" \n one "))], removals: [])
        try trip.world.write(TripContent.encode([.editNote(edit)]), on: 0)
        try trip.world.syncAll()
        let live = trip.live(1)
        let text = trip.shown(1)
        #expect(text == "one")
        for offset in 0...text.utf16.count {
            let caret = try #require(trip.live(0).caret(in: nil, at: offset, of: text))
            #expect(live.offset(of: caret) == offset)
        }
    }

    @Test("a caret in an item's note says which, and one in an item that is not here leads nowhere")
    func items() throws {
        var world = World(participants: [0, 1])
        let item = try world.add(ItemDraft(title: "Casa", fields: [.note: "roof terrace"]), on: 0)
        let caret = try #require(LiveTrip(world.nodes[0].replica).caret(in: item, at: 5, of: "roof terrace"))
        #expect(caret.item == item && LiveTrip(world.nodes[0].replica).offset(of: caret) == 5)
        #expect(LiveTrip(world.nodes[1].replica).offset(of: caret) == nil)
        #expect(LiveTrip(world.nodes[1].replica).caret(in: item, at: 5, of: "roof terrace") == nil)
        let edit = try world.perform(
            .edit(item, [.note: "Large roof terrace"], shown: [.note: ["roof terrace"]]), on: 0)
        #expect(LiveTrip(world.nodes[0].replica).offset(of: caret) == 11)
        // What was typed since isn't there yet.
        let later = try #require(LiveTrip(world.nodes[0].replica).caret(in: item, at: 3, of: "Large roof terrace"))
        world.take(0, on: 1)
        #expect(LiveTrip(world.nodes[1].replica).offset(of: later) == nil)
        world.take(edit, on: 1)
        #expect(LiveTrip(world.nodes[1].replica).offset(of: later) == 3)
    }

    @Test("a caret reads back as it was written, with more bytes at its end too, and nothing else is one")
    func coding() {
        let operation = OperationID(change: ChangeHash(words: (1, 2, 3, 4)), index: 9_999)
        let element = NoteEdit.Element(operation: .there(operation), number: 99_999)
        for item in [nil, ItemID(operation: operation)] {
            for element in [nil, element] {
                let caret = Caret(item: item, element: element)
                #expect(Caret(caret.bytes) == caret && Caret(caret.bytes + [7, 7]) == caret)
                for count in caret.bytes.indices { #expect(Caret(Array(caret.bytes.prefix(count))) == nil) }
            }
        }
        #expect(Caret(item: ItemID(operation: operation), element: element).bytes.count <= 80)
        let hash = [UInt8](repeating: 1, count: 32)
        // A flag, an item of no change, a number that no note has.
        for bytes in [[2], [1, 0, 0], [0, 1, 1] + hash + [0, 0xA0, 0x8D, 0x06]] { #expect(Caret(bytes) == nil) }
    }

    @Test("carets of several notes, asked for at once, are each where it is alone")
    func several() throws {
        var world = World(participants: [0])
        let item = try world.add(ItemDraft(title: "Casa", fields: [.note: "roof terrace 🏡"]), on: 0)
        let other = try world.add(ItemDraft(title: "Boat"), on: 0)
        for text in ["one", "one 🏡 two", "\(String(repeating: "é", count: 300)) two"] {
            try world.perform(.editNote(text, shown: world.view(0).note?.value ?? ""), on: 0)
        }
        let live = LiveTrip(world.nodes[0].replica)
        let text = try #require(world.view(0).note?.value)
        var carets: [Caret: Int] = [:]
        for (note, shown) in [(nil, text), (item, "roof terrace 🏡"), (other, "")] as [(ItemID?, String)] {
            for scalar in 0...shown.unicodeScalars.count {
                let offset = String(shown.unicodeScalars.prefix(scalar)).utf16.count
                let caret = try #require(live.caret(in: note, at: offset, of: shown))
                carets[caret] = offset
            }
        }
        let unknown = Caret(item: nil, element: NoteEdit.Element(operation: .here(0), number: 0))
        #expect(carets.count > 300)
        #expect(live.offsets(of: Set(carets.keys).union([unknown])) == carets)
        for (caret, offset) in carets { #expect(live.offset(of: caret) == offset) }
    }

    @Test("a caret at a character that nobody wrote, or of another note, leads nowhere")
    func hostile() throws {
        let trip = try Trip("one")
        let caret = try #require(trip.live(0).caret(in: nil, at: 1, of: "one"))
        guard case .there(let operation) = caret.element?.operation else {
            Issue.record("it names no character")
            return
        }
        let forged = [
            NoteEdit.Element(operation: .there(operation), number: 3), .init(operation: .here(0), number: 0),
            .init(operation: .there(OperationID(change: operation.change, index: 1)), number: 0),
            // The first half of the hash alone is in the text.
            .init(operation: .there(OperationID(change: half(operation.change), index: operation.index)), number: 0),
        ]
        for element in forged { #expect(trip.live(1).offset(of: Caret(item: nil, element: element)) == nil) }
    }

    private func half(_ hash: ChangeHash) -> ChangeHash {
        ChangeHash(words: (hash.words.0, hash.words.1, hash.words.2 ^ 1, hash.words.3))
    }
}

extension LiveTrip {
    fileprivate func offset(of caret: Caret) -> Int? { offsets(of: [caret])[caret] }
}
