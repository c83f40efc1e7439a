import DeltaCRDT
import Foundation
import Testing
import TripFixtures

@testable import TripModel

/// Views and ids as messages carry them.
@Suite struct CodingTests {
    @Test("an id is written as its description, and in that form alone is read")
    func ids() throws {
        let replica = ReplicaID(high: 0xA, low: .max)
        let item = ItemID(dot: Dot(replica: replica, counter: 7))
        #expect(item.description == "000000000000000affffffffffffffff.7")
        #expect(try json(item) == "\"\(item)\"" && ItemID(item.description) == item)
        let stamp = Stamp(lamport: 12, hash: replica)
        #expect(try json(stamp) == "\"12.000000000000000affffffffffffffff\"" && Stamp(stamp.description) == stamp)
        let person = ParticipantID(high: 1, low: 2)
        #expect(
            try json(person) == "\"00000000000000010000000000000002\"" && ParticipantID(person.description) == person)
        for wrong in [
            "", ".7", "000000000000000affffffffffffffff", "000000000000000affffffffffffffff.0",
            "000000000000000affffffffffffffff.07", "000000000000000affffffffffffffff.+7",
            "000000000000000AFFFFFFFFFFFFFFFF.7", "0000000000000+0affffffffffffffff.7", "a.7",
            "000000000000000affffffffffffffff.99999999999999999999",
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
            for count in 0..<bytes.count { #expect(TripView(bytes: Array(bytes[..<count])) == nil) }
            #expect(TripView(bytes: bytes + [0]) == nil)
        }
        #expect(text.contains(#""fields":{"done":{"#) && text.contains(#""vote":"against""#))
        for order in ItemOrder.allCases { #expect(try json(order) == "\"\(order.rawValue)\"") }
    }

    private func json(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }
}
