import Testing
import TripFixtures

@testable import TripModel

/// What changes did, as the fold tells it.
@Suite struct HistoryTests {
    private func cabin() throws -> (World, ItemID) {
        var world = World(participants: [0, 1, 2])
        let item = try world.add(ItemDraft(title: "Casa", fields: [.price: "€90"], quantity: 2), on: 0)
        try world.syncAll()
        return (world, item)
    }

    private func history(_ world: World) -> [HistoryEntry] { TripReplica.history(of: world.changes) }

    /// The events on an item of what was done last.
    private func last(_ world: World, by device: Int) -> HistoryEvent? {
        history(world).last { $0.participant == world.nodes[device].participant }?.events.last
    }

    @Test("what holds up an item whose author was erased brings nothing back, and what is unseen by a removal does")
    func heldUp() throws {
        var (world, item) = try cabin()
        try world.perform(.vote([item], .for), on: 1)
        try world.syncAll()
        try world.perform(.remove([item]), on: 2)
        // Above the removal in the order of all changes, though its author had not seen that.
        try world.perform(.setName("Noah"), on: 1)
        try world.perform(.vote([item], .against), on: 1)
        try world.syncAll()
        var changes = world.changes
        let made = changes[0]
        changes[0] = TripChange(
            stamp: made.stamp, participant: made.participant, wallTime: made.wallTime, index: made.index,
            branch: made.branch, past: made.past, content: made.content, isUpheld: true)
        let votes = TripReplica.history(of: changes).flatMap(\.events).compactMap { event -> Bool? in
            if case .item(_, _, .voted, let broughtBack) = event { broughtBack } else { nil }
        }
        #expect(votes == [false, true])
    }

    @Test("what somebody does unseen with a removed item brings it back, and history says so")
    func broughtBack() throws {
        let (start, item) = try cabin()
        let deeds: [(TripAction, ItemEvent)] = [
            (.vote([item], .for), .voted(vote: .for)), (.vote([item], .against), .voted(vote: .against)),
            (.changeQuantity(item, by: 1), .counted(by: 1)),
            (
                .edit(item, [.price: "€80"]),
                .edited(fields: [
                    FieldEdit(field: .price, value: "€80", insteadOf: ["€90"], siblings: [])
                ])
            ),
        ]
        for (deed, event) in deeds {
            var world = start
            try world.perform(.remove([item]), on: 0)
            // Above the removal in the order of all changes, though its author had not seen that.
            try world.perform(.setName("Noah"), on: 2)
            try world.perform(.setName("Noah B."), on: 2)
            try world.perform(deed, on: 2)
            try world.syncAll()
            #expect(last(world, by: 2) == .item(id: item, title: "Casa", event: event, broughtBack: true))
            #expect(
                last(world, by: 0)
                    == .item(id: item, title: "Casa", event: .removed(upheldBy: []), broughtBack: false))
            // Who had the removal first hears the same when the deed comes, and who had the deed first hears of the removal.
            var live = LiveTrip(start.nodes[1].replica)
            var other = live
            let new = Array(world.changes.dropFirst(start.log.count))
            #expect(live.apply(new[0])?.events.count == 1)
            for change in new.dropFirst().dropLast() { live.apply(change) }
            #expect(
                live.apply(new[new.count - 1])?.events == [
                    .item(id: item, title: "Casa", event: event, broughtBack: true)
                ])
            for change in new.dropFirst() { other.apply(change) }
            guard case .item(item, "Casa", .removed(let upholders), false) = other.apply(new[0])?.events.first
            else {
                Issue.record("no removal")
                continue
            }
            #expect(upholders.map(\.participant) == [world.nodes[2].participant])
            #expect(
                upholders.map(\.vote) == [
                    deed == .vote([item], .for) ? .for : deed == .vote([item], .against) ? .against : nil
                ])
        }
    }

    @Test("a restored item is no item that was brought back")
    func restored() throws {
        var (world, item) = try cabin()
        try world.perform(.remove([item]), on: 0)
        try world.perform(.restore([item]), on: 0)
        #expect(last(world, by: 0) == .item(id: item, title: "Casa", event: .restored, broughtBack: false))
    }

    @Test("a value says what it replaced, and what stands beside it")
    func values() throws {
        var (world, item) = try cabin()
        try world.perform(.edit(item, [.price: "€80"]), on: 1)
        try world.perform(.setName("Noah"), on: 2)
        try world.perform(.edit(item, [.price: "€70"]), on: 2)
        try world.syncAll()
        let edit = FieldEdit(
            field: .price, value: "€70", insteadOf: [], siblings: ["€80"], by: [world.nodes[1].participant])
        #expect(
            last(world, by: 2) == .item(id: item, title: "Casa", event: .edited(fields: [edit]), broughtBack: false)
        )
        try world.perform(.edit(item, [.price: nil]), on: 0)
        let cleared = FieldEdit(field: .price, value: nil, insteadOf: ["€70", "€80"], siblings: [])
        #expect(
            last(world, by: 0)
                == .item(id: item, title: "Casa", event: .edited(fields: [cleared]), broughtBack: false))
        try world.perform(.setTitle("Lisbon"), on: 0)
        try world.perform(.setTitle("Porto"), on: 0)
        #expect(last(world, by: 0) == .titled(title: "Porto", insteadOf: ["Lisbon"], siblings: []))
        try world.perform(.setName("Jie"), on: 0)
        try world.perform(.setName("Jie M."), on: 0)
        #expect(last(world, by: 0) == .named(name: "Jie M.", insteadOf: "Jie"))
    }

    @Test("of many values beside a new one a few are told, and how many more there are")
    func manyValues() throws {
        var world = World(participants: Array(0..<12))
        let item = try world.add(ItemDraft(title: "Casa"), on: 0)
        try world.syncAll()
        let long = String(repeating: "a", count: 3_000)
        for device in 0..<12 { try world.perform(.edit(item, [.details: "\(device)" + long]), on: device) }
        try world.syncAll()
        let edits = TripReplica.history(of: world.changes).flatMap(\.events).compactMap { event -> FieldEdit? in
            guard case .item(_, _, .edited(let fields), _) = event else { return nil }
            return fields.first
        }
        #expect(edits.map(\.siblings.count) == (0..<12).map { min($0, 3) })
        #expect(edits.map { $0.omitted ?? 0 } == (0..<12).map { max($0 - 3, 0) })
        // One value is told whole, and of short ones there are a few.
        try world.perform(.edit(item, [.details: String(repeating: "b", count: 10_000)]), on: 0)
        try world.perform(.edit(item, [.details: "c"]), on: 0)
        guard case .item(_, _, .edited(let fields), _) = last(world, by: 0) else {
            Issue.record("no edit")
            return
        }
        #expect(fields[0].insteadOf.map(\.count) == [10_000] && fields[0].omitted == nil)
        for device in 0..<12 { try world.perform(.setTitle("Trip \(device)"), on: device) }
        try world.syncAll()
        let titled = TripReplica.history(of: world.changes).flatMap(\.events).compactMap { event -> [Int]? in
            guard case .titled(_, _, let siblings, let omitted) = event else { return nil }
            return [siblings.count, omitted ?? 0]
        }
        #expect(titled == (0..<12).map { [min($0, 8), max($0 - 8, 0)] })
    }

    @Test("history is the same in any order of its changes and however often they come", arguments: 1...20)
    func sameEverywhere(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var world = World(participants: [0, 1, 2, 2])
        for _ in 0..<60 {
            let device = generator.below(world.nodes.count)
            if generator.below(3) == 0 {
                try world.meet(device, generator.below(world.nodes.count), using: &generator)
            } else {
                try world.act(on: device, using: &generator)
            }
        }
        let changes = world.changes
        let entries = TripReplica.history(of: changes)
        #expect(TripReplica.history(of: changes.reversed() + changes.prefix(9)) == entries)
        #expect(entries.map(\.stamp) == entries.map(\.stamp).sorted())
        // A replica that applies changes in the order of their stamps reports each as the history does.
        var live = LiveTrip()
        var heard: [HistoryEntry] = []
        for change in changes.sorted(by: { $0.stamp < $1.stamp }) {
            if let entry = live.apply(change) { heard.append(entry) }
        }
        #expect(heard == entries)
        #expect(live.replica == TripReplica.of(world))
    }

    @Test("who was let in and who left stands between what people did, by stamp")
    func membership() throws {
        let (world, _) = try cabin()
        let author = world.nodes[0].participant
        let stamps = world.log.map(\.stamp)
        let early = HistoryEntry(
            participant: author, stamp: LamportTimestamp(lamport: 0, hash: stamps[0].hash), wallTime: 1,
            events: [.founded])
        let late = HistoryEntry(
            participant: author, stamp: LamportTimestamp(lamport: 9, hash: stamps[0].hash), wallTime: 2,
            events: [.tookOut(participant: world.nodes[1].participant, name: "Noah"), .closedInvite])
        let entries = TripReplica.history(of: world.changes, and: [late, early])
        #expect(entries.map(\.stamp) == [early.stamp] + stamps + [late.stamp])
    }
}

extension TripReplica {
    fileprivate static func of(_ world: World) -> TripReplica {
        var replica = TripReplica()
        for change in world.changes { replica.apply(change) }
        return replica
    }
}
