import Testing
import TripFixtures

@testable import TripModel

/// What two people do at the same moment with lists, places in them, claims, comments, amenities, choices and dates: each
/// rule of the table in Documentation/Content.md, by replicas that were apart.
@Suite struct PlanningConflictTests {
    /// Jie has added a cabin and a hut, and a shortlist with nothing in it; all three have it all.
    private func trip(_ participants: [Int] = [0, 1, 2]) throws -> (World, cabin: ItemID, hut: ItemID, list: ListID) {
        var world = World(participants: participants)
        let cabin = try world.add(ItemDraft(title: "Cabin", quantity: 2), on: 0)
        let hut = try world.add(ItemDraft(title: "Hut"), on: 0)
        let list = try world.perform(.addList(title: "Shortlist", kind: nil, []), on: 0)
        try world.syncAll()
        return (world, cabin, hut, world.item(list))
    }

    private func titles(_ world: World, _ device: Int, list: Int = 0) -> [String] {
        let view = world.view(device)
        return view.lists.indices.contains(list) ? view.items(of: view.lists[list]).map(\.title) : []
    }

    private func expectEqual(_ world: World) {
        #expect(Set(world.nodes.map(\.replica.encodedState)).count == 1)
        #expect(Set(world.nodes.map(\.replica.view)).count == 1)
    }

    @Test("two people's blocks at one place of a list stand one behind the other")
    func blocks() throws {
        var (world, cabin, _, list) = try trip()
        try world.perform(.move([cabin], .end(of: list)), on: 0)
        try world.syncAll()
        for (device, name) in [(1, "a"), (2, "b")] {
            try world.perform(.add((1...3).map { ItemDraft(title: "\(name)\($0)") }, to: list), on: device)
            try world.perform(.add([ItemDraft(title: "\(name)4")], to: list), on: device)
        }
        try world.syncAll()
        expectEqual(world)
        let (a, b) = (["a1", "a2", "a3", "a4"], ["b1", "b2", "b3", "b4"])
        #expect([["Cabin"] + a + b, ["Cabin"] + b + a].contains(titles(world, 0)))
        // Backwards too: each puts one thing after the other before the first.
        let first = try #require(world.view(0).lists[0].items.first)
        for (device, name) in [(1, "c"), (2, "d")] {
            var anchor = first
            for index in 1...3 {
                let item = try world.add(ItemDraft(title: "\(name)\(index)"), on: device)
                try world.perform(.move([item], .before(anchor)), on: device)
                anchor = item
            }
        }
        try world.syncAll()
        expectEqual(world)
        let (c, d) = (["c3", "c2", "c1"], ["d3", "d2", "d1"])
        #expect([c + d, d + c].contains(Array(titles(world, 0).prefix(6))))
    }

    @Test("an item that two move at once is in one place, and the same one everywhere")
    func moves() throws {
        var (world, cabin, _, list) = try trip()
        let other = try world.perform(.addList(title: "Packing", kind: .bring, []), on: 0)
        try world.syncAll()
        try world.perform(.move([cabin], .end(of: list)), on: 1)
        try world.perform(.move([cabin], .end(of: world.item(other))), on: 2)
        try world.syncAll()
        expectEqual(world)
        #expect((titles(world, 0) + titles(world, 0, list: 1)) == ["Cabin"])
        // The next person who moves it has seen both.
        try world.perform(.move([cabin], .end(of: nil)), on: 0)
        try world.syncAll()
        #expect(world.view(2).items[0].sayings.list == nil && titles(world, 2).isEmpty)
    }

    @Test("what is put into a list keeps it beside its removal, and a removal leaves what is in it in the trip")
    func removedList() throws {
        var (world, cabin, hut, list) = try trip()
        try world.perform(.move([hut], .end(of: list)), on: 0)
        try world.syncAll()
        try world.perform(.removeLists([list]), on: 1)
        try world.perform(.move([cabin], .end(of: list)), on: 2)
        #expect(world.view(1).lists.isEmpty && world.view(1).items.count == 2)
        #expect(world.view(1).unlistedItems.map(\.title) == ["Cabin", "Hut"])
        try world.syncAll()
        expectEqual(world)
        #expect(titles(world, 1) == ["Hut", "Cabin"])
        try world.perform(.removeLists([list]), on: 1)
        try world.syncAll()
        for device in 0..<3 { #expect(world.view(device).lists.isEmpty && world.view(device).removedLists.count == 1) }
        try world.perform(.restoreLists([list]), on: 0)
        #expect(titles(world, 0) == ["Hut", "Cabin"])
    }

    @Test("a list that two rename at once has both names until somebody picks one")
    func renames() throws {
        var (world, _, _, list) = try trip()
        try world.perform(.editList(list, [.title: "Near"]), on: 1)
        try world.perform(.editList(list, [.title: "Cheap"]), on: 2)
        try world.syncAll()
        let title = try #require(world.view(0).lists[0].fields[.title])
        #expect(Set([title.value] + title.alternatives.map(\.value)) == ["Near", "Cheap"])
        try world.perform(.editList(list, [.title: "Near"]), on: 0)
        try world.syncAll()
        #expect(world.view(2).lists[0].fields[.title]?.alternatives.isEmpty == true)
    }

    @Test("a move brings an item back that somebody removes at the same moment")
    func movedAndRemoved() throws {
        var (world, cabin, _, list) = try trip()
        try world.perform(.remove([cabin]), on: 1)
        try world.perform(.move([cabin], .end(of: list)), on: 2)
        try world.syncAll()
        expectEqual(world)
        #expect(titles(world, 1) == ["Cabin"] && world.view(1).items[0].quantity == 2)
    }

    @Test("what is in no list can be put in another order, and what is new comes last")
    func unlisted() throws {
        var (world, cabin, hut, _) = try trip()
        try world.perform(.move([hut], .before(cabin)), on: 1)
        try world.perform(.add([ItemDraft(title: "Boat")]), on: 2)
        try world.syncAll()
        expectEqual(world)
        #expect(world.view(0).unlistedItems.map(\.title) == ["Hut", "Cabin", "Boat"])
    }

    @Test("two who claim one thing are both shown, and each takes back their own alone")
    func claims() throws {
        var (world, cabin, _, _) = try trip([0, 1, 1])
        try world.perform(.claim([cabin], 2), on: 0)
        try world.perform(.claim([cabin], 1), on: 1)
        // Another device of the second one's, at a higher Lamport time.
        try world.perform(.claim([cabin], 4), on: 2)
        try world.perform(.claim([cabin], 3), on: 2)
        try world.syncAll()
        expectEqual(world)
        #expect(world.view(0).items[0].sayings.claims.map(\.word).sorted() == [2, 3])
        try world.perform(.claim([cabin], nil), on: 1)
        try world.syncAll()
        #expect(world.view(0).items[0].sayings.claims.map(\.word) == [2])
    }

    @Test("each participant's last answer counts, from any device, and is no vote")
    func attendance() throws {
        var (world, cabin, _, _) = try trip([0, 1, 1])
        try world.perform(.attend([cabin], .going), on: 0)
        try world.perform(.attend([cabin], .maybe), on: 1)
        // Another device of the second one's, at a higher Lamport time.
        try world.perform(.attend([cabin], .going), on: 2)
        try world.perform(.attend([cabin], .notGoing), on: 2)
        try world.syncAll()
        expectEqual(world)
        let answers = { world.view(0).items[0].sayings.attendance.map(\.word).sorted { $0.rawValue < $1.rawValue } }
        #expect(answers() == [.going, .notGoing])
        #expect(world.view(0).items[0].votes.isEmpty && world.view(0).items[0].tally == 0)
        try world.perform(.attend([cabin], nil), on: 1)
        try world.syncAll()
        expectEqual(world)
        #expect(answers() == [.going])
    }

    @Test("an answer brings an item back that somebody removes at the same moment")
    func answeredAndRemoved() throws {
        var (world, cabin, _, _) = try trip()
        try world.perform(.remove([cabin]), on: 1)
        try world.perform(.attend([cabin], .maybe), on: 2)
        try world.syncAll()
        expectEqual(world)
        #expect(world.view(1).items.map(\.id).contains(cabin) && world.view(1).removedItems.isEmpty)
    }

    @Test("everybody has answered while nobody who is in the trip lacks an answer")
    func everybodyAnswered() throws {
        var (world, cabin, _, _) = try trip()
        for device in 1...2 { try world.perform(.setName("Noah \(device)"), on: device) }
        try world.syncAll()
        let unanswered = { (world: World) in world.view(0).group.unanswered(for: world.view(0).items[0]).count }
        for device in 0..<3 {
            #expect(unanswered(world) == 3 - device)
            try world.perform(.attend([cabin], device == 1 ? .notGoing : .going), on: device)
            try world.syncAll()
        }
        #expect(unanswered(world) == 0)
        try world.perform(.attend([cabin], nil), on: 2)
        try world.syncAll()
        #expect(unanswered(world) == 1)
        // Who was removed is not waited for, and does not count.
        var live = LiveTrip(world.nodes[0].replica, outside: [world.nodes[2].participant, world.nodes[1].participant])
        let view = live.view
        #expect(view.group.unanswered(for: view.items[0]).isEmpty)
        #expect(view.items[0].sayings.attendance.map(\.isOut).sorted { !$0 && $1 } == [false, true])
        #expect(throws: TripError(.nothingChanged, "you have no answer for “Cabin”; nothing to withdraw")) {
            try world.perform(.attend([cabin], nil), on: 2)
        }
    }

    @Test("a word that one adds and another takes away at the same moment is there")
    func amenities() throws {
        var (world, cabin, _, _) = try trip()
        try world.perform(.changeAmenities(cabin, added: ["WiFi", "sauna"], removed: []), on: 0)
        try world.syncAll()
        try world.perform(.changeAmenities(cabin, added: [], removed: ["wifi", "sauna"]), on: 1)
        try world.write(
            TripContent.encode([.item(.there(cabin.operation), .amenities(added: [Text("wifi")], removed: []))]), on: 2)
        try world.syncAll()
        expectEqual(world)
        #expect(world.view(0).items[0].sayings.amenities == ["wifi"])
    }

    @Test("comments of all stand in one order, and nobody takes another's away")
    func comments() throws {
        var (world, cabin, _, _) = try trip()
        for device in 0..<3 { try world.perform(.comment(cabin, "from \(device)"), on: device) }
        try world.syncAll()
        expectEqual(world)
        let comments = world.view(0).items[0].sayings.comments
        #expect(Set(comments.map(\.text)) == ["from 0", "from 1", "from 2"])
        let own = try #require(comments.first { $0.text == "from 1" })
        #expect(throws: TripError.self) { try world.perform(.removeComments([own.id]), on: 0) }
        // An operation written all the same has no effect.
        try world.write(TripContent.encode([.item(.there(own.id.operation), .remove)]), on: 0)
        try world.syncAll()
        #expect(world.view(2).items[0].sayings.comments.count == 3)
        try world.perform(.removeComments([own.id]), on: 1)
        try world.syncAll()
        #expect(world.view(2).items[0].sayings.comments.map(\.text).sorted() == ["from 0", "from 2"])
    }

    @Test("each of many comments is found again, wherever it stands and in whatever order it came")
    func manyComments() throws {
        var (world, cabin, _, _) = try trip()
        for number in 0..<5 {
            for device in 0..<3 { try world.perform(.comment(cabin, "\(number) from \(device)"), on: device) }
        }
        try world.syncAll()
        let comments = world.view(0).items[0].sayings.comments
        #expect(comments.count == 15)
        for (index, comment) in comments.enumerated() where index % 2 == 0 {
            let device = try #require(world.nodes.firstIndex { $0.participant == comment.author })
            try world.perform(.removeComments([comment.id]), on: device)
        }
        try world.syncAll()
        expectEqual(world)
        let left = comments.enumerated().filter { $0.offset % 2 == 1 }.map(\.element.text)
        #expect(world.view(2).items[0].sayings.comments.map(\.text) == left)
    }

    @Test("a comment brings an item back that somebody removes at the same moment")
    func commentedAndRemoved() throws {
        var (world, cabin, _, _) = try trip()
        try world.perform(.remove([cabin]), on: 1)
        try world.perform(.comment(cabin, "wait"), on: 2)
        try world.syncAll()
        #expect(world.view(1).items.map(\.title) == ["Cabin", "Hut"])
    }

    @Test("a choice, or that something is done, wins over a concurrent taking back of it, and says whose it is")
    func flags() throws {
        for flag in [Field.chosen, .done] {
            var (world, cabin, _, _) = try trip()
            try world.perform(.mark([cabin], flag, true), on: 0)
            try world.syncAll()
            try world.perform(.mark([cabin], flag, false), on: 1)
            try world.write(
                TripContent.encode([
                    .item(
                        .there(cabin.operation),
                        .edit([FieldWrite(field: flag, value: .text(Text(Field.setValue)), siblings: [])]))
                ]), on: 2)
            try world.syncAll()
            expectEqual(world)
            let shown = try #require(world.view(0).items[0].fields[flag])
            #expect(shown.shown.author == world.nodes[2].participant)
        }
    }

    @Test("if need be counts nothing, is no silence, and replaces the vote before it")
    func ifNeedBe() throws {
        var (world, cabin, _, _) = try trip()
        try world.perform(.vote([cabin], .for), on: 0)
        try world.perform(.vote([cabin], .ifNeedBe), on: 1)
        try world.syncAll()
        let view = world.view(2)
        #expect(view.items[0].tally == 1 && view.items[0].votes.map(\.word).contains(.ifNeedBe))
        #expect(view.group.waiting(for: view.items[0]).isEmpty == false || view.group.members.count == 2)
        try world.perform(.vote([cabin], .ifNeedBe), on: 0)
        #expect(world.view(0).items[0].tally == 0)
    }

    @Test("each pays for the nights that were chosen, and for an item's own before those")
    func sharing() throws {
        var (world, cabin, hut, _) = try trip()
        for device in 0..<3 { try world.perform(.setName("P\(device)"), on: device) }
        try world.perform(.edit(cabin, [.price: "90 EUR/night"]), on: 0)
        try world.perform(.edit(hut, [.price: "$30 pp", .dates: "2026-06-12/2026-06-13"]), on: 0)
        let dates = try world.add(
            ItemDraft(title: "June", fields: [.itemKind: "dates", .dates: "2026-06-12..15"]), on: 0)
        try world.syncAll()
        #expect(world.view(1).group.each(of: world.view(1).items[0]) == nil)
        try world.perform(.mark([dates], .chosen, true), on: 1)
        try world.syncAll()
        let view = world.view(2)
        #expect(view.group.nights == 3 && view.group.each(of: view.items[0]) == 9_000)
        #expect(view.group.each(of: view.items[1]) == 3_000)
    }

    @Test("a view in bytes is that view, with all that is in it")
    func bytes() throws {
        var (world, cabin, hut, list) = try trip()
        try world.perform(.move([cabin], .end(of: list)), on: 1)
        try world.perform(.move([hut], .end(of: list)), on: 1)
        try world.perform(.move([hut], .end(of: nil)), on: 1)
        try world.perform(.claim([cabin], 2), on: 1)
        try world.perform(.comment(cabin, "two\nlines"), on: 1)
        try world.perform(.changeAmenities(cabin, added: ["wifi"], removed: []), on: 1)
        let gone = try world.perform(.addList(title: "Gone", kind: .bring, [ItemDraft(title: "Soap")]), on: 1)
        try world.perform(.removeLists([world.item(gone)]), on: 1)
        let view = world.view(1)
        #expect(TripView(bytes: view.bytes) == view && view.removedLists.count == 1 && view.unlistedOrder != nil)
    }
}
