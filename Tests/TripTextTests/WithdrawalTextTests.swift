import Testing
import TripFixtures
import TripModel

@testable import TripText

/// What history says of an undo where others wrote at the same time: what was withdrawn, and what stays.
@Suite struct WithdrawalTextTests {
    /// Each person acts on an item at the same time, and then the last of them undoes that.
    private func told(
        _ draft: ItemDraft = ItemDraft(title: "Castle"), people: Int = 2, _ action: (ItemID, Int) -> TripAction
    ) throws -> [String] {
        var world = World(participants: Array(0..<people))
        for (device, name) in ["Jie", "Noah", "Mia"].prefix(people).enumerated() {
            try world.perform(.setName(name), on: device)
        }
        let item = try world.add(draft, on: 0)
        try world.syncAll()
        for device in 0..<people { try world.perform(action(item, device), on: device) }
        try world.syncAll()
        let node = world.nodes[people - 1]
        let changes = node.order.map { world.change($0, in: node.order) }
        let undoing = try #require(node.replica.undoing(lastOf: node.participant, among: changes))
        try world.write(try undoing.content(), on: people - 1)
        let entry = try #require(TripReplica.history(of: world.changes).last)
        #expect(entry.participant == node.participant && entry.events.first == .undid)
        var trip = LiveTrip(world.nodes[people - 1].replica)
        return Array(TerminalText.sentences(entry, trip.names(of: [entry])).dropFirst())
    }

    @Test("the value that stays is told with the one that was withdrawn")
    func values() throws {
        #expect(
            try told { .edit($0, [.price: ["€12", "€14"][$1]]) }
                == ["Noah withdrew the price “€14” of “Castle”; it is “€12” (Jie)"])
        #expect(
            try told { item, _ in .edit(item, [.price: "€12"]) }
                == ["Noah withdrew the price of “Castle”; it stays “€12” (Jie)"])
        let alone = try told(people: 1) { item, _ in .edit(item, [.price: "€12"]) }
        #expect(alone == ["Jie edited “Castle”: price cleared (was “€12”)"])
        let several = try told(people: 3) { .edit($0, [.price: ["€12", "€13", "€14"][$1]]) }
        #expect(several.count == 1 && several.first?.contains("price “€14” of “Castle”; it is “€1") == true)
        #expect(several.first?.contains(" (also proposed: “€1") == true, "\(several)")
    }

    @Test("an item that others planned too stays on a day, and chosen")
    func plans() throws {
        #expect(
            try told { .act(.plan(["2027-06-16", "2027-06-17"][$1]), on: [$0]) } == [
                "Noah withdrew 17 June 2027 for “Castle”; it is on 16 June 2027 (Jie)",
                "Noah withdrew the mark “chosen” of “Castle”, but Jie's stays",
            ])
        let three = try told(people: 3) { item, _ in .act(.plan("2027-06-16"), on: [item]) }
        #expect(three.last?.hasSuffix(", but Jie's stays") == true, "\(three)")
    }

    @Test("a question that two people closed stays closed")
    func questions() throws {
        let draft = ItemDraft(title: "Where to?", fields: [.question: "one"], options: ["Lisbon", "Porto"])
        #expect(
            try told(draft) { item, _ in .mark([item], .done, true) }
                == ["Noah withdrew the mark “done” of “Where to?”, but Jie's stays"])
    }
}
