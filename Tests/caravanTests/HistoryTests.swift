import Foundation
import Testing

/// What the history says besides what was planned.
struct HistoryTests {
    private func line(in history: String, naming words: String...) -> Bool {
        history.split(separator: "\n").contains { line in words.allSatisfy { line.contains($0) } }
    }

    @Test("the history says who was admitted, who left, who was removed, and who removed them")
    func members() async throws {
        let trip = try await Gathering()
        let noah = try await trip.joined("noah", as: "Noah")
        _ = try await trip.joined("mia", as: "Mia")
        let node = try await trip.node(of: noah)
        try await trip.settle(noah)
        try await noah.done("leave", "--yes")
        let isGone = try await eventually {
            try await trip.founder.json("members").elements.contains { $0["in"] == .flag(false) }
        }
        try #require(isGone)
        try await trip.takeOut("Mia")
        let history = try await trip.founder.done("history")
        #expect(line(in: history, naming: "Jie", "admitted", "Noah"), "\(history)")
        #expect(line(in: history, naming: "Jie", "admitted", "Mia"), "\(history)")
        #expect(line(in: history, naming: "Noah", "left"), "\(history)")
        #expect(line(in: history, naming: "Jie", "removed", "Mia"), "\(history)")
        let kinds = try await trip.founder.json("history").elements.flatMap { $0["did"].elements }
            .compactMap { $0["what"].text }
        #expect(Set(kinds).subtracting(["titled", "named"]).count >= 3, "\(kinds)")
        _ = node
    }

    @Test("the history says that a vote brought a removed item back")
    func broughtBack() async throws {
        let trip = try await Gathering()
        let noah = try await trip.joined("noah", as: "Noah")
        let node = try await trip.node(of: noah)
        try await trip.founder.done("add", "Roof tent")
        try await trip.settle(noah)
        try await node.end()
        try await trip.part()
        try await trip.founder.done("remove", "Roof tent")
        try await noah.done("vote", "Roof tent")
        try await trip.meet()
        let again = try await trip.node(of: noah)
        try await trip.settle(noah)
        for home in [trip.founder, noah] {
            #expect(try await home.done("list").contains("Roof tent"))
            let history = try await home.done("history")
            // Which of the two comes first is for their hashes to say.
            let isSaid =
                line(in: history, naming: "Roof tent", "restored") || line(in: history, naming: "Roof tent", "stays")
            #expect(isSaid, "\(history)")
        }
        #expect(try await trip.founder.done("history") == noah.done("history"))
        _ = again
    }

    @Test("undo says that a removal can't be undone, and reaches the change before it when it is said again")
    func removalStays() async throws {
        let trip = try await Gathering()
        let founder = trip.founder
        _ = try await trip.joined("mia", as: "Mia")
        for title in ["Boat", "Tent"] { try await founder.done("add", title) }
        try await trip.takeOut("Mia")
        let refused = try await founder.run("undo")
        #expect(refused.isRefusal(saying: "removing Mia (out) can't be undone"), refused.summary)
        #expect(try await founder.done("list").contains("Tent"))
        // It is said once, also beside what was done since.
        try await founder.done("add", "Stove")
        for title in ["Stove", "Tent", "Boat"] {
            #expect(try await founder.done("undo").contains("“\(title)”"))
        }
        #expect(try await founder.done("list").contains("No items yet"))
    }

    @Test("undo says that an invite stays and what revokes it, and reaches the change before when it is said again")
    func invitesStay() async throws {
        let scratch = try ScratchFolder()
        let home = Product(home: scratch.path)
        try await home.done("new", "Lisbon", "--as", "Jie")
        try await home.done("add", "Boat")
        let id = try #require(try await home.json("invite", "--uses", "50")["id"].text).prefix(8)
        let created = try await home.run("undo")
        let remedy = "revoke it with `caravan invite close \(id)`; run `caravan undo` again to undo the change before"
        #expect(created.isRefusal(saying: "creating an invite can't be undone; \(remedy)"), created.summary)
        try await home.done("invite", "close", String(id))
        let revoked = try await home.run("undo")
        #expect(
            revoked.isRefusal(saying: "revoking an invite can't be undone; create another with `caravan invite`"),
            revoked.summary)
        #expect(try await home.done("list").contains("Boat"))
        #expect(try await home.done("undo").contains("“Boat”"))
        #expect(try await home.done("list").contains("No items yet"))
    }

    @Test("undo said again after a refusal leaves what others changed since, and goes on to the change before")
    func undoAfterRefusal() async throws {
        let trip = try await Gathering()
        let jie = trip.founder
        let noah = try await trip.joined("noah", as: "Noah")
        let node = try await trip.node(of: noah)
        try await jie.done("add", "Villa")
        try await jie.done("add", "Later")
        try await jie.done("edit", "Villa", "--price", "80 EUR")
        try await trip.settle(noah)
        try await noah.done("edit", "Villa", "--price", "90 EUR")
        try await trip.settle(noah)
        let refused = try await jie.run("undo")
        #expect(
            refused.isRefusal(saying: "Noah changed the price of “Villa” since; nothing was undone"), refused.summary)
        #expect(try await jie.done("undo").contains("“Later”"))
        let item = try await jie.json("show", "Villa")
        #expect(item["price"].text == "90 EUR")
        // The refusal is forgotten once something new is done.
        try await jie.done("vote", "Villa")
        try await jie.done("undo")
        #expect(try await jie.run("undo").isRefusal(saying: "Noah changed the price of “Villa” since"))
        // What was refused last can be insisted on.
        try await jie.done("undo", "--anyway")
        #expect(try await jie.json("show", "Villa")["price"].text == nil)
        _ = node
    }

    @Test("undo said again steps back through what one did, and is never refused because of one's own undo")
    func undoAgain() async throws {
        let scratch = try ScratchFolder()
        let home = Product(home: scratch.path)
        try await home.done("new", "Lisbon", "--as", "Jie")
        try await home.done("lists", "new", "Packing")
        try await home.done("add", "X")
        let count = try await home.json("history").elements.count
        #expect(try await home.run("move", "1", "--out").status == 0)
        #expect(try await home.json("history").elements.count == count, "it was in no list")
        for line in [
            ["edit", "1", "--price", "1"], ["edit", "1", "--price", "2"], ["edit", "1", "--price", "3"],
            ["move", "1", "--list", "Packing"], ["move", "1", "--out"], ["rename", "Porto"], ["rename", "Faro"],
            ["lists", "rename", "Packing", "Bags"], ["lists", "rename", "Bags", "Boxes"],
            ["vote", "1"], ["vote", "1", "--against"], ["choose", "1"], ["choose", "1", "--not"],
            ["bring", "1", "--count", "2"], ["bring", "1", "--count", "3"], ["going", "1"], ["going", "1", "--maybe"],
            ["going", "1", "--not"], ["going", "1", "--withdraw"],
            ["edit", "1", "--done"], ["edit", "1", "--no-done"],
        ] {
            let outcome = try await home.run(line)
            #expect(outcome.status == 0, "\(line): \(outcome.summary)")
        }
        for _ in 1...18 { try await home.done("undo") }
        #expect(try await home.json("show", "1")["price"].text == "3")
        for _ in 1...3 { try await home.done("undo") }
        let item = try await home.json("show", "1")
        #expect(item["price"] == .null && item["votes"].elements.isEmpty)
        try await home.done("undo")
        #expect(try await home.json("list")["items"].elements.isEmpty)
    }
}
