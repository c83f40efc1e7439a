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
        try await noah.done("wish", "Boat", "--dates", "2026-06-12..15")
        try await noah.done("wish", "Concert", "--dates", "2026-06-13 19:00, 2h")
        let dated = try await noah.done("wishes")
        #expect(dated.contains("2  Boat · 12–15 June 2026\n") && dated.contains(" 13 June 2026, 19:00"), "\(dated)")
        #expect(try await noah.json("wishes").elements[1]["dates"].text == "2026-06-12/2026-06-15")
        try await noah.done("wishes", "remove", "Boat", "Concert")
        try await noah.done("wish", "https://example.org/rooms/quiet-house")
        #expect(try await noah.done("wishes").hasPrefix("1  Boat trip · 40 EUR\n2  "))
        try await trip.settle(noah)
        for view in ["list", "history"] {
            #expect(try await !trip.founder.done(view).contains("Boat"))
            #expect(try await trip.founder.json(view) == (try await noah.json(view)))
        }
        #expect(try await trip.founder.json("wishes").elements.isEmpty)
        #expect(try await !trip.founder.done("status").contains("newer"))

        // A further device hears of all of it, whether or not anything is wished after it came.
        let link = try await noah.done("device", "add").split(separator: "\n").first.map(String.init)
        let tablet = trip.home("tablet")
        try await tablet.done("join", try #require(link), "--peer", node.address)
        let second = try await trip.node(of: tablet)
        #expect(try await eventually { try await tablet.json("wishes").elements.count == 2 })
        try await noah.done("wish", "Museum")
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
        #expect(try await noah.done("undo").contains("“Museum”"))
        #expect(try await eventually { try await tablet.json("wishes").elements.count == 2 })
        #expect(try await noah.done("undo").contains("Boat trip"))
    }

    private func titles(_ home: Product) async throws -> [String] {
        try await home.json("wishes").elements.compactMap { $0["title"].text }
    }

    @Test("wishes stand in the order in which they were wished for, and a number means the wish that it was shown with")
    func order() async throws {
        let scratch = try ScratchFolder()
        let home = Product(home: scratch.path)
        try await home.done("new", "Lisbon", "--as", "Jie")
        for number in 1...4 { try await home.done("wish", "w\(number)") }
        #expect(try await home.done("wishes") == "1  w1\n2  w2\n3  w3\n4  w4\n")
        #expect(try await home.done("wishes", "remove", "2").contains("“w2”"))
        let again = try await home.run("wishes", "remove", "2")
        #expect(again.isRefusal(saying: "wish 2"), again.summary)
        for number in 5...7 { try await home.done("wish", "w\(number)") }
        try await home.done("wishes", "--json")
        #expect(try await home.done("wishes", "share", "3").contains("w3"))
        #expect(try await home.done("wishes", "remove", "4").contains("“w4”"))
        #expect(try await titles(home) == ["w1", "w5", "w6", "w7"])
        #expect(try await home.done("wishes") == "1  w1\n2  w5\n3  w6\n4  w7\n")
        #expect(try await home.done("wishes", "remove", "2", "4").contains("“w7”"))
        #expect(try await titles(home) == ["w1", "w6"])
    }

    @Test("undo reaches a wish, its removal, and the sharing of one, and each stands where it stood")
    func undo() async throws {
        let scratch = try ScratchFolder()
        let home = Product(home: scratch.path)
        try await home.done("new", "Lisbon", "--as", "Jie")
        for number in 1...3 { try await home.done("wish", "w\(number)", "--note", "n\(number)") }
        try await home.done("wishes", "share", "2")
        try await home.done("wishes", "remove", "1")
        #expect(try await titles(home) == ["w3"])
        #expect(try await home.done("undo").contains("“w1”"))
        #expect(try await titles(home) == ["w1", "w3"])
        #expect(try await home.done("undo").contains("“w2”"))
        #expect(try await titles(home) == ["w1", "w2", "w3"])
        #expect(try await home.json("wishes").elements[1]["note"].text == "n2")
        #expect(try await home.json("list")["items"].elements.isEmpty)
        #expect(try await home.done("undo").contains("“w3”"))
        #expect(try await titles(home) == ["w1", "w2"])
        for _ in 1...2 { try await home.done("undo") }
        #expect(try await titles(home).isEmpty)
        #expect(try await home.done("undo") == "Nothing changed: there is nothing to undo\n")
    }
}
