import Testing
import TripFixtures

@testable import TripModel

/// Groups in which not everybody has updated: an older version is one that knows less of the same content.
@Suite struct VersionTests {
    /// No quantities, no rooms, no votes against, and titles of at most 12 characters.
    private static let older = Vocabulary(kindMax: 7, fieldMax: 8, voteMax: 1, titleCharacters: 12)

    /// Devices of which some are older; each performs what its version knows, on what it shows.
    private func history(seed: UInt64) throws -> (World, older: Set<Int>) {
        var generator = SeededGenerator(seed: seed)
        var world = World(participants: [0, 1, 2, 2, 3])
        let older: Set<Int> = [1, 3]
        for device in older { world.nodes[device].vocabulary = Self.older }
        try world.perform(.add([ItemDraft(title: "first"), ItemDraft(title: "second")]), on: 1)
        try world.syncAll()
        for _ in 0..<70 {
            let device = generator.below(world.nodes.count)
            if generator.below(3) == 0 {
                try world.meet(device, generator.below(world.nodes.count), using: &generator)
            } else if older.contains(device) {
                try world.actAsOlder(on: device, using: &generator)
            } else if generator.below(3) == 0 {
                try world.actAsNewer(on: device, using: &generator)
            } else {
                try world.act(on: device, using: &generator)
            }
        }
        return (world, older)
    }

    @Test("nodes of one version show the same, and what happened before says to that version", arguments: 1...40)
    func oneVersion(seed: UInt64) throws {
        var (world, older) = try history(seed: seed)
        for device in world.nodes.indices {
            let node = world.nodes[device]
            let known = Specification(log: world.log, held: node.held, vocabulary: node.vocabulary)
            #expect(Specification.describe(node.replica.view) == known.description)
        }
        try world.syncAll()
        for isOlder in [true, false] {
            let devices = world.nodes.indices.filter { older.contains($0) == isOlder }
            #expect(Set(devices.map { world.nodes[$0].replica.encodedState }).count == 1)
        }
        let unknown = world.nodes[1].replica.unknownCounts
        #expect(world.nodes[0].replica.unknownCounts.isEmpty && !unknown.isEmpty)
        for device in world.nodes.indices where !older.contains(device) {
            let written = world.log.filter { $0.participant == world.nodes[device].participant }
            let count = written.count { TripContent($0.content, vocabulary: Self.older).hasUnknown }
            #expect(unknown[world.nodes[device].participant] == (count == 0 ? nil : count))
        }
    }

    @Test(
        "after an update the state, folded again, equals that of a node that was new all along", arguments: 1...40)
    func update(seed: UInt64) throws {
        var (world, older) = try history(seed: seed)
        try world.syncAll()
        var generator = SeededGenerator(seed: seed)
        for device in older {
            let node = world.nodes[device]
            var updated = TripReplica()
            for entry in node.order { updated.apply(world.change(entry, in: node.order)) }
            #expect(updated == world.nodes[0].replica && updated.encodedState == world.nodes[0].replica.encodedState)
            #expect(updated.unknownCounts.isEmpty)
        }
        var replica = TripReplica()
        for change in world.changes(inOrderOf: &generator, vocabulary: Self.older) { replica.apply(change) }
        #expect(replica == world.nodes[1].replica)
    }

    @Test("a title that an older version cannot show stays beside what that version writes")
    func longerTitle() throws {
        var world = World(participants: [0, 1, 2])
        world.nodes[1].vocabulary = Self.older
        let cabin = try world.add(ItemDraft(title: "Cabin", fields: [.rooms: "two"]), on: 0)
        try world.perform(.setTitle("Lisbon"), on: 0)
        try world.syncAll()
        try world.perform(.edit(cabin, [.title: "Cabin by the quiet lake"]), on: 0)
        try world.perform(.setTitle("Lisbon in the first week of June"), on: 0)
        try world.syncAll()
        #expect(world.view(1).items[0].titles == ["Cabin"] && world.view(1).title?.value == "Lisbon")
        try world.perform(.edit(cabin, [.title: "Hut"]), on: 1)
        try world.perform(.setTitle("Porto"), on: 1)
        try world.perform(.edit(cabin, [.note: "quiet"]), on: 1)
        try world.syncAll()
        #expect(world.view(1).items[0].titles == ["Hut"] && world.view(1).title?.value == "Porto")
        for device in [0, 2] {
            let view = world.view(device)
            #expect(view.items[0].titles == ["Hut", "Cabin by the quiet lake"])
            #expect(view.title?.alternatives.map(\.value) == ["Lisbon in the first week of June"])
            #expect(view.items[0].fields[.rooms]?.value == "two" && view.items[0].fields[.note]?.value == "quiet")
        }
        // A member who sees both picks one: then it is the only title, also for older versions that can show it.
        try world.perform(.edit(cabin, [.title: "Hut"]), on: 2)
        try world.syncAll()
        for device in 0..<3 { #expect(world.view(device).items[0].titles == ["Hut"]) }
    }

    @Test("two titles that an older version cannot show both stay beside what that version writes")
    func longerTitles() throws {
        var world = World(participants: [0, 1])
        world.nodes[1].vocabulary = Self.older
        let cabin = try world.add(ItemDraft(title: "Cabin"), on: 0)
        try world.perform(.edit(cabin, [.title: "Cabin by the quiet lake"]), on: 0)
        // Begun before the other came.
        try world.perform(.edit(cabin, [.title: "Cabin with a stove"], shown: [.title: ["Cabin"]]), on: 0)
        try world.syncAll()
        try world.perform(.edit(cabin, [.title: "Hut"]), on: 1)
        try world.syncAll()
        #expect(world.view(0).items[0].titles == ["Hut", "Cabin with a stove", "Cabin by the quiet lake"])
    }

    @Test("what is put beside something that an older version does not know is in its list there")
    func unknownAnchor() throws {
        var world = World(participants: [0, 1])
        world.nodes[1].vocabulary = Vocabulary(kindMax: 10, fieldMax: 8, voteMax: 1, titleCharacters: 12)
        let cabin = try world.add(ItemDraft(title: "Cabin"), on: 0)
        let made = try world.perform(.addList(title: "Shortlist", kind: nil, []), on: 0)
        let list = world.item(made)
        try world.perform(.add([ItemDraft(title: "Cabin by the quiet lake")], to: list), on: 0)
        try world.perform(.move([cabin], .end(of: list)), on: 0)
        try world.perform(.add([ItemDraft(title: "Hut")], to: list), on: 0)
        try world.syncAll()
        let titles = { (device: Int) in
            let view = world.view(device)
            return view.items(of: view.lists[0]).map(\.title)
        }
        #expect(titles(0) == ["Cabin by the quiet lake", "Cabin", "Hut"])
        #expect(titles(1) == ["Cabin", "Hut"])
        // It upholds the item, as all does that is done to it.
        try world.perform(.remove([cabin]), on: 1)
        try world.perform(.move([cabin], .before(world.view(0).lists[0].items[0])), on: 0)
        try world.syncAll()
        #expect(world.view(1).removedItems.isEmpty && titles(1).sorted() == ["Cabin", "Hut"])
    }

    @Test("what an older version does not know upholds nothing there, and does after the update")
    func unknownVote() throws {
        var world = World(participants: [0, 1])
        world.nodes[1].vocabulary = Self.older
        let cabin = try world.add(ItemDraft(title: "Cabin"), on: 0)
        try world.syncAll()
        try world.perform(.vote([cabin], .against), on: 0)
        try world.perform(.changeQuantity(cabin, by: 2), on: 0)
        try world.perform(.remove([cabin]), on: 1)
        try world.syncAll()
        #expect(world.view(0).items.count == 1 && world.view(1).removedItems.count == 1)
        #expect(world.nodes[1].replica.unknownCounts == [world.nodes[0].participant: 2])
        // An edit of a field that is not known upholds the item: whose that is can be read.
        try world.perform(.restore([cabin]), on: 1)
        try world.syncAll()
        try world.perform(.remove([cabin]), on: 1)
        // Above the removal in the order of all changes.
        for name in ["Jie", "Jie M."] { try world.perform(.setName(name), on: 0) }
        try world.perform(.edit(cabin, [.rooms: "two"]), on: 0)
        try world.syncAll()
        #expect(world.view(1).items.map(\.title) == ["Cabin"])
        let order = world.nodes[1].order
        let entry = TripReplica.history(of: order.map { world.change($0, in: order, vocabulary: Self.older) })
        #expect(
            entry.last?.events == [
                .item(id: cabin, title: "Cabin", event: .edited(fields: []), broughtBack: true)
            ])
    }
}

extension World {
    /// What an older version can say; what the rules refuse is passed over.
    fileprivate mutating func actAsOlder(on device: Int, using generator: inout SeededGenerator) throws {
        let items = view(device).items.map(\.id)
        let word = generator.pick(["red", "green", "blue"])
        let action: TripAction
        switch generator.below(8) {
        case _ where items.isEmpty: action = .add([ItemDraft(title: word)])
        case 0: action = .setTitle(word)
        case 1: action = .remove([generator.pick(items)])
        case 2: action = .vote([generator.pick(items)], .for)
        case 3: action = .add([ItemDraft(title: word, fields: [.note: word])])
        case 4: action = .edit(generator.pick(items), [.note: generator.pick([nil, word])])
        default: action = .edit(generator.pick(items), [.title: word])
        }
        do { try perform(action, on: device) } catch let error as TripError
            where [.nothingChanged, .malformedValue].contains(error.code)
        {}
    }

    /// What a newer version says that the older ones do not know.
    fileprivate mutating func actAsNewer(on device: Int, using generator: inout SeededGenerator) throws {
        let items = view(device).items.map(\.id)
        let long = "a title of \(generator.below(9)) many words"
        let action: TripAction
        switch generator.below(7) {
        case _ where items.isEmpty: action = .add([ItemDraft(title: long, quantity: 3)])
        case 0: action = .setTitle(long)
        case 1: action = .edit(generator.pick(items), [.title: long, .rooms: "two"])
        case 2: action = .vote([generator.pick(items)], .against)
        case 3: action = .changeQuantity(generator.pick(items), by: 4)
        case 4: action = .add([ItemDraft(title: long)])
        case 5: action = .attend([generator.pick(items)], generator.pick([.going, .maybe, .notGoing]))
        default: action = .edit(generator.pick(items), [.rooms: generator.pick([nil, "three"])])
        }
        do { try perform(action, on: device) } catch let error as TripError
            where [.nothingChanged, .malformedValue].contains(error.code)
        {}
    }
}
