import FoundationEssentials
import TestTiers
import Testing

/// What two homes and a second device do to the same things while nobody hears of anybody: each rule of Documentation/Content.md.
@Suite final class ConflictTests {
    /// How many sealed files were carried.
    private var carried = 0

    @Test("homes that were apart show one trip, by the rule of everything that it holds", .tags(.slow))
    func everyRule() async throws {
        let trip = try await Gathering()
        let (jie, noah) = (trip.founder, try await trip.joined("noah", as: "Noah"))
        let phone = try await secondDevice(of: noah, in: trip)
        for list in ["Stays", "Old", "Gone", "Packing"] {
            try await jie.done("lists", "new", list, "\(list)'s first")
        }
        for title in ["Casa do Rio", "Loft", "Chosen", "Wandering", "Mussels", "Fries"] {
            try await jie.done("add", title)
        }
        try await jie.done("choose", "Chosen")
        try await jie.done("edit", "Casa do Rio", "--amenity", "wifi")
        try await jie.done("edit", "Fries", "--note", "first")
        try await carry(from: jie, to: [noah, phone], trip)
        try await actApart(jie, noah, phone)
        for home in [noah, phone] { try await carry(from: home, to: [jie], trip) }
        try await carry(from: jie, to: [noah, phone], trip)
        let list = try await jie.json("list")
        for home in [noah, phone] { #expect(try await home.json("list") == list) }
        try await expectEveryRule(jie)
        for home in [noah, phone] { #expect(try await home.done("wishes") == "1  A boat\n") }
        // What Noah wrote at the same moment stays when Jie undoes theirs, beside what both had removed.
        try await jie.done("undo")
        let fries = try await jie.done("show", "Fries")
        #expect(fries.contains("noted by Noah") && !fries.contains("noted by Jie"), "\(fries)")
        #expect(fries.contains("first") && !fries.contains("also proposed"), "\(fries)")
    }

    /// The founder's node runs, and is ended here.
    private func secondDevice(of noah: Product, in trip: Gathering) async throws -> Product {
        let node = try await trip.node(of: noah)
        let link = try await noah.done("device", "add").split(separator: "\n").first.map(String.init)
        let phone = trip.home("phone")
        try await phone.done("join", try #require(link), "--as", "Noah", "--peer", node.address)
        try await node.end()
        try await trip.part()
        return phone
    }

    private func carry(from home: Product, to others: [Product], _ trip: Gathering) async throws {
        carried += 1
        let path = "\(trip.scratch.path)/\(carried).sealed"
        try await home.done("export", "--sealed", path)
        for other in others { try await other.done("import", path) }
    }

    private func acts(of home: Product, _ lines: [[String]]) async throws {
        for words in lines {
            let outcome = try await home.run(words)
            try #require(outcome.status == 0, "\(words): \(outcome.errors)")
        }
    }

    private func actApart(_ jie: Product, _ noah: Product, _ phone: Product) async throws {
        try await acts(
            of: jie,
            [
                ["edit", "Casa do Rio", "--title", "Casa do Tejo"], ["remove", "Loft"], ["choose", "Chosen", "--not"],
                ["lists", "rename", "Packing", "Bags"], ["add", "a1", "--list", "Stays"],
                ["add", "a2", "--list", "Stays"], ["move", "Wandering", "--list", "Stays"], ["lists", "remove", "Old"],
                ["lists", "remove", "Gone"], ["vote", "Fries"], ["bring", "Fries"], ["going", "Chosen"],
                ["quantity", "Mussels", "+2"],
                ["edit", "Casa do Tejo", "--no-amenity", "wifi"], ["comment", "Fries", "said by Jie"],
                ["rename", "Lisbon in July"], ["edit", "Fries", "--note", "noted by Jie"],
            ])
        // What is taken back and said again is said at the same moment as it is taken back elsewhere.
        try await acts(
            of: noah,
            [
                ["edit", "Casa do Rio", "--title", "Casa by the river"], ["comment", "Loft", "is whole"],
                ["choose", "Chosen", "--not"], ["choose", "Chosen"], ["lists", "rename", "Packing", "To bring"],
                ["add", "b1", "--list", "Stays"], ["add", "b2", "--list", "Stays"],
                ["move", "Wandering", "--list", "To bring"], ["add", "late", "--list", "Old"], ["vote", "Fries"],
                ["bring", "Fries"], ["going", "Chosen"], ["quantity", "Mussels", "+1"],
                ["edit", "Casa by the river", "--no-amenity", "wifi"],
                ["edit", "Casa by the river", "--amenity", "wifi"],
                ["comment", "Fries", "said by Noah"], ["rename", "Lisbon in August"], ["rename", "--me", "Laptop"],
                ["wish", "A boat"], ["edit", "Fries", "--note", "noted by Noah"],
            ])
        try await acts(
            of: phone,
            [
                ["vote", "Fries", "--against"], ["going", "Chosen", "--maybe"], ["rename", "--me", "Phone"],
                ["wish", "A boat"],
            ])
    }

    private func expectEveryRule(_ jie: Product) async throws {
        let text = try await jie.done("list")
        func times(_ part: String) -> Int { text.components(separatedBy: part).count - 1 }
        #expect(times("Lisbon in July") == 1 && times("Lisbon in August") == 1, "the trip's titles: \(text)")
        #expect(times("Casa do Tejo") == 1 && times("Casa by the river") == 1, "an item's titles: \(text)")
        #expect(times("Loft") == 1 && times("1 comment\n") == 1, "a removal beside a comment: \(text)")
        #expect(times("★ Chosen") == 1, "choosing beside taking that back: \(text)")
        #expect(times("Bags") == 1 && times("To bring") == 1, "a list's names: \(text)")
        #expect(times("\nOld\n") == 1 && times("late") == 1, "something new in a list that is removed: \(text)")
        #expect(times("\nGone\n") == 0 && times("Gone's first") == 1, "what was in a list that is gone: \(text)")
        #expect(times("Wandering") == 1, "an item that two moved: \(text)")
        #expect(times("×3") == 1, "steps of a quantity: \(text)")
        let added = text.split(whereSeparator: \.isWhitespace).filter { ["a1", "a2", "b1", "b2"].contains($0) }
        #expect([["a1", "a2", "b1", "b2"], ["b1", "b2", "a1", "a2"]].contains(added), "two people's blocks: \(text)")
        let fries = try await jie.done("show", "Fries")
        #expect(times("Laptop") == 0 || times("Phone") == 0, "one name of a person: \(text)")
        let name = times("Laptop") > 0 ? "Laptop" : "Phone"
        #expect(fries.contains("Jie brings it, \(name) brings it"), "claims: \(fries)")
        #expect(
            fries.contains("Jie, \(name)\n") != fries.contains("Jie · against: \(name)\n"),
            "one vote of a person with two devices: \(fries)")
        let chosen = try await jie.done("show", "Chosen")
        #expect(
            chosen.contains("Jie, \(name)\n") != chosen.contains("Jie · maybe: \(name)\n"),
            "one answer of a person with two devices: \(chosen)")
        #expect(chosen.contains("everybody has answered"), "answers of all: \(chosen)")
        #expect(fries.contains("said by Noah") && fries.contains("said by Jie"), "comments: \(fries)")
        #expect(fries.contains("noted by Noah") && fries.contains("noted by Jie"), "notes: \(fries)")
        let shown = text.contains("also proposed: Casa do Tejo") ? "Casa by the river" : "Casa do Tejo"
        let casa = try await jie.done("show", shown)
        #expect(casa.contains("wifi"), "an amenity that is taken away and said again: \(casa)")
    }
}
