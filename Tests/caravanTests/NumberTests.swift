import Foundation
import TestTiers
import Testing

/// The number that stands before an item means that item until the list is shown again.
struct NumberTests {
    /// The titles that the list shows, by their numbers.
    private func list(of home: Product) async throws -> [String: String] {
        let lines = try await home.done("list").split(separator: "\n").drop { !$0.hasPrefix(" ") }
        let rows = lines.map { $0.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: true) }
        return Dictionary(
            uniqueKeysWithValues: rows.map { (String($0[0]), $0[1].trimmingCharacters(in: .whitespaces)) })
    }

    private func titles(_ home: Product) async throws -> Set<String> {
        Set(try await home.json("list")["items"].elements.compactMap { $0["title"].text })
    }

    /// Two homes that were apart, each with four items and a list of its own, and that met since.
    private func merged(_ trip: Gathering, _ noah: Product) async throws
        -> (nodes: ListeningNode, lists: [[String: String]])
    {
        let first = try await trip.node(of: noah)
        try await trip.founder.done("add", "Casa")
        try await trip.settle(noah)
        try await first.end()
        try await trip.part()
        var lists: [[String: String]] = []
        for (home, who) in [(trip.founder, "Jie"), (noah, "Noah")] {
            for number in 1...4 { try await home.done("add", "\(who)'s \(number)") }
            let list = try await list(of: home)
            #expect(list["1"] == "Casa" && list.count == 5, "\(list)")
            lists.append(list)
        }
        try await trip.meet()
        let second = try await trip.node(of: noah)
        try await trip.settle(noah)
        return (second, lists)
    }

    @Test("a number that a list showed means that item after merging, at every home", .tags(.slow))
    func afterMerging() async throws {
        let trip = try await Gathering()
        let noah = try await trip.joined("noah", as: "Noah")
        let (node, lists) = try await merged(trip, noah)
        let all = Set(lists.flatMap(\.values))
        let shown = try lists.map { try #require($0["2"]) }
        // Through the running nodes. No list is shown meanwhile, to people or to programs.
        for (home, title) in zip([trip.founder, noah], shown) {
            #expect(try await home.json("show", "2")["title"].text == title)
            #expect(try await home.done("remove", "2").contains(title))
        }
        try await trip.settle(noah)
        try await node.end()
        // With no node it is the same number that means the same item.
        let last = try #require(lists[1]["5"])
        try await noah.done("remove", "5")
        #expect(try await titles(noah) == all.subtracting(shown + [last]))
    }

    @Test("a number means what the list showed last, once it is shown again", .tags(.slow))
    func shownAgain() async throws {
        let trip = try await Gathering()
        let noah = try await trip.joined("noah", as: "Noah")
        let (node, _) = try await merged(trip, noah)
        for home in [trip.founder, noah] {
            let list = try await list(of: home)
            #expect(list.count == 9, "\(list)")
            for (number, title) in list {
                #expect(try await home.json("show", number)["title"].text == title, "\(number)")
            }
        }
        _ = node
    }

    @Test("what programs read, and part of the list, change nothing of what the numbers on the screen mean")
    func onlyAListRebinds() async throws {
        let trip = try await Gathering()
        let noah = try await trip.joined("noah", as: "Noah")
        let (node, lists) = try await merged(trip, noah)
        for (home, (list, other)) in zip([trip.founder, noah], [(lists[0], "Noah"), (lists[1], "Jie")]) {
            try await home.done("list", "--json")
            try await home.done("list", "--json", "--where", "kind=stay")
            #expect(try await home.done("list", "--where", "kind=stay").contains("No item"))
            // Of what was not on the screen yet each item has a number of its own, and that names it.
            for line in [["search", "\(other)'s"], ["list", "--where", "title=\(other)'s"]] {
                let rows = try await home.run(line).output.split(separator: "\n").filter { $0.contains("\(other)'s") }
                #expect(rows.count == 4, "\(rows)")
                for row in rows {
                    let number = String(try #require(row.split(separator: " ").first))
                    #expect(list[number] == nil, "\(row)")
                    let title = try #require(try await home.json("show", number)["title"].text)
                    #expect(row.contains(title), "\(row)")
                }
            }
            for (number, title) in list {
                #expect(try await home.json("show", number)["title"].text == title, "\(number)")
            }
        }
        _ = node
    }

    @Test("an invite's number means the invite that was shown with it, and says so once that is closed")
    func invites() async throws {
        let scratch = try ScratchFolder()
        let home = Product(home: scratch.path)
        try await home.done("new", "Lisbon", "--as", "Jie")
        for _ in 1...3 { try await home.done("invite") }
        let ids = try await home.json("invite", "list").elements.compactMap { $0["id"].text }
        let open = { try await home.json("invite", "list").elements.compactMap { $0["id"].text } }
        // Nothing was shown to people yet: the numbers are those of the first command that uses one.
        #expect(try await home.done("invite", "close", "1").contains(ids[0].prefix(6)))
        let again = try await home.run("invite", "close", "1")
        #expect(again.isRefusal(saying: "invite 1"), again.summary)
        #expect(try await open() == [ids[1], ids[2]])
        #expect(try await home.done("invite", "close", "3").contains(ids[2].prefix(6)))
        try await home.done("invite", "list")
        #expect(try await home.done("invite", "close", "1").contains(ids[1].prefix(6)))
        #expect(try await open().isEmpty)
    }

    @Test("a comment's number means the comment that was shown with it, and what goes is named")
    func comments() async throws {
        let scratch = try ScratchFolder()
        let home = Product(home: scratch.path)
        try await home.done("new", "Lisbon", "--as", "Jie")
        try await home.done("add", "Loft")
        for text in ["Too far", "Very quiet", "No lift"] { try await home.done("comment", "1", text) }
        let comments = { try await home.json("show", "1")["comments"].elements.compactMap { $0["text"].text } }
        let first = try await home.done("comment", "1", "--remove", "1")
        #expect(first.contains("“Too far”") && first.contains("“Loft”"), "\(first)")
        let again = try await home.run("comment", "1", "--remove", "1")
        #expect(again.isRefusal(saying: "comment 1"), again.summary)
        #expect(try await comments() == ["Very quiet", "No lift"])
        try await home.done("show", "1")
        #expect(try await home.done("comment", "1", "--remove", "1").contains("“Very quiet”"))
        #expect(try await comments() == ["No lift"])
    }

    @Test("a row's number in a feed means the row that was shown with it, though rows appear in between")
    func feedRows() async throws {
        let scratch = try ScratchFolder()
        let home = Product(home: scratch.path + "/home")
        try await home.done("new", "Lisbon", "--as", "Jie")
        let path = scratch.path + "/stays.csv"
        func write(_ titles: [String]) throws {
            try Data((["title"] + titles).joined(separator: "\r\n").utf8).write(to: URL(fileURLWithPath: path))
        }
        try write(["Casa", "Loft", "Hut"])
        try await home.done("feeds", "add", path)
        try await home.done("browse", "stays.csv")
        try write(["Boat", "Casa", "Loft", "Tent"])
        try await home.done("browse", "stays.csv", "--json")
        #expect(try await home.done("browse", "stays.csv", "--share", "2").contains("Loft"))
        let gone = try await home.run("browse", "stays.csv", "--wish", "3")
        #expect(gone.isRefusal(saying: "Hut") || gone.isRefusal(saying: "row 3"), gone.summary)
        #expect(try await home.done("browse", "stays.csv", "--search", "casa").hasPrefix("1  Casa"))
        try await home.done("browse", "stays.csv")
        try await home.done("browse", "stays.csv", "--wish", "1")
        #expect(try await home.json("wishes").elements.map { $0["title"].text } == ["Boat"])
    }
}
