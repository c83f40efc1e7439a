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
}
