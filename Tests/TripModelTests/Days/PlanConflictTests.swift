import Testing
import TripFixtures

@testable import TripModel

/// What two people do at the same moment with plans: each row of the table in Documentation/Content.md, by replicas that were
/// apart.
@Suite struct PlanConflictTests {
    /// All three have a castle and a hut, which nobody has chosen.
    private func trip() throws -> (World, castle: ItemID, hut: ItemID) {
        var world = World(participants: [0, 1, 2])
        let castle = try world.add(ItemDraft(title: "Castle"), on: 0)
        let hut = try world.add(ItemDraft(title: "Hut"), on: 0)
        try world.syncAll()
        return (world, castle, hut)
    }

    private func plan(_ item: ItemID, _ text: String?, shown: [String]? = nil) -> TripAction {
        .act(.plan(text, shown: shown), on: [item])
    }

    /// "2026-06-12: Castle", the same at each device.
    private func days(_ world: World) -> [String] {
        let all = world.nodes.indices.map { device in
            world.view(device).timeline.days.map { plan in
                plan.day.text + ": " + plan.entries.map(\.item.title).joined(separator: ", ")
            }
        }
        #expect(Set(all).count == 1)
        #expect(Set(world.nodes.map(\.replica.encodedState)).count == 1)
        return all[0]
    }

    @Test("of two plans of one item both stay whole; one is shown, until somebody picks")
    func plans() throws {
        var (world, castle, _) = try trip()
        try world.perform(plan(castle, "2026-06-12T14:30/PT2H"), on: 1)
        try world.perform(plan(castle, "2026-06-13T09:00"), on: 2)
        try world.syncAll()
        let field = try #require(world.view(0).item(castle)?.fields[.dates])
        let both = [field.value] + field.alternatives.map(\.value)
        #expect(Set(both) == ["2026-06-12T14:30/PT2H", "2026-06-13T09:00"])
        #expect(days(world) == [field.value.prefix(10) + ": Castle"])
        #expect(world.view(0).timeline.days[0].entries[0].versions == 2)
        // To pick the one that is shown already is no change of nothing.
        try world.perform(plan(castle, field.value), on: 0)
        try world.syncAll()
        #expect(world.view(2).timeline.days[0].entries[0].versions == 1)
        #expect(days(world) == [field.value.prefix(10) + ": Castle"])
    }

    @Test("planning wins over unmarking, over taking the day away, and over removing the item")
    func wins() throws {
        var (world, castle, hut) = try trip()
        try world.perform(plan(castle, "2026-06-12"), on: 0)
        try world.perform(plan(hut, "2026-06-12"), on: 0)
        try world.syncAll()
        try world.perform(.mark([castle], .chosen, false), on: 1)
        try world.perform(plan(castle, "2026-06-14"), on: 2)
        try world.perform(plan(hut, nil), on: 1)
        try world.perform(plan(hut, "2026-06-15"), on: 2)
        try world.perform(.remove([hut]), on: 0)
        try world.syncAll()
        #expect(days(world) == ["2026-06-14: Castle", "2026-06-15: Hut"])
    }

    @Test("a day that is taken away leaves the item chosen and not planned; undo plans it again, and undoes a plan")
    func unplanned() throws {
        var (world, castle, _) = try trip()
        let planning = try world.perform(plan(castle, "2026-06-12T14:30"), on: 1)
        try world.syncAll()
        try world.perform(plan(castle, nil), on: 0)
        try world.syncAll()
        #expect(days(world).isEmpty && world.view(2).timeline.unplanned.map(\.title) == ["Castle"])
        let undoing = try #require(
            world.nodes[0].replica.undoing(lastOf: world.nodes[0].participant, among: world.changes))
        try world.write(try undoing.content(), on: 0)
        try world.syncAll()
        #expect(days(world) == ["2026-06-12: Castle"])
        _ = planning
        var (other, tower, _) = try trip()
        try other.perform(plan(tower, "2026-06-12"), on: 0)
        let back = try #require(
            other.nodes[0].replica.undoing(lastOf: other.nodes[0].participant, among: other.changes))
        try other.write(try back.content(), on: 0)
        try other.syncAll()
        #expect(days(other).isEmpty && other.view(1).timeline.unplanned.isEmpty)
    }

    @Test("who plans from a form that was opened earlier buries no plan that they were not shown")
    func seen() throws {
        var (world, castle, _) = try trip()
        try world.perform(plan(castle, "2026-06-12"), on: 1)
        try world.syncAll()
        try world.perform(plan(castle, "2026-06-13", shown: []), on: 0)
        try world.syncAll()
        #expect(world.view(2).timeline.days[0].entries[0].versions == 2)
    }

    @Test("items without a time are in the order of the lists, even if somebody moved them meanwhile")
    func order() throws {
        var (world, castle, hut) = try trip()
        for item in [castle, hut] { try world.perform(plan(item, "2026-06-12"), on: 0) }
        try world.syncAll()
        #expect(days(world) == ["2026-06-12: Castle, Hut"])
        try world.perform(.move([hut], .before(castle)), on: 1)
        let late = try world.add(ItemDraft(title: "Late"), on: 2)
        try world.perform(plan(late, "2026-06-12T08:00"), on: 2)
        try world.syncAll()
        #expect(days(world) == ["2026-06-12: Hut, Castle, Late"])
    }

    @Test("a plan is refused for costs and for dates of the trip, and where nothing would change")
    func refusals() throws {
        var (world, castle, _) = try trip()
        let dates = try world.add(ItemDraft(title: "June", fields: [.itemKind: "dates"]), on: 0)
        let me = world.nodes[0].participant
        let dinner = try world.add(
            ItemDraft(title: "Dinner", fields: [.cost: "EUR 100 by \(me):100 for equally \(me)"]), on: 0)
        for item in [dates, dinner] {
            #expect(throws: TripError.self) { try world.perform(plan(item, "2026-06-12"), on: 0) }
        }
        #expect(throws: TripError.self) { try world.perform(plan(castle, nil), on: 0) }
        #expect(throws: TripError.self) { try world.perform(plan(castle, "soon"), on: 0) }
        try world.perform(plan(castle, "2026-06-12"), on: 0)
        #expect(throws: TripError.self) { try world.perform(plan(castle, "12 June 2026"), on: 0) }
    }
}
