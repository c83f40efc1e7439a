import Foundation
import Testing

/// Members who are removed or leave: they are told, may not act, can read, and can come back.
struct TakenOutTests {
    @Test("a taken-out member is told at once, reads on, and may not act")
    func toldAtOnce() async throws {
        let trip = try await Gathering()
        let noah = try await trip.joined("noah", as: "Noah")
        let node = try await trip.node(of: noah)
        try await noah.done("add", "Roof tent")
        try await trip.settle(noah)
        try await trip.takeOut("Noah")
        let isTold = try await eventually(within: 10) { node.running.output.contains("Jie removed you") }
        #expect(isTold, "\(node.running.output)")

        for isRunning in [true, false] {
            if !isRunning { try await node.end() }
            for arguments in [["add", "Tent"], ["vote", "1"], ["invite"]] {
                let outcome = try await noah.run(arguments)
                #expect(outcome.isRefusal(saying: "removed you"), "\(arguments): \(outcome.summary)")
            }
            for arguments in [["list"], ["history"], ["show", "1"]] {
                let outcome = try await noah.run(arguments)
                #expect(outcome.status == 0 && outcome.output.contains("Roof tent"), outcome.summary)
            }
            let status = try await noah.run("status")
            #expect(status.status == 0 && status.output.contains("removed you"), status.summary)
        }
        // Nobody connects any more, and `up` and `watch` say why.
        let again = try await trip.node(of: noah)
        #expect(try await eventually(within: 10) { again.running.output.contains("Jie removed you") })
        let watch = try noah.start(["watch"])
        #expect(try await eventually(within: 10) { watch.output.contains("Jie removed you") }, "\(watch.output)")
        try await again.end()
    }

    @Test("who leaves while no node runs is told that the others may not know, until a node of theirs met somebody")
    func leavesAlone() async throws {
        let trip = try await Gathering()
        let noah = try await trip.joined("noah", as: "Noah")
        let left = try await noah.run("leave", "--yes")
        #expect(left.status == 0 && left.errors.contains("may not know yet that you left"), left.summary)
        #expect(try await noah.done("status").contains("may not know yet that you left"))
        let node = try await trip.node(of: noah)
        let isOut = try await eventually {
            try await trip.founder.json("members").elements.contains { $0["in"] == .flag(false) }
        }
        #expect(isOut)
        #expect(try await eventually { node.running.output.contains("You left") })
        try await node.end()
        #expect(try await !noah.done("status").contains("may not know yet"))
    }

    enum Way: CaseIterable { case takenOut, left }

    @Test(
        "who is out comes back from the same home by a fresh invite, their node running or not",
        arguments: Way.allCases, [false, true])
    func comesBack(way: Way, isRunning: Bool) async throws {
        let trip = try await Gathering()
        let noah = try await trip.joined("noah", as: "Noah")
        var node: ListeningNode? = try await trip.node(of: noah)
        try await noah.done("add", "Roof tent")
        try await trip.settle(noah)
        switch way {
        case .takenOut: try await trip.takeOut("Noah")
        case .left: try await noah.done("leave", "--yes")
        }
        let isOut = try await eventually {
            try await trip.founder.json("members").elements.contains { $0["in"] == .flag(false) }
        }
        try #require(isOut)
        try await trip.founder.done("add", "Secret stay")
        if !isRunning {
            try await node?.end()
            node = nil
        }

        let join = try await noah.run("join", trip.invite(), "--as", "Noah", "--peer", trip.host.address)
        try #require(join.status == 0, join.summary)
        #expect(try await eventually(within: 10) { try await noah.done("list").contains("Secret stay") })
        try await noah.done("add", "Hammock")
        if node == nil { node = try await trip.node(of: noah) }
        #expect(try await eventually(within: 20) { try await trip.founder.done("list").contains("Hammock") })
        let noahs = try await trip.founder.json("members").elements.filter {
            $0["name"].text?.hasPrefix("Noah") == true
        }
        #expect(noahs.map { $0["in"] }.sorted { a, _ in a == .flag(false) } == [.flag(false), .flag(true)])
        #expect(Set(noahs.map { $0["id"] }).count == 2)
    }
}
