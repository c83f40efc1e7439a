import CaravanNode
import Foundation
import Testing

/// Whole nodes over real sockets and real stores, without discovery.
struct TripNodeTests {
    /// A folder that goes when the test ends.
    final class Scratch: Sendable {
        let path = NSTemporaryDirectory() + "caravan-" + UUID().uuidString
        func home(_ name: String) -> Home { Home(folder: "\(path)/\(name)") }
        deinit { try? FileManager.default.removeItem(atPath: path) }
    }

    /// A node of a new trip that listens, and a link into it.
    func founder(_ scratch: Scratch) async throws -> (node: TripNode, link: String, address: String) {
        let folder = try await TripNode.create(title: "Lisbon in June", name: "Jie", in: scratch.home("jie"))
        let node = try await TripNode.open(folder: folder)
        try await node.up(TripNode.NetworkOptions(discovers: false))
        let link = try await output(node, .invite(uses: 5, lifetime: nil)).trimmingCharacters(in: .newlines)
        let port = try #require(await node.listeningPort)
        return (node, link, "127.0.0.1:\(port)")
    }

    func output(_ node: TripNode, _ command: Command, json: Bool = false) async throws -> String {
        switch await node.execute(Request(command, json: json)) {
        case .output(let text): return text
        case .failure(let message): throw NodeError(message)
        }
    }

    func eventually(_ isDone: () async throws -> Bool) async throws -> Bool {
        let deadline = ContinuousClock.now + .seconds(20)
        while ContinuousClock.now < deadline {
            if try await isDone() { return true }
            try await Task.sleep(for: .milliseconds(10))
        }
        return false
    }

    @Test func aTripIsMadeJoinedAndPlannedTogether() async throws {
        let scratch = Scratch()
        let (jie, link, address) = try await founder(scratch)
        _ = try await output(jie, .add([NewItem(title: "Casa do Rio", fields: ["price": "120"])]))
        let home = scratch.home("noah")
        try await TripNode.join(
            link: link, name: "Noah", in: home, peers: [address], discovers: false, patience: 10)
        let noah = try await TripNode.open(folder: home.tripFolder(named: nil))
        try await noah.up(TripNode.NetworkOptions(peers: [address], discovers: false))
        #expect(try await output(noah, .list(sort: nil, includingRemoved: false)).contains("Casa do Rio"))
        _ = try await output(noah, .vote(items: ["1"], against: false))
        _ = try await output(jie, .vote(items: ["Casa do Rio"], against: true))
        let same = try await eventually {
            let lists = try await (
                output(jie, .list(sort: nil, includingRemoved: true), json: true),
                output(noah, .list(sort: nil, includingRemoved: true), json: true)
            )
            return lists.0 == lists.1 && lists.0.contains("\"against\"") && lists.0.contains("\"for\"")
        }
        #expect(same)
        #expect(try await output(jie, .members).contains("Noah"))
        await noah.close()
        await jie.close()
    }

    /// Needs a running avahi-daemon, as `Scripts/setup` starts it.
    @Test(.enabled(if: FileManager.default.fileExists(atPath: "/run/avahi-daemon/socket"), "no avahi-daemon runs here"))
    func nodesFindEachOtherByMulticastDNS() async throws {
        let scratch = Scratch()
        let folder = try await TripNode.create(title: "By multicast", name: "Jie", in: scratch.home("jie"))
        let jie = try await TripNode.open(folder: folder)
        // Made before the node listens, so that it holds no address.
        let link = try await output(jie, .invite(uses: 1, lifetime: nil)).trimmingCharacters(in: .newlines)
        try await jie.up()
        let home = scratch.home("noah")
        try await TripNode.join(link: link, name: "Noah", in: home, patience: 20)
        let noah = try await TripNode.open(folder: home.tripFolder(named: nil))
        try await noah.up()
        let met = try await eventually { try await output(jie, .status, json: true).contains("\"here\": true") }
        #expect(met)
        await noah.close()
        await jie.close()
    }

    @Test func whatIsDoneAloneIsThereAfterwards() async throws {
        let scratch = Scratch()
        let folder = try await TripNode.create(title: "Alone", name: "Jie", in: scratch.home("jie"))
        let node = try await TripNode.open(folder: folder)
        for number in 1...20 { _ = try await output(node, .add([NewItem(title: "Item number \(number)")])) }
        _ = try await output(node, .remove(items: ["3"]))
        let before = try await output(node, .list(sort: nil, includingRemoved: true), json: true)
        await node.close()
        let again = try await TripNode.open(folder: folder)
        #expect(try await output(again, .list(sort: nil, includingRemoved: true), json: true) == before)
        #expect(try await output(again, .history, json: true).contains("removed"))
        await again.close()
    }

    @Test func aSecondOwnerIsRefusedInOneLine() async throws {
        let scratch = Scratch()
        let folder = try await TripNode.create(title: "Alone", name: "Jie", in: scratch.home("jie"))
        let node = try await TripNode.open(folder: folder)
        await #expect(throws: NodeError.self) { try await TripNode.open(folder: folder) }
        await node.close()
    }

    /// Devices' and people's links alike; an invite that was closed makes room for another.
    @Test func soManyInvitesAreOpenAtOnce() async throws {
        let scratch = Scratch()
        let folder = try await TripNode.create(title: "Alone", name: "Jie", in: scratch.home("jie"))
        let node = try await TripNode.open(folder: folder)
        for number in 0..<8 {
            _ = try await output(node, number == 3 ? .addDevice(lifetime: nil) : .invite(uses: 1, lifetime: nil))
        }
        for command in [Command.invite(uses: 1, lifetime: 60_000), .addDevice(lifetime: nil)] {
            let error = await #expect(throws: NodeError.self) { try await output(node, command) }
            #expect(error?.message.contains("8 invites are open") == true)
        }
        _ = try await output(node, .closeInvite(reference: "4"))
        _ = try await output(node, .invite(uses: 1, lifetime: nil))
        await #expect(throws: NodeError.self) { try await output(node, .invite(uses: 1, lifetime: nil)) }
        await node.close()
    }

    @Test func whatCannotBeDoneChangesNothing() async throws {
        let scratch = Scratch()
        let folder = try await TripNode.create(title: "Alone", name: "Jie", in: scratch.home("jie"))
        let node = try await TripNode.open(folder: folder)
        _ = try await output(node, .add([NewItem(title: "Twice"), NewItem(title: "Twice")]))
        let before = try await output(node, .list(sort: nil, includingRemoved: true), json: true)
        let wrong: [Command] = [
            .add([NewItem(title: "")]), .add([NewItem(title: String(repeating: "x", count: 100_000))]),
            .remove(items: ["Twice"]), .remove(items: ["nothing"]), .edit(item: "1", fields: ["colour": "red"]),
            .restore(items: ["1"]), .list(sort: "size", includingRemoved: false), .invite(uses: 0, lifetime: nil),
            .add([NewItem(title: "Good"), NewItem(title: "")]), .invite(uses: 1, lifetime: .max),
            .invite(uses: 1, lifetime: -1), .addDevice(lifetime: .max),
            // What is wrong is repeated, and must not end the line or speak to the terminal.
            .edit(item: "1", fields: ["no\nfield\u{1B}[2J": "x"]), .remove(items: ["no\r\nthing"]),
            .list(sort: "no\u{2028}order", includingRemoved: false),
        ]
        for command in wrong {
            let reply = await node.execute(Request(command))
            guard case .failure(let message) = reply else {
                Issue.record("\(command) was done: \(reply)")
                continue
            }
            let isOneLine = message.unicodeScalars.allSatisfy {
                ![.control, .lineSeparator, .paragraphSeparator].contains($0.properties.generalCategory)
            }
            #expect(isOneLine && message.count < 400, "\(message)")
        }
        #expect(try await output(node, .list(sort: nil, includingRemoved: true), json: true) == before)
        await node.close()
    }

    /// An invite's hints and discovery lead to one node by several addresses: each is dialled at once.
    @Test func theLastUseOfAnInviteLetsInAJoinerThatDialsTwice() async throws {
        let scratch = Scratch()
        let folder = try await TripNode.create(title: "Once", name: "Jie", in: scratch.home("jie"))
        let jie = try await TripNode.open(folder: folder)
        try await jie.up(TripNode.NetworkOptions(discovers: false))
        let port = try #require(await jie.listeningPort)
        let link = try TripNode.linkWithoutHints(
            try await output(jie, .invite(uses: 1, lifetime: nil)).trimmingCharacters(in: .newlines))
        let addresses = ["127.0.0.1:\(port)", "127.0.0.2:\(port)", "127.0.0.3:\(port)", "[::1]:\(port)"]
        try await TripNode.join(
            link: link, name: "Noah", in: scratch.home("noah"), peers: addresses, discovers: false, patience: 10)
        #expect(try await output(jie, .members).contains("Noah"))
        // Used up now: whoever comes late hears so at once.
        await #expect(throws: NodeError("this invite was used up, closed, or its time is over: ask for a new one")) {
            try await TripNode.join(
                link: link, name: "Eve", in: scratch.home("eve"), peers: addresses, discovers: false, patience: 10)
        }
        await jie.close()
    }

    @Test func aBadInviteIsRefusedAndLeavesNothing() async throws {
        let scratch = Scratch()
        let (jie, link, _) = try await founder(scratch)
        let home = scratch.home("noah")
        for bad in [String(link.dropLast()), String(link.dropLast(20)), "https://example.org", "caravan:", link + "a"] {
            await #expect(throws: NodeError.self) {
                try await TripNode.join(link: bad, name: "Noah", in: home, discovers: false, patience: 1)
            }
        }
        #expect(!FileManager.default.fileExists(atPath: home.folder))
        let again = scratch.home("jie")
        await #expect(throws: NodeError("you are in this trip already: `caravan list` shows it")) {
            try await TripNode.join(link: link, name: "Jie", in: again, discovers: false, patience: 1)
        }
        await jie.close()
    }
}
