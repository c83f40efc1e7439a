import Testing
import TripFixtures

@testable import TripModel

/// Undo of edits of notes puts words back where they were, and a note that is set is that text and no other.
extension UndoTests {
    /// A generator whose draws a seed decides.
    private struct Dice {
        var state: UInt64

        mutating func roll(_ count: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % count
        }
    }

    private static let texts = [
        "Key under the red pot", "Bus 28 to the beach", "Train: Fri 10:28\nHotel: Sat\nHome: Sun 18:00", "rain", "",
        "Tat 10:28 rain and wind",
    ]

    @Test("an undo restores the note, whatever hashes its changes have", arguments: 0..<40)
    func restored(seed: Int) throws {
        var world = World(participants: [0])
        var dice = Dice(state: UInt64(seed))
        var note = ""
        for step in 0..<12 {
            let before = note
            var words = note.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
            if words.count > 2, dice.roll(3) > 0 {
                words[dice.roll(words.count)] = "w\(step)"
                note = words.joined(separator: " ")
                guard note != before else { continue }
                try world.perform(.editNote(note, shown: before), on: 0)
            } else {
                note = Self.texts[dice.roll(Self.texts.count)]
                guard note != before else { continue }
                try world.perform(.editNote(note), on: 0)
            }
            #expect(world.view(0).note?.value ?? "" == note)
            guard dice.roll(2) == 0 else { continue }
            _ = try undo(&world, on: 0)
            note = before
            #expect(world.view(0).note?.value ?? "" == note, "step \(step)")
        }
    }

    @Test("a note of more pieces than one edit may insert comes back whole")
    func manyPieces() throws {
        var world = World(participants: [0])
        var note = ""
        for number in 0..<300 {
            let before = note
            note = "\(number) " + note
            try world.perform(.editNote(note, shown: before), on: 0)
        }
        let whole = world.view(0).note?.value
        try world.perform(.editNote(""), on: 0)
        #expect(world.view(0).note == nil)
        _ = try undo(&world, on: 0)
        #expect(whole?.count ?? 0 > 1_000 && world.view(0).note?.value == whole)
    }

    @Test("a note that two set at the same moment has both texts whole, and none of the letters of one in the other's")
    func setByTwo() throws {
        var world = World(participants: [0, 1])
        try world.perform(.editNote("at 10:30"), on: 0)
        try world.syncAll()
        try world.perform(.editNote("at 11:00"), on: 0)
        try world.perform(.editNote("at 12:15"), on: 1)
        try world.syncAll()
        #expect(["at 11:00at 12:15", "at 12:15at 11:00"].contains(world.view(0).note?.value))
    }

    @Test("a word between those that two people added at the same moment can be replaced by somebody who saw neither")
    func betweenTwo() throws {
        var world = World(participants: [0, 1, 2])
        try world.perform(.editNote("the ferry"), on: 0)
        try world.syncAll()
        try world.perform(.editNote("the big ferry", shown: "the ferry"), on: 0)
        try world.perform(.editNote("the ferry leaves", shown: "the ferry"), on: 1)
        try world.syncAll()
        #expect(world.view(2).note?.value == "the big ferry leaves")
        try world.perform(.editNote("the boat", shown: "the ferry"), on: 2)
        #expect(world.view(2).note?.value == "the big boat leaves")
    }

    @Test("the history tells the words of an undo, and none that somebody else wrote meanwhile")
    func told() throws {
        var world = World(participants: [0, 1])
        try world.perform(.editNote("Meet at 10"), on: 0)
        try world.syncAll()
        try world.perform(.editNote("Taxi at 9"), on: 0)
        try world.perform(.editNote("Bus 28 then we walk"), on: 1)
        try world.syncAll()
        _ = try undo(&world, on: 0)
        let events = try #require(TripReplica.history(of: world.changes).last?.events)
        // The one text may be before the other, or behind it.
        let apart = HistoryEvent.noted(added: "Meet at 10", removed: "Taxi at 9")
        let together = HistoryEvent.noted(added: "Meet … 10", removed: "Taxi … 9")
        #expect(events == [.undid, apart] || events == [.undid, together])
    }

    @Test("an edit says each word that changed, so that what others wrote between stays where it is")
    func words() {
        let ranges = { (old: String, new: String) in
            TextDifference.replacements(from: old, to: new).map {
                "\($0.range.lowerBound)-\($0.range.upperBound) \($0.text)"
            }
        }
        #expect(
            ranges("the ferry leaves from pier two", "the ferry often leaves from pier three") == [
                "10-10 often ", "27-30 three",
            ])
        #expect(ranges("bring hats", "bring hat") == ["9-10 "], "letters that go")
        #expect(ranges("bring hat", "bring hats") == ["9-9 s"], "letters that come")
        #expect(ranges("at 10:30\nat noon", "at 11:00\nat noon") == ["3-8 11:00"], "another word")
        #expect(
            ranges("the ferry", "the big ferry leaves") == ["4-4 big ", "9-9  leaves"], "words around the last one")
        #expect(ranges("go by bus", "go on foot now") == ["3-9 on foot now"], "other words in a row")
        #expect(ranges("by bus\nat noon", "on foot\nby one") == ["0-6 on foot", "7-14 by one"], "in two lines")
        #expect(ranges("by  bus", "by bus") == ["3-4 "], "a blank that goes")
        #expect(ranges("港で会う", "駅で会う") == ["0-3 駅"], "scripts without blanks")
        #expect(ranges("same", "same").isEmpty)
    }
}
