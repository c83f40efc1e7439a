import Foundation
import Testing

/// `caravan wish` and `caravan wishes`: one person's own, until they share of it.
struct WishTests {
    @Test("others see nothing of a wish, their own devices do, and what is shared is everybody's and a wish no more")
    func sharing() async throws {
        let trip = try await Gathering()
        let noah = try await trip.joined("noah", as: "Noah")
        let node = try await trip.node(of: noah)
        #expect(try await noah.done("wish", "Boat trip", "--price", "40 EUR").hasSuffix("to your wish list\n"))
        try await noah.done("wish", "https://example.org/rooms/quiet-house")
        #expect(try await noah.done("wishes").hasPrefix("1  Boat trip · 40 EUR\n2  "))
        try await trip.settle(noah)
        for view in ["list", "history"] {
            #expect(try await !trip.founder.done(view).contains("Boat"))
            #expect(try await trip.founder.json(view) == (try await noah.json(view)))
        }
        #expect(try await trip.founder.json("wishes").elements.isEmpty)
        #expect(try await !trip.founder.done("status").contains("newer"))

        // A further device hears of all of it with the next wish.
        let link = try await noah.done("device", "add").split(separator: "\n").first.map(String.init)
        let tablet = trip.home("tablet")
        try await tablet.done("join", try #require(link), "--peer", node.address)
        try await noah.done("wish", "Museum")
        let second = try await trip.node(of: tablet)
        #expect(try await eventually { try await tablet.json("wishes").elements.count == 3 })
        _ = second

        #expect(try await noah.done("wishes", "share", "boat trip").hasPrefix("Added 1 “Boat trip”"))
        try await trip.settle(noah)
        #expect(try await trip.founder.json("list")["items"].elements.map { $0["price"].text } == ["40 EUR"])
        #expect(try await noah.json("wishes").elements.count == 2)
        let again = try await noah.run("wishes", "share", "Boat trip")
        #expect(again.isRefusal(saying: "there is no wish"), again.summary)
        try await noah.done("wishes", "remove", "Museum")
        #expect(try await eventually { try await tablet.json("wishes").elements.count == 1 })
        #expect(try await noah.done("undo").contains("Boat trip"))
    }
}
