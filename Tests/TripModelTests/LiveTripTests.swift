import TestTiers
import Testing
import TripFixtures

@testable import TripModel

/// A trip that is read while it changes shows what one shows that was built from nothing.
@Suite struct LiveTripTests {
    @Test(
        "after any sequence, what was kept up to date equals what is computed from nothing", .tags(.slow),
        arguments: 1...40)
    func keptUpToDate(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var world = World(participants: [0, 1, 2, 2, 3])
        for _ in 0..<80 {
            let device = generator.below(world.nodes.count)
            if generator.below(3) == 0 {
                try world.meet(device, generator.below(world.nodes.count), using: &generator)
            } else if generator.below(9) == 0, !world.log.isEmpty, !world.nodes[device].held.isEmpty {
                try world.lie(on: device, using: &generator)
            } else {
                try world.act(on: device, using: &generator)
            }
        }
        var live = LiveTrip()
        for change in world.changes(inOrderOf: &generator) {
            live.apply(change)
            if generator.below(5) == 0 { #expect(live.apply(change) == nil, "it was applied before") }
            if generator.below(20) == 0 {
                live.outside = Set(world.nodes.map(\.participant).filter { _ in generator.below(3) == 0 })
            }
            // Some are read from the first change on, some later, some between.
            if generator.below(seed % 3 == 0 ? 2 : 9) == 0 { try check(&live) }
        }
        try check(&live)
        #expect(live.replica.encodedState == replayed(world).encodedState)
    }

    private func replayed(_ world: World) -> TripReplica {
        var replica = TripReplica()
        for change in world.changes { replica.apply(change) }
        return replica
    }

    private func check(_ live: inout LiveTrip) throws {
        var fresh = LiveTrip(live.replica, outside: live.outside)
        let view = live.view
        #expect(view == fresh.view)
        // Numbers and ids by the plainest means there are.
        let all = (view.items + view.removedItems).sorted { ($0.added, $0.id) < ($1.added, $1.id) }
        #expect(all.map(\.number) == all.indices.map { $0 + 1 })
        for item in all {
            #expect(live.item(item.id) == item && live.number(of: item.id) == item.number)
            #expect(item.id.digits.hasPrefix(item.shortID))
            #expect(!all.contains { $0.id != item.id && $0.id.digits.hasPrefix(item.shortID) })
            #expect(try live.resolve(String(item.number)) == item && live.resolve(item.shortID) == item)
        }
        for title in ["red", "RED", "green", "blue", "white", "lie", "first"] {
            let named = { (items: [ItemView]) in
                let exact = items.filter { $0.titles.contains(title) }
                return exact.isEmpty
                    ? items.filter { $0.titles.contains { $0.lowercased() == title.lowercased() } } : exact
            }
            let expected = named(view.items).isEmpty ? named(view.removedItems) : named(view.items)
            do throws(TripError) {
                #expect(try [live.resolve(title)] == expected, "\(title)")
            } catch {
                #expect(expected.count != 1 && (error.code == .ambiguousItem) == (expected.count > 1), "\(title)")
            }
        }
        #expect(live.participants == view.participants && live.title == view.title)
    }

    @Test("pieces of a sorted array keep their order, whatever the order in which they came", arguments: 1...4)
    func sortedChunks(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var all = Set((0..<generator.below(2_000)).map { _ in generator.below(10_000) })
        var chunks = SortedChunks(all.sorted())
        for step in 0..<6_000 {
            let number = seed == 1 ? 20_000 + step : seed == 2 ? -step : generator.below(10_000)
            all.insert(number)
            chunks.insert(number)
            let other = generator.below(10_000)
            all.remove(other)
            chunks.remove(other)
        }
        let sorted = all.sorted()
        var visited: [Int] = []
        chunks.forEach { visited.append($0) }
        #expect(visited == sorted && chunks.count == sorted.count)
        for (rank, element) in sorted.enumerated() where rank % 16 == 0 || rank % 16 == 15 || rank + 3 > sorted.count {
            #expect(chunks.rank(of: element) == rank && chunks[rank] == element)
            let around = [rank - 1, rank + 1].filter(sorted.indices.contains).map { sorted[$0] }
            #expect(chunks.neighbours(of: element) == around)
        }
        #expect(chunks[-1] == nil && chunks[sorted.count] == nil)
        #expect(chunks.rank(of: .max) == sorted.count && SortedChunks<Int>([]).rank(of: 3) == 0)
    }

    @Test("a trip that is never read carries no index")
    func lazy() throws {
        var world = World(participants: [0])
        let item = try world.add(ItemDraft(title: "Cabin"), on: 0)
        var live = LiveTrip()
        for change in world.changes { live.apply(change) }
        let field = { (live: LiveTrip, name: String) in
            Mirror(reflecting: live).children.first { $0.label == name }.map { "\($0.value)" }
        }
        #expect(field(live, "index") == "nil" && field(live, "names") == "nil")
        #expect(live.item(item)?.number == 1 && field(live, "index") != "nil")
    }

    // MARK: - Who is out

    @Test("somebody who never said a name has the one in the admission, told apart from the names that others said")
    func admittedNames() throws {
        var world = World(participants: [0, 1, 2])
        try world.perform(.setName("Mal"), on: 0)
        try world.syncAll()
        _ = try world.add(ItemDraft(title: "Cabin"), on: 1)
        try world.syncAll()
        var live = LiveTrip(world.nodes[0].replica)
        #expect(live.view.items[0].addedByName == "someone")
        live.admittedNames = [
            world.nodes[0].participant: "Malcolm", world.nodes[1].participant: "Mal",
            world.nodes[2].participant: "mal",
        ]
        #expect(live.view.participants.map(\.displayName) == ["Mal", "Mal (2)"])
        #expect(live.view.items[0].addedByName == "Mal (2)")
        // Nothing of theirs came yet, or nothing but statements.
        #expect(live.displayName(of: world.nodes[2].participant) == "mal (3)")
    }

    @Test("a person who is out is marked, no longer counts, and leaves their name to a member")
    func outside() throws {
        var world = World(participants: [0, 1, 2])
        for (device, name) in ["Jie", "Noah", "noah"].enumerated() {
            try world.perform(.setName(name), on: device)
            try world.syncAll()
        }
        let item = try world.add(ItemDraft(title: "Cabin"), on: 1)
        try world.syncAll()
        for device in 0..<3 { try world.perform(.vote([item], .for), on: device) }
        try world.perform(.edit(item, [.title: "Hut"]), on: 0)
        try world.perform(.edit(item, [.title: "Shack"]), on: 1)
        try world.syncAll()
        var live = LiveTrip(world.nodes[0].replica)
        #expect(live.view.participants.map(\.displayName) == ["Jie", "Noah", "noah (2)"])
        #expect(live.view.items[0].tally == 3)
        let gone = world.nodes[1].participant
        live.outside = [gone]
        let view = live.view
        #expect(view.participants.map(\.displayName) == ["Jie", "noah", "Noah (out)"])
        #expect(view.participants.map(\.isOut) == [false, false, true])
        let shown = try #require(view.items.first)
        #expect(shown.tally == 2 && shown.addedByName == "Noah (out)")
        #expect(shown.votes.map(\.name) == ["Jie", "Noah (out)", "noah"])
        #expect(shown.votes.map(\.isOut) == [false, true, false])
        let titles = try #require(shown.fields[.title])
        #expect(
            ([titles.shown] + titles.alternatives).contains { $0.authorName == "Noah (out)" && $0.value == "Shack" })
        live.outside = []
        #expect(live.view.items[0].tally == 3)
        // Two of a name who are both out are still two.
        live.outside = [gone, world.nodes[2].participant]
        #expect(live.view.participants.map(\.displayName) == ["Jie", "Noah (out)", "noah (2) (out)"])
    }
}
