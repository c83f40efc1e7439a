import Testing
import TripFixtures

@testable import TripModel

/// An edit replaces what its writer was shown: values that arrived in between stay beside it.
@Suite struct EditAsSeenTests {
    /// Two people and a cabin that both see, at €80.
    private func world() throws -> (World, cabin: ItemID) {
        var world = World(participants: [0, 1, 2])
        let cabin = try world.add(ItemDraft(title: "Cabin", fields: [.price: "€80"]), on: 0)
        try world.syncAll()
        return (world, cabin)
    }

    /// What stands at a field, highest first: the value that is shown, then those beside it.
    private func standing(_ field: Field, _ world: World, on device: Int = 0) -> [String] {
        guard let view = world.view(device).items.first?.fields[field] else { return [] }
        return [view.value] + view.alternatives.map(\.value)
    }

    /// Writes on every device what the devices write at the same moment, each over all that it sees.
    private func propose(_ values: [String], _ field: Field, of item: ItemID, in world: inout World) throws {
        for (device, value) in values.enumerated() { try world.perform(.edit(item, [field: value]), on: device) }
        try world.syncAll()
    }

    @Test("a form that was open for long buries nothing that it did not show")
    func nothingUnseenIsBuried() throws {
        var (world, cabin) = try world()
        // Jie opens the form at €80; Noah writes €95; it comes here before Jie saves.
        try world.perform(.edit(cabin, [.price: "€95"]), on: 1)
        try world.syncAll()
        try world.perform(.edit(cabin, [.price: "€90"], shown: [.price: ["€80"]]), on: 0)
        try world.syncAll()
        for device in 0..<3 {
            #expect(standing(.price, world, on: device) == ["€90", "€95"], "what is written last is highest")
        }
    }

    @Test("an edit that says nothing of what was shown replaces all that stands")
    func allThatStandsIsReplaced() throws {
        var (world, cabin) = try world()
        try propose(["€90", "€95", "€99"], .price, of: cabin, in: &world)
        #expect(standing(.price, world).count == 3)
        try world.perform(.edit(cabin, [.price: "€91"]), on: 0)
        #expect(standing(.price, world) == ["€91"])
    }

    @Test("each value that was shown is replaced, and each that was not stays")
    func shownValuesAreReplaced() throws {
        var (world, cabin) = try world()
        try propose(["€90", "€95", "€99"], .price, of: cabin, in: &world)
        try world.perform(.edit(cabin, [.price: "€91"], shown: [.price: ["€99", "€90"]]), on: 0)
        #expect(standing(.price, world) == ["€91", "€95"])
        try world.perform(.edit(cabin, [.price: "€92"], shown: [.price: ["€95", "€91"]]), on: 0)
        #expect(standing(.price, world) == ["€92"])
    }

    @Test("an edit of a field that was shown empty replaces no value that arrived since")
    func anEmptyListSawNothing() throws {
        var (world, cabin) = try world()
        try world.perform(.edit(cabin, [.details: "by the lake"]), on: 1)
        try world.syncAll()
        try world.perform(.edit(cabin, [.details: "in the woods"], shown: [.details: []]), on: 0)
        #expect(standing(.details, world) == ["in the woods", "by the lake"])
    }

    @Test("what was shown of one field says nothing of another")
    func fieldsAreApart() throws {
        var (world, cabin) = try world()
        try world.perform(.edit(cabin, [.price: "€95", .title: "Hut"]), on: 1)
        try world.syncAll()
        try world.perform(
            .edit(cabin, [.price: "€90", .title: "Chalet"], shown: [.price: ["€80"]]), on: 0)
        #expect(standing(.price, world) == ["€90", "€95"])
        #expect(standing(.title, world) == ["Chalet"])
    }

    @Test("dates that are called by their days are called by the new ones, unless somebody gave them a title")
    func aTitleFollowsItsDays() throws {
        var world = World(participants: [0, 1])
        let dates = try world.add(
            ItemDraft(title: "12–20 June 2027", fields: [.dates: "2027-06-12/2027-06-20"]), on: 0)
        try world.syncAll()
        try world.perform(.edit(dates, [.dates: "13-21 June 2027"]), on: 0)
        try world.perform(.edit(dates, [.dates: "2027-06-14..22"]), on: 1)
        try world.syncAll()
        #expect(Set(standing(.title, world)) == ["13–21 June 2027", "14–22 June 2027"])
        // Who picks the days picks their title.
        try world.perform(.edit(dates, [.dates: "2027-06-13..21"]), on: 0)
        #expect(standing(.title, world) == ["13–21 June 2027"])
        try world.perform(.edit(dates, [.title: "Our week"]), on: 0)
        try world.perform(.edit(dates, [.dates: "2027-06-15..22"]), on: 0)
        #expect(standing(.title, world) == ["Our week"])
    }

    @Test("clearing as seen takes away what was shown and leaves what was not")
    func clearingLeavesTheUnseen() throws {
        var (world, cabin) = try world()
        try propose(["€90", "€95"], .price, of: cabin, in: &world)
        try world.perform(.edit(cabin, [.price: nil], shown: [.price: ["€90"]]), on: 0)
        #expect(standing(.price, world) == ["€95"])
        // What was shown is gone by now: there is nothing to clear, and nothing is written.
        let before = world.nodes[0].replica
        let error = #expect(throws: TripError.self) {
            try world.perform(.edit(cabin, [.price: nil], shown: [.price: ["€90"]]), on: 0)
        }
        #expect(error?.code == .nothingChanged && world.nodes[0].replica == before)
        try world.perform(.edit(cabin, [.price: nil], shown: [.price: ["€95"]]), on: 0)
        #expect(standing(.price, world) == [])
    }

    @Test("a value that somebody else wrote meanwhile is written once, and what was shown goes")
    func theSameValueUnseen() throws {
        var (world, cabin) = try world()
        // Nothing else stands: it is so already.
        try world.perform(.edit(cabin, [.price: "€95"]), on: 1)
        try world.syncAll()
        let error = #expect(throws: TripError.self) {
            try world.perform(.edit(cabin, [.price: "€95"], shown: [.price: ["€80"]]), on: 0)
        }
        #expect(error?.code == .nothingChanged)
        // What was shown stands beside it: that is replaced.
        try propose(["€90", "€97"], .price, of: cabin, in: &world)
        try world.perform(.edit(cabin, [.price: "€97"], shown: [.price: ["€90"]]), on: 0)
        #expect(standing(.price, world) == ["€97"])
        // Both wrote it: to replace it later replaces both.
        try world.syncAll()
        try world.perform(.edit(cabin, [.price: "€98"], shown: [.price: ["€97"]]), on: 2)
        #expect(standing(.price, world, on: 2) == ["€98"])
    }

    @Test("what a browser sends back with other line ends and spaces is what was shown")
    func shownAsBrowsersSendIt() throws {
        var (world, cabin) = try world()
        try world.perform(.edit(cabin, [.details: "two\nlines", .place: "38.7,-9.1"]), on: 0)
        try world.perform(
            .edit(
                cabin, [.details: "one line", .place: "1,2"],
                shown: [.details: ["two\r\nlines\r\n"], .place: [" 38.7, -9.1 "]]), on: 0)
        #expect(standing(.details, world) == ["one line"] && standing(.place, world) == ["1,2"])
        // Texts that look alike and differ in scalars are different.
        try world.perform(.edit(cabin, [.details: "Cafe\u{301}"]), on: 0)
        try world.perform(.edit(cabin, [.details: "tea"], shown: [.details: ["Caf\u{E9}"]]), on: 0)
        #expect(standing(.details, world) == ["tea", "Cafe\u{301}"])
    }

    @Test("a value that was shown and then replaced is nobody's to replace again")
    func whatWasReplacedIsPassedOver() throws {
        var (world, cabin) = try world()
        try world.perform(.edit(cabin, [.price: "€85"], shown: [.price: ["€80", "€70", ""]]), on: 1)
        try world.syncAll()
        let write = try world.perform(.edit(cabin, [.price: "€90"], shown: [.price: ["€80", "€70"]]), on: 0)
        #expect(standing(.price, world) == ["€90", "€85"])
        // The writer of €85 shows the form again, sees both, and decides.
        try world.sync(from: 0, to: 1)
        try world.perform(.edit(cabin, [.price: "€90"], shown: [.price: ["€90", "€85"]]), on: 1)
        try world.syncAll()
        #expect(standing(.price, world) == ["€90"] && TripContent(world.log[write].content).operations.count == 1)
    }

    @Test("forms that several people had open converge, in every order of arrival")
    func everyoneSeesTheSame() throws {
        for seed in UInt64(0)..<40 {
            var generator = SeededGenerator(seed: seed)
            var (world, cabin) = try world()
            var forms = Array(repeating: ["€80"], count: 3)
            for step in 0..<25 {
                let device = generator.below(3)
                switch generator.below(3) {
                case 0: forms[device] = standing(.price, world, on: device)
                case 1: try world.sync(from: generator.below(3), to: device)
                default:
                    let before = standing(.price, world, on: device)
                    try world.perform(
                        .edit(cabin, [.price: "€\(step)"], shown: [.price: forms[device]]), on: device)
                    let unseen = before.filter { !forms[device].contains($0) }
                    #expect(standing(.price, world, on: device) == ["€\(step)"] + unseen, "seed \(seed)")
                }
            }
            try world.syncAll()
            #expect(Set(world.nodes.map(\.replica.encodedState)).count == 1, "seed \(seed)")
        }
    }
}
