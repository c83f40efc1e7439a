import DeltaCRDT
import Testing
import TripFixtures

@testable import TripModel

/// The table of DESIGN §4, a test for each rule.
@Suite struct ConflictRuleTests {
    /// Jie has added a cabin with everything to it, Michelle has voted, and both have it all.
    private func cabin(participants: [Int] = [0, 1, 2]) throws -> (World, ItemID) {
        var world = World(participants: participants)
        let draft = ItemDraft(
            title: "Cabin", fields: [.note: "by the lake", .price: "€120", .link: "https://example.org/c"],
            quantity: 2)
        let entry = try world.perform(.add([draft]), on: 0)
        let item = world.item(entry)
        try world.syncAll()
        try world.perform(.vote([item], .for), on: 1)
        try world.syncAll()
        return (world, item)
    }

    @Test func whatIsConcurrentWithARemoveBringsTheItemBackWhole() throws {
        let (start, item) = try cabin()
        let revivals: [TripAction] = [
            .edit(item, [.price: "€100"]), .vote([item], .for), .vote([item], .against),
            .changeQuantity(item, by: 1), .edit(item, [.note: nil]),
        ]
        for revival in revivals {
            var world = start
            try world.perform(.remove([item]), on: 0)
            try world.perform(revival, on: 2)
            #expect(world.view(0).items.isEmpty)
            try world.syncAll()
            for device in 0..<3 {
                let view = try #require(world.view(device).items.first, "\(revival)")
                #expect(view.title == "Cabin")
                #expect(view.fields[.link]?.value == "https://example.org/c")
                #expect(view.vote(of: world.nodes[1].participant) == .for)
                #expect((view.quantity ?? 0) >= 2)
                #expect(world.view(device).removedItems.isEmpty)
            }
            #expect(Set(world.nodes.map(\.replica.encodedState)).count == 1)
        }
    }

    @Test func aRemoveCoversOnlyWhatItsAuthorSaw() throws {
        var (world, item) = try cabin()
        try world.perform(.vote([item], .for), on: 2)
        try world.perform(.remove([item]), on: 0)
        try world.sync(from: 0, to: 1)
        #expect(world.view(1).items.isEmpty)
        try world.sync(from: 2, to: 1)
        #expect(world.view(1).items.map(\.tally) == [2])
        // Now everybody has seen everything: the next remove covers it all.
        try world.syncAll()
        try world.perform(.remove([item]), on: 1)
        try world.syncAll()
        for device in 0..<3 { #expect(world.view(device).items.isEmpty) }
    }

    @Test func whatIsRemovedIsHiddenAndComesBackByRestore() throws {
        var (world, item) = try cabin()
        let before = try #require(world.view(0).items.first)
        try world.perform(.remove([item]), on: 0)
        let hidden = try #require(world.view(0).removedItems.first)
        #expect(hidden.isRemoved && hidden.number == before.number && hidden.fields == before.fields)
        try world.perform(.restore([item]), on: 0)
        let after = try #require(world.view(0).items.first)
        #expect(after.fields == before.fields && after.votes == before.votes && after.quantity == before.quantity)
    }

    @Test func removedByTwoIsRemovedAndRestoredByOneIsThere() throws {
        var (world, item) = try cabin()
        try world.perform(.remove([item]), on: 0)
        try world.perform(.remove([item]), on: 1)
        try world.syncAll()
        #expect(world.view(2).items.isEmpty)
        try world.perform(.restore([item]), on: 2)
        try world.syncAll()
        for device in 0..<3 { #expect(world.view(device).items.count == 1) }
    }

    @Test func existenceDoesNotPileUp() throws {
        var (world, item) = try cabin()
        for round in 0..<50 {
            try world.perform(.vote([item], round % 2 == 0 ? .for : .against), on: round % 3)
            try world.syncAll()
        }
        let state = world.nodes[0].replica.state.items[item]
        #expect(state?.existence.enablings.count == 1)
        #expect(state?.fields[.title].count == 1)
    }

    @Test func concurrentValuesAreAllKeptEqualOnesOnceHighestFirst() throws {
        var (world, item) = try cabin()
        // Noah's second write has the higher Lamport time; Jie and Michelle agree.
        try world.perform(.edit(item, [.title: "Hut"]), on: 0)
        try world.perform(.edit(item, [.title: "Hut"]), on: 1)
        try world.perform(.edit(item, [.title: "Shack"]), on: 2)
        try world.perform(.edit(item, [.title: "Lodge"]), on: 2)
        try world.syncAll()
        for device in 0..<3 {
            let field = try #require(world.view(device).items[0].fields[.title])
            #expect(field.value == "Lodge")
            #expect(field.alternatives.map(\.value) == ["Hut"])
        }
        // Picking one is a write of it, by anyone who has seen them all.
        try world.perform(.edit(item, [.title: "Hut"]), on: 1)
        try world.syncAll()
        for device in 0..<3 { #expect(world.view(device).items[0].titles == ["Hut"]) }
    }

    @Test func aWriteSupersedesWhatItsAuthorSawAndNothingElse() throws {
        var (world, item) = try cabin()
        try world.perform(.edit(item, [.price: "€90"]), on: 0)
        try world.perform(.edit(item, [.price: "€80"]), on: 1)
        try world.perform(.edit(item, [.note: "quiet"]), on: 2)
        try world.sync(from: 0, to: 2)
        try world.perform(.edit(item, [.price: "€70"]), on: 2)
        try world.syncAll()
        let shown = try #require(world.view(0).items[0].fields[.price])
        #expect(Set([shown.value] + shown.alternatives.map(\.value)) == ["€70", "€80"])
        #expect(world.view(0).items[0].fields[.note]?.value == "quiet")
    }

    @Test func aWriteWinsOverAConcurrentClear() throws {
        var (world, item) = try cabin()
        try world.perform(.edit(item, [.note: nil]), on: 0)
        try world.perform(.edit(item, [.note: "sauna"]), on: 1)
        try world.syncAll()
        #expect(world.view(2).items[0].fields[.note]?.value == "sauna")
        try world.perform(.edit(item, [.note: nil]), on: 2)
        try world.syncAll()
        #expect(world.view(0).items[0].fields[.note] == nil)
    }

    @Test func twoDevicesOfOneParticipantCountOnce() throws {
        var (world, item) = try cabin(participants: [0, 1, 1])
        try world.perform(.vote([item], .against), on: 1)
        try world.perform(.vote([item], nil), on: 2)
        try world.perform(.vote([item], .for), on: 2)
        try world.syncAll()
        // Michelle's second device wrote at the higher Lamport time.
        for device in 0..<3 {
            #expect(world.view(device).items[0].votes.map(\.word) == [.for])
            #expect(world.view(device).items[0].tally == 1)
        }
        try world.perform(.vote([item], nil), on: 1)
        try world.syncAll()
        #expect(world.view(0).items[0].votes.isEmpty)
        #expect(world.view(0).items.count == 1)
    }

    @Test func votingAgainIsIdempotent() throws {
        var (world, item) = try cabin()
        try world.perform(.vote([item, item], .for), on: 0)
        // An honest node does not write what says nothing new; what does so counts no more than once.
        let content = TripContent.encode([.item(.there(item.operation), .vote(.for))])
        for _ in 0..<3 { try world.write(content, on: 0) }
        try world.syncAll()
        #expect(world.view(2).items[0].tally == 2)
        #expect(world.view(2).items[0].votes.count == 2)
    }

    @Test func everyIncrementCounts() throws {
        var (world, item) = try cabin()
        for device in 0..<3 {
            for _ in 0..<4 { try world.perform(.changeQuantity(item, by: 1), on: device) }
            try world.perform(.changeQuantity(item, by: -2), on: device)
        }
        try world.syncAll()
        for device in 0..<3 { #expect(world.view(device).items[0].quantity == Int64(8)) }
        #expect(Set(world.nodes.map(\.replica)).count == 1)
    }

    @Test func titlesOfTheTripAndNames() throws {
        var world = World(participants: [0, 1, 2])
        try world.perform(.setTitle("Lisbon"), on: 0)
        try world.perform(.setName("Jie"), on: 0)
        try world.perform(.setTitle("Porto"), on: 1)
        try world.perform(.setName("jie"), on: 1)
        try world.syncAll()
        for device in 0..<3 {
            let title = try #require(world.view(device).title)
            #expect(Set([title.value] + title.alternatives.map(\.value)) == ["Lisbon", "Porto"])
            #expect(Set(world.view(device).participants.map { $0.displayName.lowercased() }) == ["jie", "jie (2)"])
        }
        try world.perform(.setTitle("Porto"), on: 2)
        try world.perform(.setName("Jie of Macao"), on: 1)
        try world.syncAll()
        #expect(world.view(0).title?.value == "Porto" && world.view(0).title?.alternatives.isEmpty == true)
        #expect(world.view(0).participants.compactMap(\.name).sorted() == ["Jie", "Jie of Macao"])
    }

    /// Nil where there is one value: of flags.
    private static func values(of kind: FieldKind) -> (String, String)? {
        let jie = ParticipantID(high: 7, low: 1)
        return switch kind {
        case .heading, .phrase, .prose: ("Ana", "Rui")
        case .link: ("https://a.example", "https://b.example")
        case .place: ("1.5,2.5", "3.5,4.5")
        case .word: ("stay", "idea")
        case .dates: ("2026-06-12/2026-06-15", "2026-06-19/2026-06-22")
        case .day: ("2026-06-03", "2026-06-04")
        case .count: ("2", "3")
        case .cost: ("EUR 8 by \(jie):8 for equally \(jie)", "EUR 9 by \(jie):9 for equally \(jie)")
        case .person: ("\(jie)", "\(ParticipantID(high: 7, low: 2))")
        case .flag, .question: nil
        }
    }

    @Test("whatever the field, both values of one moment stand until somebody picks one")
    func everyField() throws {
        let (start, item) = try cabin()
        // Payments and ways to answer are written once; what two write in a note is one text.
        for field in Field.allCases where field.isEditable && field != .note {
            guard let (one, other) = Self.values(of: field.kind) else { continue }
            var world = start
            try world.perform(.edit(item, [field: one]), on: 0)
            try world.perform(.edit(item, [field: other]), on: 1)
            try world.syncAll()
            for device in 0..<3 {
                let shown = try #require(world.view(device).items[0].fields[field], "\(field.name)")
                #expect(Set([shown.value] + shown.alternatives.map(\.value)) == [one, other], "\(field.name)")
            }
            try world.perform(.edit(item, [field: one]), on: 2)
            try world.syncAll()
            #expect(world.view(0).items[0].fields[field]?.value == one, "\(field.name)")
            #expect(world.view(0).items[0].fields[field]?.alternatives.isEmpty == true, "\(field.name)")
        }
    }

    @Test("two who take the last at the same moment leave it short, and nobody takes more")
    func short() throws {
        var (world, item) = try cabin()
        try world.perform(.changeQuantity(item, by: -2), on: 0)
        try world.perform(.changeQuantity(item, by: -2), on: 1)
        try world.syncAll()
        for device in 0..<3 {
            #expect(world.view(device).items[0].quantity == -2)
            #expect(throws: TripError.self) { try world.perform(.changeQuantity(item, by: -1), on: device) }
        }
    }
}
