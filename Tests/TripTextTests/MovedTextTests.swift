import Testing
import TripFixtures
import TripModel

@testable import TripText

/// How history tells where an item was put.
@Suite struct MovedTextTests {
    @Test("an item that is moved within its list is not told to have come into it")
    func within() throws {
        var world = World(participants: [0])
        try world.perform(.setName("Jie"), on: 0)
        for title in ["Packing", "Food"] {
            let drafts = ["\(title) 1", "\(title) 2"].map { ItemDraft(title: $0) }
            try world.perform(.addList(title: title, kind: nil, drafts), on: 0)
        }
        let lists = world.view(0).lists
        let packing = try #require(lists.first { $0.title == "Packing" })
        let food = try #require(lists.first { $0.title == "Food" })
        let moved = packing.items[1]
        for destination in [Destination.before(packing.items[0]), .end(of: food.id), .end(of: nil)] {
            try world.perform(.move([moved], destination), on: 0)
        }
        let entries = Array(TripReplica.history(of: world.changes).suffix(3))
        var trip = LiveTrip(world.nodes[0].replica)
        let names = trip.names(of: entries)
        #expect(
            entries.flatMap { TerminalText.sentences($0, names) } == [
                "Jie moved “Packing 2” within “Packing”", "Jie moved “Packing 2” to “Food”", "Jie moved “Packing 2”",
            ])
        let json = TripJSON.history(entries, names).text
        #expect(json.contains("\"list\": \"Packing\"") && json.contains("\"list\": \"Food\""), "\(json)")
    }
}
