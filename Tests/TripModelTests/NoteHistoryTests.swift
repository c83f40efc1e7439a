import Testing
import TripFixtures

@testable import TripModel

/// What people write in notes, as a history for people tells it.
@Suite struct NoteHistoryTests {
    private static let jie = ParticipantID(high: 7, low: 1)
    private static let noah = ParticipantID(high: 7, low: 2)
    private static let casa = ItemID(operation: OperationID(change: ChangeHash(words: (1, 0, 0, 0)), index: 0))

    private func noted(_ added: String, _ removed: String = "") -> HistoryEvent {
        .noted(added: added, removed: removed)
    }

    private func noted(of item: ItemID, _ added: String, broughtBack: Bool = false) -> HistoryEvent {
        .item(id: item, title: "Casa", event: .noted(added: added, removed: ""), broughtBack: broughtBack)
    }

    /// Entries in their order, each at a moment in milliseconds.
    private func entries(_ deeds: [(ParticipantID, Int64, HistoryEvent)]) -> [HistoryEntry] {
        deeds.enumerated().map { place, deed in
            HistoryEntry(
                participant: deed.0,
                stamp: LamportTimestamp(lamport: UInt64(place + 1), hash: ChangeHash(words: (UInt64(place), 0, 0, 0))),
                wallTime: deed.1, events: [deed.2])
        }
    }

    @Test("what a person types is one entry, without what they deleted at once")
    func typing() throws {
        let pieces = [("B", ""), ("us", ""), (" 28 goez", ""), ("", "z"), ("s", ""), ("", "Tram"), ("", "The ")]
        let all = entries(
            pieces.enumerated().map { place, piece in (Self.jie, Int64(place) * 500, noted(piece.0, piece.1)) })
        let joined = all.joiningNotes()
        #expect(joined.map(\.events) == [[noted("Bus 28 goes", "The Tram")]])
        #expect(joined.first?.stamp == all[0].stamp && joined.first?.wallTime == 0)
        #expect(joined.joiningNotes() == joined)
    }

    @Test("what several people type at once is one entry of each")
    func together() {
        let all = entries(
            (0..<8).map { (step: Int) -> (ParticipantID, Int64, HistoryEvent) in
                let isJie = step % 2 == 0
                return (isJie ? Self.jie : Self.noah, Int64(step) * 500, noted(isJie ? "a" : "b"))
            })
        let joined = all.joiningNotes()
        #expect(joined.map(\.participant) == [Self.jie, Self.noah])
        #expect(joined.map(\.events) == [[noted("aaaa")], [noted("bbbb")]])
    }

    @Test("places between which somebody paused are told apart")
    func pause() {
        let all = entries([(Self.jie, 0, noted("Bus 28", "Tram")), (Self.jie, 60_000, noted("at nine", "early"))])
        #expect(all.joiningNotes().map(\.events) == [[noted("Bus 28 … at nine", "Tram … early")]])
    }

    @Test("words that somebody changes again are told as they are in the end", arguments: [500, 60_000] as [Int64])
    func changed(pause: Int64) {
        let told = { (first: String, more: String, less: String) -> [[HistoryEvent]] in
            self.entries([(Self.jie, 0, self.noted(first)), (Self.jie, pause, self.noted(more, less))])
                .joiningNotes().map(\.events)
        }
        #expect(told("Meet at 10 at the station", "11", "10") == [[noted("Meet at 11 at the station")]])
        #expect(told("Meet at 10 at the station", "", "10 ") == [[noted("Meet at at the station")]])
        // It may be another one.
        #expect(told("at 10 at the pier", "by", "at") == [[noted("at 10 at the pier … by", "at")]])
        #expect(told("Meet at 10", "4", "1") == [[noted("Meet at 10 … 4", "1")]])
    }

    @Test(
        "words that somebody changes again at several places are told as they are in the end",
        arguments: [500, 60_000] as [Int64]
    )
    func changedAtSeveralPlaces(pause: Int64) {
        let told = { (first: String, more: String, less: String) -> [[HistoryEvent]] in
            self.entries([(Self.jie, 0, self.noted(first)), (Self.jie, pause, self.noted(more, less))])
                .joiningNotes().map(\.events)
        }
        #expect(told("Open 8 to 18", "9 … 19", "8 … 18") == [[noted("Open 9 to 19")]])
        #expect(told("Open 8 to 18", "9", "8") == [[noted("Open 9 to 18")]])
        #expect(told("Tea at 4, cake at 5", "3, … 6", "4, … 5") == [[noted("Tea at 3, cake at 6")]])
        #expect(told("two tents and a boat", "", "two  … boat") == [[noted("tents and a ")]])
        // One is not found, or not behind the other.
        let unknown = told("Open 8 to 18", "9 … 20", "8 … 19")
        #expect(unknown == [[noted("Open 8 to 18 … 9 … 20", "8 … 19")]])
        #expect(told("Open 8 to 18", "19 … 9", "18 … 8") == [[noted("Open 8 to 18 … 19 … 9", "18 … 8")]])
        // Which of the two stands where the one was?
        let unequal = told("Whole trip: bring one tent", "two … s", "one")
        #expect(unequal == [[noted("Whole trip: bring one tent … two … s", "one")]])
    }

    @Test("what somebody else deleted is not told of those who write on")
    func deletedByAnother() {
        let all = entries([
            (Self.jie, 0, noted("Meet at 14:30")), (Self.noah, 500, noted("Call Ana", "Meet at 14:30")),
            (Self.jie, 1_000, noted("Meet at 15:30")), (Self.jie, 1_500, noted(" sharp")),
        ])
        let told = [[noted("Meet at 14:30")], [noted("Call Ana", "Meet at 14:30")], [noted("Meet at 15:30 sharp")]]
        #expect(all.joiningNotes().map(\.events) == told)
        // Of words that came once more, the deletion was before.
        let again = entries([
            (Self.noah, 0, noted("", "Meet")), (Self.jie, 500, noted("Meet")), (Self.jie, 1_000, noted(" at 10")),
        ])
        #expect(again.joiningNotes().map(\.events) == [[noted("", "Meet")], [noted("Meet at 10")]])
    }

    @Test("nothing is joined after 10 minutes, over anything else that was done, or of two notes")
    func apart() {
        let span = NoteAuthor.span
        #expect(entries([(Self.jie, 0, noted("a")), (Self.jie, span - 1, noted("b"))]).joiningNotes().count == 1)
        let between = HistoryEvent.titled(title: "Lisbon", insteadOf: [], siblings: [])
        for deeds in [
            [(Self.jie, 0, noted("a")), (Self.jie, span, noted("b"))],
            [(Self.jie, 0, noted("a")), (Self.jie, 1, noted(of: Self.casa, "b"))],
            [(Self.jie, 0, noted(of: Self.casa, "a")), (Self.jie, 1, noted(of: Self.casa, "b", broughtBack: true))],
            [(Self.jie, 0, noted("a")), (Self.noah, 1, noted("b"))],
            [(Self.jie, .min, noted("a")), (Self.jie, .max, noted("b"))],
            [(Self.jie, .max, noted("a")), (Self.jie, .min, noted("b"))],
        ] as [[(ParticipantID, Int64, HistoryEvent)]] {
            let all = entries(deeds)
            #expect(all.joiningNotes() == all, "\(deeds)")
        }
        let all = entries([(Self.jie, 0, noted("a")), (Self.noah, 1, between), (Self.jie, 2, noted("b"))])
        #expect(all.joiningNotes() == all)
        // What did more than that is an entry of its own.
        let undo = HistoryEntry(
            participant: Self.jie, stamp: all[2].stamp, wallTime: 3, events: [.undid, noted("", "b")])
        #expect(([all[2], undo]).joiningNotes() == [all[2], undo])
    }

    @Test("however much is written, an entry stays short")
    func bounded() {
        let text = String(repeating: "a", count: Limits.noteTold)
        for pause in [500, 5_000] as [Int64] {
            let all = entries((0..<100).map { (Self.jie, Int64($0) * pause, noted(text, "b")) })
            for case .noted(let added, let removed) in all.joiningNotes().flatMap(\.events) {
                #expect(added.count <= Limits.noteTold && removed.count <= Limits.noteTold)
            }
        }
    }

    @Test("of several edits of a note by one change, which nobody's client writes, all count and the first is told")
    func several() throws {
        var world = World(participants: [0])
        let edits = ["a", "b", "c"].map { word in
            NoteEdit(insertions: [.init(place: .beginning, text: Text(word))], removals: [])
        }
        try world.write(TripContent.encode(edits.map { .editNote($0) }), on: 0)
        #expect(world.view(0).note?.value.count == 3)
        #expect(TripReplica.history(of: world.changes).map(\.events) == [[noted("a")]])
    }

    @Test("of several edits of an item's note by one change the first is told, and that the item came back")
    func severalOfItem() throws {
        var world = World(participants: [0])
        let item = try world.add(ItemDraft(title: "Casa"), on: 0)
        let deed = { (deed: ItemOperation) in TripModel.Operation.item(.there(item.operation), deed) }
        let edits = ["a", "b"].map { word in
            deed(.editNote(NoteEdit(insertions: [.init(place: .beginning, text: Text(word))], removals: [])))
        }
        let write = FieldWrite(field: .note, value: .text(Text("c")), siblings: [])
        let content = TripContent.encode([edits[0], deed(.remove), edits[1], deed(.edit([write]))])
        try world.write(content, on: 0)
        let events = [
            noted(of: item, "a"),
            .item(id: item, title: "Casa", event: .removed(upheldBy: []), broughtBack: false),
            .item(id: item, title: "Casa", event: .edited(fields: []), broughtBack: true),
        ]
        #expect(TripReplica.history(of: world.changes).last?.events == events)
        #expect(world.view(0).items[0].fields[.note]?.value == "c")
    }

    @Test("of a note that an earlier version writes whole, as much is told as that may write")
    func whole() throws {
        var world = World(participants: [0])
        let item = try world.add(ItemDraft(title: "Casa"), on: 0)
        let edit = NoteEdit(
            insertions: [
                .init(place: .beginning, text: Text(String(repeating: "a", count: Limits.noteCharacters)))
            ], removals: [])
        try world.write(TripContent.encode([.item(.there(item.operation), .editNote(edit))]), on: 0)
        let write = FieldWrite(field: .note, value: .text(Text("b")), siblings: [])
        try world.write(TripContent.encode([.item(.there(item.operation), .edit([write]))]), on: 0)
        let long = String(repeating: "a", count: Limits.proseCharacters)
        let told = FieldEdit(field: .note, value: "b", insteadOf: [long], siblings: [])
        let event = HistoryEvent.item(id: item, title: "Casa", event: .edited(fields: [told]), broughtBack: false)
        #expect(TripReplica.history(of: world.changes).last?.events == [event])
    }

    @Test("a note that is written letter by letter reads as one text")
    func fold() throws {
        var world = World(participants: [0])
        let item = try world.add(ItemDraft(title: "Casa", fields: [.note: "By the river"]), on: 0)
        for text in ["By the river.", "By the river.\nTwo", "By the river.\nTwo bath", "By the river.\nTwo bathrooms"] {
            try world.perform(.edit(item, [.note: text]), on: 0)
        }
        for text in ["Meet", "Meet at", "Meet at nine"] { try world.perform(.editNote(text), on: 0) }
        let entries = TripReplica.history(of: world.changes)
        let joined = entries.joiningNotes()
        #expect(entries.count == 8 && joined.count == 3)
        let told = [[noted(of: item, ".\nTwo bathrooms")], [noted("Meet at nine")]]
        #expect(joined.dropFirst().map(\.events) == told)
        #expect(world.view(0).note?.value == "Meet at nine")
    }
}
