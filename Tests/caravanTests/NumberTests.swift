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
}
