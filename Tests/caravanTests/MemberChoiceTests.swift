import Foundation
import Testing

/// Removing a member and leaving: which member a name means, and that both commands ask first.
struct MemberChoiceTests {
    private func members(of home: Product) async throws -> [JSONAnswer] { try await home.json("members").elements }

    private func areIn(_ home: Product) async throws -> Int {
        try await members(of: home).filter { $0["in"] == .flag(true) }.count
    }

    @Test("a name that several have is refused with their ids, and an id's beginning is taken")
    func severalOfAName() async throws {
        let trip = try await Gathering(of: "Sam")
        let link = try await trip.invite(uses: 3)
        for folder in ["a", "b", "c"] {
            try await trip.home(folder).done("join", link, "--as", "Sam", "--peer", trip.host.address)
        }
        let everybody = try await members(of: trip.founder)
        let ids = everybody.compactMap { $0["id"].text }
        try #require(ids.count == 4)
        for name in ["Sam", "sam"] {
            let outcome = try await trip.founder.run("members", "remove", name, "--yes")
            #expect(outcome.isRefusal(saying: "Sam") || outcome.isRefusal(saying: "sam"), outcome.summary)
            #expect(ids.filter { outcome.errors.contains($0.prefix(4)) }.count >= 3, outcome.summary)
            #expect(try await areIn(trip.founder) == 4)
        }
        let other = try #require(everybody.first { $0["you"] == .flag(false) }?["id"].text)
        try await trip.takeOut(String(other.prefix(6)))
        let out = try await members(of: trip.founder).filter { $0["in"] == .flag(false) }
        #expect(out.map { $0["id"].text } == [other])
    }

    @Test("nobody takes themselves out by a name: `caravan leave` does that")
    func oneself() async throws {
        let trip = try await Gathering()
        _ = try await trip.joined("noah", as: "Noah")
        let me = try #require(try await members(of: trip.founder).first { $0["you"] == .flag(true) }?["id"].text)
        for name in ["Jie", "jie", String(me.prefix(8))] {
            let outcome = try await trip.founder.run("members", "remove", name, "--yes")
            #expect(outcome.isRefusal(saying: "caravan leave"), outcome.summary)
        }
        #expect(try await areIn(trip.founder) == 2)
    }

    @Test("`leave` and `members remove` ask on a terminal, and a no does nothing")
    func asked() async throws {
        let trip = try await Gathering()
        let noah = try await trip.joined("noah", as: "Noah")
        for answer in ["n", ""] {
            let remove = try await Conversation(trip.founder, "members", "remove", "Noah").answer(answer)
            #expect(!remove.isKilled)
            #expect(try await areIn(trip.founder) == 2, "removed after \"\(answer)\"")
            let leave = try await Conversation(noah, "leave").answer(answer)
            #expect(!leave.isKilled)
            #expect(try await areIn(noah) == 2, "left after \"\(answer)\"")
        }
        let remove = try await Conversation(trip.founder, "members", "remove", "Noah").answer("y")
        #expect(remove.status == 0)
        #expect(try await areIn(trip.founder) == 1)
    }

    @Test("`leave` and `members remove` need --yes where there is no terminal")
    func unasked() async throws {
        let trip = try await Gathering()
        let noah = try await trip.joined("noah", as: "Noah")
        let remove = try await trip.founder.withoutTerminal.run("members", "remove", "Noah")
        #expect(remove.isRefusal(saying: "--yes"), remove.summary)
        let leave = try await noah.withoutTerminal.run("leave")
        #expect(leave.isRefusal(saying: "--yes"), leave.summary)
        #expect(try await areIn(trip.founder) == 2)
        #expect(try await areIn(noah) == 2)
    }
}
