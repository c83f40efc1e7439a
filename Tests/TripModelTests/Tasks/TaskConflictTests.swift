import Testing
import TripFixtures

@testable import TripModel

/// What two people do at the same moment with who is to do an item and by when: the rows of the table in
/// Documentation/Content.md, by replicas that were apart.
@Suite struct TaskConflictTests {
    /// All three have tents, which nobody has to bring.
    private func trip() throws -> (World, tents: ItemID) {
        var world = World(participants: [0, 1, 2])
        for (device, name) in ["Ana", "Noah", "Mia"].enumerated() { try world.perform(.setName(name), on: device) }
        let tents = try world.add(ItemDraft(title: "Tents"), on: 0)
        try world.syncAll()
        return (world, tents)
    }

    private func give(_ item: ItemID, to person: ParticipantID?, due: String? = nil) -> TripAction {
        var fields: [Field: String?] = [:]
        fields.updateValue(person?.description, forKey: .assignee)
        if let due { fields[.due] = due }
        return .edit(item, fields)
    }

    /// The item as all devices show it.
    private func item(_ id: ItemID, _ world: World) throws -> ItemView {
        let all = world.nodes.indices.map { world.view($0).item(id) }
        #expect(Set(all).count == 1 && Set(world.nodes.map(\.replica.encodedState)).count == 1)
        return try #require(all[0])
    }

    private func words(_ id: ItemID, _ world: World) throws -> String? {
        world.view(0).group.task(of: try item(id, world))
    }

    @Test("of two people who are given one item both stay, one is shown, and somebody picks")
    func twoAssignees() throws {
        var (world, tents) = try trip()
        let people = world.nodes.map(\.participant)
        try world.perform(give(tents, to: people[1]), on: 0)
        try world.perform(give(tents, to: people[2], due: "2026-06-03"), on: 2)
        try world.syncAll()
        let field = try #require(try item(tents, world).fields[.assignee])
        let both = [field.value] + field.alternatives.map(\.value)
        #expect(Set(both) == Set(people[1...].map(\.description)))
        #expect(try item(tents, world).due == DateSpan("2026-06-03"))
        // Only the person who is shown has it to do.
        let shown = try #require(try item(tents, world).assignee)
        #expect(people.filter { (try? item(tents, world).isTask(of: $0)) ?? false } == [shown])
        try world.perform(give(tents, to: people[1]), on: 1)
        try world.syncAll()
        #expect(try item(tents, world).fields[.assignee]?.alternatives.isEmpty ?? false)
        #expect(try words(tents, world) == "for Noah, by 3 June 2026")
    }

    @Test("the person declines by an answer, beside another edit; then it is nobody's, until somebody takes it")
    func declined() throws {
        var (world, tents) = try trip()
        let people = world.nodes.map(\.participant)
        try world.perform(give(tents, to: people[1], due: "2026-06-03T18:00"), on: 0)
        try world.syncAll()
        #expect(try item(tents, world).isTask(of: people[1]))
        try world.perform(.attend([tents], .notGoing), on: 1)
        try world.perform(.edit(tents, [.due: "4 June 2026"]), on: 2)
        try world.syncAll()
        #expect(try words(tents, world) == "Noah declined, anybody can take it, by 4 June 2026")
        #expect(try !item(tents, world).isTask(of: people[1]))
        // Of two who take it at the same moment both stay, and neither is lost.
        try world.perform(give(tents, to: people[2]), on: 2)
        try world.perform(give(tents, to: people[0]), on: 0)
        try world.syncAll()
        #expect(try item(tents, world).fields[.assignee]?.alternatives.count == 1)
        #expect(try !item(tents, world).isDeclined)
    }

    @Test("an item whose person is out is shown as theirs, and anybody can take it")
    func out() throws {
        var (world, tents) = try trip()
        let (ana, noah) = (world.nodes[0].participant, world.nodes[1].participant)
        try world.perform(give(tents, to: noah), on: 0)
        let view = world.view(0)
        let there = try #require(view.item(tents))
        let gone = ParticipantView(id: noah, name: "Noah", displayName: "Noah (out)", isOut: true)
        let group = Group(members: view.participants.filter { $0.id != noah }, gone: [gone], nights: nil)
        #expect(group.task(of: there) == "Noah (out) is no longer in the trip, anybody can take it")
        #expect(view.group.task(of: there) == "for Noah")
        try world.perform(give(tents, to: ana), on: 0)
        let taken = try #require(world.view(0).item(tents))
        #expect(group.task(of: taken) == "for Ana")
    }

    @Test("what somebody brings is theirs to do, until it is done or removed; an edit wins over its removal")
    func brought() throws {
        var (world, tents) = try trip()
        let (ana, noah) = (world.nodes[0].participant, world.nodes[1].participant)
        try world.perform(.claim([tents], 2), on: 1)
        try world.syncAll()
        #expect(try item(tents, world).isTask(of: noah))
        try world.perform(.remove([tents]), on: 1)
        try world.perform(give(tents, to: ana), on: 0)
        try world.syncAll()
        #expect(try item(tents, world).isTask(of: ana))
        try world.perform(.mark([tents], .done, true), on: 2)
        try world.syncAll()
        let done = try item(tents, world)
        #expect(!done.isTask(of: ana) && !done.isTask(of: noah))
    }

    @Test("undo gives an item back to the person who had it, and says whose later change is in the way")
    func undo() throws {
        var (world, tents) = try trip()
        let people = world.nodes.map(\.participant)
        try world.perform(give(tents, to: people[1], due: "2026-06-03"), on: 0)
        try world.syncAll()
        try world.perform(give(tents, to: people[2]), on: 2)
        try world.syncAll()
        let back = try #require(world.nodes[2].replica.undoing(lastOf: people[2], among: world.changes))
        let blocked = try #require(world.nodes[0].replica.undoing(lastOf: people[0], among: world.changes))
        #expect(!blocked.obstacles.isEmpty)
        try world.write(try back.content(), on: 2)
        try world.syncAll()
        #expect(try words(tents, world) == "for Noah, by 3 June 2026")
    }

    @Test("a due date is one day or one moment, and the person an id; anything else has no effect, also from elsewhere")
    func values() throws {
        var (world, tents) = try trip()
        let noah = world.nodes[1].participant
        for text in ["2026-06-03/2026-06-05", "2026-06-03T18:00/PT2H", "soon", "2026-02-30"] {
            #expect(throws: TripError.self, "\(text)") { try world.perform(.edit(tents, [.due: text]), on: 0) }
        }
        for text in ["Noah", String(noah.description.dropLast()), "\(noah) \(noah)"] {
            #expect(throws: TripError.self, "\(text)") { try world.perform(.edit(tents, [.assignee: text]), on: 0) }
        }
        for (field, text) in [(Field.due, "3 June 2026"), (.due, "2026-06-03T18:00/PT2H"), (.assignee, "Noah")] {
            let write = FieldWrite(field: field, value: .text(Text(text)), siblings: [])
            try world.write(TripContent.encode([.item(.there(tents.operation), .edit([write]))]), on: 1)
        }
        try world.syncAll()
        #expect(try item(tents, world).fields.keys.sorted() == [.title])
        try world.perform(.edit(tents, [.due: "3 June 2026", .assignee: noah.description.uppercased()]), on: 0)
        try world.syncAll()
        #expect(try item(tents, world).fields[.due]?.value == "2026-06-03")
        #expect(try item(tents, world).assignee == noah)
    }

    @Test("a day is over when it ends, a moment when it is past, and what is done is never overdue")
    func overdue() throws {
        var (world, tents) = try trip()
        let day = try #require(Day("2026-06-03"))
        let next = try #require(day.next)
        let minutes = (day.ordinal - Day.ordinalOf1970) * 1_440
        let isOverdue = { (world: World, day: Day, minute: Int) in
            world.view(0).item(tents)?.isOverdue(on: day, minute: minute, minutesSince1970: minutes + minute)
        }
        try world.perform(.edit(tents, [.due: "2026-06-03"]), on: 0)
        #expect(isOverdue(world, day, 1_439) == false && isOverdue(world, next, 0) == true)
        try world.perform(.edit(tents, [.due: "2026-06-03 18:00"]), on: 0)
        #expect(isOverdue(world, day, 1_080) == false && isOverdue(world, day, 1_081) == true)
        try world.perform(.edit(tents, [.due: "2026-06-03T18:00+02:00"]), on: 0)
        #expect(isOverdue(world, day, 961) == true && isOverdue(world, day, 959) == false)
        try world.perform(.mark([tents], .done, true), on: 0)
        #expect(isOverdue(world, next, 0) == false)
    }
}
