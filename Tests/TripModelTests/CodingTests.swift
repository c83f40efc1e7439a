import Foundation
import Testing
import TripFixtures

@testable import TripModel

/// Views and ids as messages carry them.
@Suite struct CodingTests {
    @Test("an id is written as its description, and in that form alone is read")
    func ids() throws {
        let hash = ChangeHash(words: (0xA, .max, 1, 0))
        let digits = "000000000000000affffffffffffffff00000000000000010000000000000000"
        let item = ItemID(change: hash, index: 7)
        #expect(item.description == "\(digits).7")
        #expect(try json(item) == "\"\(item)\"" && ItemID(item.description) == item)
        let stamp = LamportTimestamp(lamport: 12, hash: hash)
        #expect(try json(stamp) == "\"12.\(digits)\"" && LamportTimestamp(stamp.description) == stamp)
        #expect(stamp.label == "12.000000000000000affffffffffffffff")
        #expect(ChangeHash(bytes: hash.bytes) == hash && ChangeHash(bytes: hash.bytes.dropLast()) == nil)
        let person = ParticipantID(high: 1, low: 2)
        #expect(
            try json(person) == "\"00000000000000010000000000000002\"" && ParticipantID(person.description) == person)
        for wrong in [
            "", ".7", digits, "\(digits).07", "\(digits).+7", "\(digits).10000", "\(digits)0.7",
            "\(digits.dropLast()).7", "\(digits.uppercased()).7", "\(digits.dropFirst())+.7", "a.7",
            "\(digits).99999999999999999999",
        ] {
            #expect(ItemID(wrong) == nil, "\(wrong)")
            #expect(throws: DecodingError.self) {
                try JSONDecoder().decode([ItemID].self, from: Data("[\"\(wrong)\"]".utf8))
            }
        }
    }

    @Test("a view that was sent is the view")
    func views() throws {
        var world = World(participants: [0, 1])
        let item = try world.add(
            ItemDraft(title: "Cabin", fields: [.price: "€120", .done: "true"], quantity: 2), on: 0)
        try world.perform(.setTitle("Lisbon"), on: 0)
        try world.syncAll()
        try world.perform(.vote([item], .against), on: 1)
        try world.perform(.edit(item, [.title: "Hut"]), on: 0)
        try world.perform(.edit(item, [.title: "Shack"]), on: 1)
        try world.syncAll()
        let view = world.view(0)
        let text = try json(view)
        #expect(try JSONDecoder().decode(TripView.self, from: Data(text.utf8)) == view)
        // In few bytes, as it crosses the control socket: each cut and each altered length is noticed or is another view.
        var other = LiveTrip(world.nodes[0].replica, outside: [view.participants[1].id])
        for sent in [view, other.view] {
            let bytes = sent.bytes
            #expect(TripView(bytes: bytes) == sent && bytes.count < text.utf8.count / 4)
            let part = sent.keeping { _ in false }
            #expect(TripView(bytes: part.bytes) == part)
            for count in 0..<bytes.count { #expect(TripView(bytes: Array(bytes[..<count])) == nil) }
            #expect(TripView(bytes: bytes + [0]) == nil)
        }
        #expect(text.contains(#""fields":{"done":{"#) && text.contains(#""word":"against""#))
        for order in ItemOrder.allCases { #expect(try json(order) == "\"\(order.rawValue)\"") }
    }

    private func json(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }
}
