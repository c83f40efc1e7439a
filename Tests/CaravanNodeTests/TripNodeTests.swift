import CaravanNode
import Foundation
import Testing
import TripModel
import TripService

/// Whole nodes over real sockets and real stores, without discovery.
struct TripNodeTests {
    /// A folder that goes when the test ends.
    final class Scratch: Sendable {
        let path = NSTemporaryDirectory() + "caravan-" + UUID().uuidString
        func home(_ name: String) -> Home { Home(folder: "\(path)/\(name)") }

        /// A new trip, opened.
        func trip(title: String, name: String, in home: Home) async throws -> TripNode {
            let id = try await TripNode.create(title: title, name: name, in: home)
            return try await TripNode.open(folder: home.folder(ofTrip: id))
        }

        /// The one trip of a home, opened.
        func open(_ home: Home) async throws -> TripNode {
            try await TripNode.open(folder: home.folder(ofTrip: home.tripID(named: nil)))
        }
        deinit { try? FileManager.default.removeItem(atPath: path) }
    }

    /// A node of a new trip that listens, and a link into it.
    func founder(_ scratch: Scratch) async throws -> (node: TripNode, link: String, address: String) {
        let node = try await scratch.trip(title: "Lisbon in June", name: "Jie", in: scratch.home("jie"))
        try await node.up(NetworkOptions(discovers: false))
        let link = try await node.invite(uses: 5).link
        let port = try #require(await node.listeningPort)
        return (node, link, "127.0.0.1:\(port)")
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
        _ = try await jie.answer(.add([NewItem(title: "Casa do Rio", fields: [.price: "120"])]))
        let home = scratch.home("noah")
        _ = try await TripNode.join(
            link: link, name: "Noah", in: home, peers: [address], discovers: false, patience: 10)
        let noah = try await scratch.open(home)
        try await noah.up(NetworkOptions(peers: [address], discovers: false))
        #expect(try await noah.titles().contains("Casa do Rio"))
        _ = try await noah.answer(.act(.vote(.for), on: ["1"]))
        _ = try await jie.answer(.act(.vote(.against), on: ["Casa do Rio"]))
        let same = try await eventually {
            let views = try await (jie.trip(), noah.trip())
            return views.0 == views.1 && views.0.items.first?.votes.map(\.word) == [.against, .for]
        }
        #expect(same)
        #expect(try await jie.memberNames().contains("Noah"))
        await noah.close()
        await jie.close()
    }

    /// Needs a running avahi-daemon, as `Scripts/setup` starts it.
    @Test(.enabled(if: FileManager.default.fileExists(atPath: "/run/avahi-daemon/socket"), "no avahi-daemon runs here"))
    func nodesFindEachOtherByMulticastDNS() async throws {
        let scratch = Scratch()
        let jie = try await scratch.trip(title: "By multicast", name: "Jie", in: scratch.home("jie"))
        // Made before the node listens, so that it holds no address.
        let link = try await jie.invite(uses: 1).link
        try await jie.up()
        let home = scratch.home("noah")
        _ = try await TripNode.join(link: link, name: "Noah", in: home, patience: 20)
        let noah = try await scratch.open(home)
        try await noah.up()
        let met = try await eventually { try await jie.status().devices.contains(where: \.isHere) }
        #expect(met)
        await noah.close()
        await jie.close()
    }

    @Test func whatIsDoneAloneIsThereAfterwards() async throws {
        let scratch = Scratch()
        let node = try await scratch.trip(title: "Alone", name: "Jie", in: scratch.home("jie"))
        for number in 1...20 { try await node.add("Item number \(number)") }
        _ = try await node.answer(.act(.remove, on: ["3"]))
        let before = try await node.trip()
        await node.close()
        let again = try await TripNode.open(folder: node.folder)
        #expect(try await again.trip() == before)
        #expect(try await again.history().entries.count >= 23)
        await again.close()
    }

    @Test func aSecondOwnerIsRefusedInOneLine() async throws {
        let scratch = Scratch()
        let node = try await scratch.trip(title: "Alone", name: "Jie", in: scratch.home("jie"))
        await #expect(throws: ServiceError.self) { try await TripNode.open(folder: node.folder) }
        await node.close()
    }

    /// Devices' and people's links alike; an invite that was closed makes room for another.
    @Test func soManyInvitesAreOpenAtOnce() async throws {
        let scratch = Scratch()
        let node = try await scratch.trip(title: "Alone", name: "Jie", in: scratch.home("jie"))
        for number in 0..<8 {
            _ = try await node.answer(number == 3 ? .addDevice(lifetime: nil) : .invite(uses: 1, lifetime: nil))
        }
        for request in [TripRequest.invite(uses: 1, lifetime: 60_000), .addDevice(lifetime: nil)] {
            let error = await #expect(throws: ServiceError.self) { try await node.answer(request) }
            #expect(error?.message.contains("you have 8 open invites") == true)
        }
        _ = try await node.answer(.closeInvite(reference: "4"))
        _ = try await node.invite()
        await #expect(throws: ServiceError.self) { try await node.invite() }
        await node.close()
    }

    @Test func whatCannotBeDoneChangesNothing() async throws {
        let scratch = Scratch()
        let node = try await scratch.trip(title: "Alone", name: "Jie", in: scratch.home("jie"))
        try await node.add("Twice", "Twice")
        let before = try await node.trip()
        let wrong: [TripRequest] = [
            .add([NewItem(title: "")]), .add([NewItem(title: String(repeating: "x", count: 100_000))]),
            .act(.remove, on: ["Twice"]), .act(.remove, on: ["nothing"]), .act(.edit([.done: "perhaps"]), on: ["1"]),
            .act(.restore, on: ["1"]), .invite(uses: 0, lifetime: nil), .showInvite(reference: "1"),
            .add([NewItem(title: "Good"), NewItem(title: "")]), .invite(uses: 1, lifetime: .max),
            .invite(uses: 1, lifetime: -1), .addDevice(lifetime: .max), .removeMember(name: "nobody"),
            // What is wrong is repeated, and must not end the line or speak to the terminal.
            .show(item: "no\nitem\u{1B}[2J"), .act(.remove, on: ["no\r\nthing"]),
            .closeInvite(reference: "no\u{2028}link"),
            .removeMember(name: "no\u{85}body"),
        ]
        for request in wrong {
            let message: String
            do {
                let answer = try await node.answer(request)
                Issue.record("\(request) was done: \(answer)")
                continue
            } catch {
                message = error.message
            }
            let isOneLine = message.unicodeScalars.allSatisfy {
                ![.control, .lineSeparator, .paragraphSeparator].contains($0.properties.generalCategory)
            }
            #expect(isOneLine && message.count < 400, "\(message)")
        }
        #expect(try await node.trip() == before)
        await node.close()
    }

    /// An invite's hints and discovery lead to one node by several addresses: each is dialled at once.
    @Test func theLastUseOfAnInviteLetsInAJoinerThatDialsTwice() async throws {
        let scratch = Scratch()
        let jie = try await scratch.trip(title: "Once", name: "Jie", in: scratch.home("jie"))
        try await jie.up(NetworkOptions(discovers: false))
        let port = try #require(await jie.listeningPort)
        let link = try TripNode.linkWithoutHints(
            try await jie.invite(uses: 1).link)
        let addresses = ["127.0.0.1:\(port)", "127.0.0.2:\(port)", "127.0.0.3:\(port)", "[::1]:\(port)"]
        _ = try await TripNode.join(
            link: link, name: "Noah", in: scratch.home("noah"), peers: addresses, discovers: false, patience: 10)
        #expect(try await jie.memberNames().contains("Noah"))
        // Used up now: whoever comes late hears so at once.
        await #expect(throws: ServiceError("this invite was used, revoked or has expired; ask for a new one")) {
            _ = try await TripNode.join(
                link: link, name: "Eve", in: scratch.home("eve"), peers: addresses, discovers: false, patience: 10)
        }
        await jie.close()
    }

    @Test func aBadInviteIsRefusedAndLeavesNothing() async throws {
        let scratch = Scratch()
        let (jie, link, _) = try await founder(scratch)
        let home = scratch.home("noah")
        for bad in [String(link.dropLast()), String(link.dropLast(20)), "https://example.org", "caravan:", link + "a"] {
            await #expect(throws: ServiceError.self) {
                _ = try await TripNode.join(link: bad, name: "Noah", in: home, discovers: false, patience: 1)
            }
        }
        #expect(!FileManager.default.fileExists(atPath: home.folder))
        let again = scratch.home("jie")
        await #expect(throws: ServiceError.self) {
            _ = try await TripNode.join(link: link, name: "Jie", in: again, discovers: false, patience: 1)
        }
        await jie.close()
    }
}
