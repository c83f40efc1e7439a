import DeltaCRDT
import Testing
import TripFixtures

@testable import TripModel

/// How people name items, and how the view tells people and items apart.
@Suite struct ReferenceTests {
    private func code(_ reference: String, _ trip: LiveTrip, in scope: ReferenceScope = .present) -> TripError.Code? {
        var trip = trip
        do {
            _ = try trip.resolve(reference, in: scope)
            return nil
        } catch { return error.code }
    }

    @Test func anItemIsNamedByNumberIdOrTitle() throws {
        var world = World(participants: [0, 1])
        let titles = ["Cabin", "Hut", "hut", "2024", "Café"]
        try world.perform(.add(titles.map { ItemDraft(title: $0) }), on: 0)
        let view = world.view(0)
        var trip = LiveTrip(world.nodes[0].replica)
        #expect(try trip.resolve("2").title == "Hut")
        #expect(try trip.resolve(" cabin ").number == 1)
        #expect(try trip.resolve("CAFÉ").number == 5)
        #expect(try trip.resolve("Hut").number == 2 && trip.resolve("hut").number == 3)
        #expect(try trip.resolve("2024").number == 4, "no item has that number")
        for item in view.items {
            #expect(item.shortID.utf8.count == 12)
            #expect(try trip.resolve(item.shortID).id == item.id)
            #expect(try trip.resolve(String(item.shortID.prefix(6)).uppercased()).id == item.id)
            #expect(try trip.resolve(String(item.id.digits.prefix(40))).id == item.id)
        }
        for unknown in ["", "  ", "6", "0", "-1", "99999999999999999999", "Ca", "ffffffffffff", "\u{1B}[2J"] {
            #expect(code(unknown, trip) == .unknownItem, "\(unknown)")
        }
        do {
            _ = try trip.resolve("HUT")
            Issue.record("two items are called so")
        } catch {
            #expect(error.code == .ambiguousItem)
            let (first, second) = (view.items[1].shortID, view.items[2].shortID)
            #expect(
                error.message
                    == "“HUT” may be 2 “Hut” (\(first)) or 3 “hut” (\(second)): name one by its number or its id")
        }
    }

    @Test func removalRenumbersNothingAndTheScopeDecidesAmongEqualTitles() throws {
        var world = World(participants: [0, 1])
        try world.perform(.add(["Cabin", "Cabin", "Hut"].map { ItemDraft(title: $0) }), on: 0)
        let before = world.view(0)
        #expect(code("cabin", LiveTrip(world.nodes[0].replica)) == .ambiguousItem)
        try world.perform(.remove([before.items[0].id]), on: 0)
        let view = world.view(0)
        var trip = LiveTrip(world.nodes[0].replica)
        #expect(view.items.map(\.number) == [2, 3] && view.removedItems.map(\.number) == [1])
        #expect(try trip.resolve("Cabin").number == 2)
        #expect(try trip.resolve("Cabin", in: .removed).number == 1)
        #expect(try trip.resolve("1").isRemoved && trip.resolve("Hut", in: .removed).number == 3)
        #expect(view.items.map(\.shortID) == before.items.dropFirst().map(\.shortID))
    }

    @Test func aDisputedItemAnswersToEachOfItsTitles() throws {
        var world = World(participants: [0, 1])
        let item = try world.add(ItemDraft(title: "Cabin"), on: 0)
        try world.syncAll()
        try world.perform(.edit(item, [.title: "Hut"]), on: 0)
        try world.perform(.edit(item, [.title: "Shack"]), on: 1)
        try world.syncAll()
        var trip = LiveTrip(world.nodes[0].replica)
        #expect(try trip.resolve("hut").id == item && trip.resolve("shack").id == item)
        #expect(code("cabin", trip) == .unknownItem)
    }

    @Test func theListHasThreeOrders() throws {
        var world = World(participants: [0, 1])
        try world.perform(.add(["a", "b", "c"].map { ItemDraft(title: $0) }), on: 0)
        try world.syncAll()
        let items = world.view(0).items
        try world.perform(.vote([items[1].id], .for), on: 0)
        try world.perform(.vote([items[0].id], .against), on: 1)
        try world.syncAll()
        try world.perform(.edit(items[0].id, [.note: "n"]), on: 1)
        let view = world.view(1)
        #expect(view.items(sortedBy: .order).map(\.title) == ["a", "b", "c"])
        #expect(view.items(sortedBy: .votes).map(\.title) == ["b", "c", "a"])
        #expect(view.items(sortedBy: .recent).map(\.title) == ["a", "b", "c"])
        try world.perform(.changeQuantity(items[2].id, by: 1), on: 1)
        #expect(world.view(1).items(sortedBy: .recent).map(\.title) == ["c", "a", "b"])
    }

    @Test func idsGrowOnlyWhereTheyMust() {
        var items = (1...2_000).map { ItemID(dot: Dot(replica: ReplicaID(high: 4, low: 4), counter: UInt64($0))) }
        #expect(Set(shortIDs(items)).count == items.count)
        #expect(shortIDs(items).allSatisfy { $0.utf8.count == 12 })
        // The same sum of low word and counter: the mixed digits are equal, the spelled ones differ.
        items += [ItemID(dot: Dot(replica: ReplicaID(high: 4, low: 5), counter: 9))]
        let ids = shortIDs(items)
        #expect(Set(ids).count == items.count)
        #expect(ids.filter { $0.utf8.count > 12 }.count == 2)
        #expect(Set(items.map(\.digits)).count == items.count)
        #expect(items.allSatisfy { $0.digits.utf8.count == 64 })
    }

    private func shortIDs(_ items: [ItemID]) -> [String] {
        var table = ItemTable()
        for item in items {
            let cause = Cause(
                participant: ParticipantID(high: 0, low: 0), first: item.dot,
                stamp: Stamp(lamport: item.dot.counter, hash: item.dot.replica), wallTime: 0)
            table.make(item) { $0.origin = cause }
        }
        let index = ItemIndex(table)
        #expect(index.longIDs.allSatisfy { $0.value == index.shortID(of: $0.key) })
        return items.map(index.shortID)
    }

    @Test func everybodyHasANameOfTheirOwn() throws {
        var world = World(participants: [0, 1, 2, 3, 4, 5])
        for (device, name) in ["Jie", "jie", "Jie (2)", "Jie"].enumerated() {
            try world.perform(.setName(name), on: device)
            try world.syncAll()
        }
        let item = try world.add(ItemDraft(title: "a"), on: 4)
        try world.syncAll()
        try world.perform(.vote([item], .for), on: 5)
        try world.syncAll()
        let view = world.view(0)
        let shown = ["Jie", "jie (2)", "Jie (2) (2)", "Jie (3)", "someone", "someone (2)"]
        #expect(view.participants.map(\.displayName) == shown)
        #expect(view.items[0].addedByName == "someone" && view.items[0].votes.map(\.name) == ["someone (2)"])
        for device in 1..<6 { #expect(world.view(device) == view) }
    }
}
