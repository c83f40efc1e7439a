import Foundation
import TestTiers
import Testing

/// What people see of somebody who is out.
struct AbsentVoteTests {
    /// The lines above the items: the trip's title, and who is in.
    private func heading(of home: Product) async throws -> String {
        let list = try await home.done("list")
        return list.components(separatedBy: "\n\n")[0]
    }

    private func votes(on number: Int, at home: Product) async throws -> (tally: JSONAnswer, votes: [JSONAnswer]) {
        let item = try await home.json("show", "\(number)")
        return (item["tally"], item["votes"].elements)
    }

    @Test("who is out stands not in the heading, and their vote is shown as such and counts no more")
    func out() async throws {
        let trip = try await Gathering()
        let noah = try await trip.joined("noah", as: "Noah")
        let node = try await trip.node(of: noah)
        try await noah.done("add", "Roof tent")
        try await noah.done("vote", "1")
        try await trip.settle(noah)
        try await trip.founder.done("vote", "1")
        #expect(try await heading(of: trip.founder).contains("Noah"))
        let before = try await votes(on: 1, at: trip.founder)
        #expect(before.tally == .number(2) && !before.votes.contains { $0["out"] == .flag(true) })

        try await trip.takeOut("Noah")
        let heading = try await heading(of: trip.founder)
        #expect(heading.contains("Jie") && !heading.contains("Noah"), "\(heading)")
        let list = try await trip.founder.done("list")
        #expect(list.contains("Roof tent") && list.contains("Noah (out)") && list.contains("+1"), "\(list)")
        #expect(!list.contains("Jie (out)"), "\(list)")
        let after = try await votes(on: 1, at: trip.founder)
        #expect(after.tally == .number(1), "\(after)")
        #expect(after.votes.count == 2, "\(after)")
        #expect(after.votes.filter { $0["out"] == .flag(true) }.map { $0["name"].text } == ["Noah (out)"], "\(after)")
        #expect(try await trip.founder.done("show", "1").contains("Noah (out)"))
        _ = node
    }

    @Test("who left and came back from another home has one vote", .tags(.slow))
    func cameBack() async throws {
        let trip = try await Gathering()
        let noah = try await trip.joined("noah", as: "Noah")
        let node = try await trip.node(of: noah)
        try await trip.founder.done("add", "Roof tent")
        try await trip.settle(noah)
        try await noah.done("vote", "1")
        try await trip.settle(noah)
        try await noah.done("leave", "--yes")
        let isGone = try await eventually {
            try await trip.founder.json("members").elements.contains { $0["in"] == .flag(false) }
        }
        try #require(isGone)
        let again = try await trip.joined("phone", as: "Noah")
        let second = try await trip.node(of: again)
        try await again.done("vote", "1")
        let isSaid = try await eventually {
            try await votes(on: 1, at: trip.founder).votes.count == 2
        }
        #expect(isSaid)
        let end = try await votes(on: 1, at: trip.founder)
        #expect(end.tally == .number(1), "\(end)")
        #expect(end.votes.filter { $0["out"] == .flag(true) }.count == 1, "\(end)")
        _ = (node, second)
    }
}
