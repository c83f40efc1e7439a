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
                    == "“HUT” could be 2 “Hut” (\(first)) or 3 “hut” (\(second)); give a number or an id")
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

    @Test("an id grows only where another begins alike, and items of one import differ early")
    func ids() throws {
        var world = World(participants: [0])
        try world.perform(.add((0..<2_000).map { ItemDraft(title: "item \($0)") }), on: 0)
        let ids = world.view(0).items.map(\.id)
        #expect(Set(ids.map(\.leastShortID)).count == ids.count && Set(ids.map(\.digits)).count == ids.count)
        #expect(ids.allSatisfy { $0.digits.utf8.count == 64 && $0.digits.hasPrefix($0.leastShortID) })
        #expect(world.view(0).items.allSatisfy { $0.shortID.utf8.count == ItemID.shownDigits })
        // Evenly spread: of 2,000 that begin with one of 256, none is much more than 8.
        let beginnings = Dictionary(grouping: ids) { $0.digits.prefix(2) }
        #expect(beginnings.count > 250 && beginnings.values.allSatisfy { $0.count < 30 })
        // Two hashes that happen to differ late: the mixed digits are equal, the others tell them apart.
        let twin = ItemID(change: ChangeHash(words: (1, 2, 3, 4)), index: 0)
        let other = ItemID(change: ChangeHash(words: (1, 2, 3, 5)), index: 0)
        #expect(
            ItemDigits(twin).shared(with: ItemDigits(other)) == 63
                && ItemDigits(twin).shared(with: ItemDigits(twin)) == 64)
        var table = ItemTable()
        for id in [twin, other] + ids.prefix(9) {
            let change = TripChange(
                stamp: LamportTimestamp(lamport: 1, hash: id.operation.change), participant: world.nodes[0].participant,
                wallTime: 0, index: 0, branch: 0, past: CausalCut(), content: TripContent([]))
            var operation = FoldedOperation(change, AppliedChanges())
            operation.index = id.operation.index
            table.insert(ItemState(madeBy: operation))
        }
        let index = ItemIndex(table)
        #expect(index.longIDs.count == 2 && index.longIDs[twin]?.utf8.count == 64)
        #expect(index.longIDs.allSatisfy { $0.value == index.shortID(of: $0.key) && $0.key.digits == $0.value })
        #expect(index.items(beginning: String(twin.digits.prefix(20)), limit: 9).sorted() == [twin, other])
        #expect(ids.prefix(9).allSatisfy { index.item(mixedWord: $0.mixedWord) == $0 })
        #expect(index.item(mixedWord: 7) == nil)
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

    @Test("a name with something invisible in it passes for nobody else's")
    func invisibleNames() throws {
        var world = World(participants: [0, 1, 2, 3])
        try world.perform(.setName("Noah"), on: 0)
        try world.syncAll()
        // Typed, it is kept without; written by a liar, it is nobody's name; where it draws something, it is told apart.
        for typed in ["No\u{200B}ah", "Noah\u{200D}", "\u{2060}Noah", "No\u{AD}ah", "Noah\u{FE0F}", "No\u{E0041}ah"] {
            var copy = world
            try copy.perform(.setName(typed), on: 1)
            #expect(copy.view(1).participants.map(\.name) == ["Noah", "Noah"], "\(typed.unicodeScalars.map(\.value))")
            #expect(copy.view(1).participants.map(\.displayName) == ["Noah", "Noah (2)"])
            try copy.write(TripContent.encode([.setName(Text(typed))]), on: 2)
            #expect(copy.view(2).participants.map(\.name) == ["Noah", nil])
        }
        // A digit takes a variation selector, as keycaps are written; it changes nothing that one sees here.
        try world.perform(.setName("Noah 2"), on: 1)
        try world.syncAll()
        try world.perform(.setName("Noah\u{A0} 2\u{FE0F}"), on: 2)
        try world.perform(.setName("👩\u{200D}🚀 1\u{FE0F}\u{20E3} مى\u{200C}خ"), on: 3)
        try world.syncAll()
        let names = world.view(0).participants.map(\.displayName)
        #expect(names.contains("Noah 2") && names.contains("Noah\u{A0} 2\u{FE0F} (2)"))
        #expect(names.contains("👩\u{200D}🚀 1\u{FE0F}\u{20E3} مى\u{200C}خ"))
        #expect(NearNames.nearest(to: "No\u{200B}ah", among: ["Mia", "Noah"]) == 1)
    }
}
