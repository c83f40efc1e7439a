import Foundation
import Testing

/// What commands that write tell a program, and what they keep to themselves.
struct ReceiptTests {
    @Test("every command that writes says as JSON what it did, and to what, with ids")
    func receipts() async throws {
        let scratch = try ScratchFolder()
        let caravan = Product(home: scratch.path + "/home").withoutTerminal
        let created = try await caravan.json("new", "Lisbon", "--as", "Jie")
        let trips = try await caravan.json("trips").elements
        #expect(created["did"].text == "created" && created["trip"]["id"] == trips.first?["id"])
        let added = try await caravan.json("add", "Tram", "--quantity", "2")
        let id = try #require(added["items"].elements.first?["id"].text)
        #expect(added["did"].text == "added" && added["items"].elements.count == 1)
        for (arguments, did) in [
            (["vote", id], "voted_for"), (["vote", id, "--if-need-be"], "voted_if_need_be"),
            (["unvote", id], "unvoted"),
            (["edit", id, "--price", "5"], "edited"), (["plan", id, "--on", "2026-06-12"], "planned"),
            (["unplan", id], "unplanned"), (["choose", id, "--not"], "unchosen"), (["bring", id], "claimed"),
            (["going", id, "--maybe"], "maybe_going"), (["comment", id, "Hm"], "commented"),
            (["comment", id, "--remove", "1"], "uncommented"), (["quantity", id, "+1"], "counted"),
            (["remove", id, "-n"], "removed"), (["remove", id], "removed"), (["restore", id], "restored"),
            (["move", id, "--out"], "moved"), (["cost", "add", "Taxi", "30 EUR"], "added"),
        ] {
            let receipt = try await caravan.json(arguments)
            let items = (receipt["items"].elements + receipt["unchanged"].elements)
            #expect(receipt["did"].text == did && items.count == 1, "\(arguments): \(receipt)")
            if arguments[0] != "cost" { #expect(items.first?["id"].text == id, "\(arguments): \(receipt)") }
        }
        let list = try await caravan.json("lists", "new", "Packing", "Soap")
        #expect(list["did"].text == "added" && list["list"]["title"].text == "Packing")
        #expect(try await caravan.done("lists", "rename", "Packing", "Bags") == "Renamed list “Bags”\n")
        #expect(try await caravan.json("rename", "Faro")["name"].text == "Faro")
        #expect(try await caravan.json("wish", "Boat")["wishes"].elements.first?["title"].text == "Boat")
        #expect(try await caravan.json("wishes", "remove", "Boat")["did"].text == "unwished")
        let invite = try await caravan.json("invite")
        #expect(try await caravan.json("invite", "close", "1")["invite"]["id"] == invite["id"])
        #expect(try await caravan.json("use", "Faro")["did"].text == "nothing")
        let would = try await caravan.json("leave", "-n")
        #expect(would["did"].text == "left" && would["dry_run"] == .flag(true))
        #expect(try await caravan.json("leave", "-y")["did"].text == "left")
        #expect(try await caravan.json("delete", "Faro", "-y")["trip"]["id"] == created["trip"]["id"])
    }

    @Test("a quiet command prints nothing, and still says what is wrong")
    func quiet() async throws {
        let scratch = try ScratchFolder()
        let caravan = Product(home: scratch.path).withoutTerminal
        for arguments in [
            ["new", "Lisbon", "--as", "Jie", "-q"], ["add", "Tram", "--quiet"], ["vote", "1", "-q"],
            ["lists", "new", "Packing", "-q"], ["wish", "Boat", "-q"], ["rename", "Faro", "-q"], ["undo", "-q"],
            ["use", "Lisbon", "-q"], ["remove", "1", "-q"], ["delete", "Lisbon", "--yes", "-q"],
        ] {
            let outcome = try await caravan.run(arguments)
            #expect(outcome.status == 0 && outcome.output == "" && outcome.errors == "", outcome.summary)
        }
        let none = try await caravan.run("vote", "1", "-q")
        #expect(none.isRefusal(saying: "there are no trips"), none.summary)
        let both = try await caravan.run("vote", "1", "-q", "-j")
        #expect(both.isRefusal(saying: "cannot be combined", status: 64), both.summary)
    }
}
