import ChangeLog
import SyncEngine
import Testing
import TripModel
import TripService

@testable import CaravanNode

/// Somebody joined through a person whom the founder removed meanwhile.
struct WaitingPersonTests {
    private let nodes = TripNodeTests()
    private let scratch = TripNodeTests.Scratch()

    private func join(_ name: String, by link: String, at address: String) async throws -> TripNode {
        let home = scratch.home(name)
        _ = try await TripNode.join(link: link, name: name, in: home, peers: [address], discovers: false, patience: 10)
        return try await scratch.open(home)
    }

    private func address(of node: TripNode) async throws -> String {
        "127.0.0.1:\(try #require(await node.listeningPort))"
    }

    /// Tells a node all that another holds.
    private func tell(_ node: TripNode, from other: TripNode) async {
        await node.tell(.carried(await other.node.log.graph.changes.map(\.record)))
    }

    /// Jie, who founded the trip and removed Mal, and Xen, who was admitted by Mal while Jie was away and has heard of the removal.
    private func doorman() async throws -> (jie: TripNode, xen: TripNode) {
        let (jie, link, first) = try await nodes.founder(scratch)
        let mal = try await join("Mal", by: link, at: first)
        await jie.close()
        try await mal.up(NetworkOptions(discovers: false))
        let xen = try await join("Xen", by: link, at: try await address(of: mal))
        try await xen.add("Tent")
        await mal.close()
        let founder = try await scratch.open(scratch.home("jie"))
        _ = try await founder.answer(.removeMember(name: "Mal", contributions: .stay))
        await tell(founder, from: xen)
        await tell(xen, from: founder)
        #expect(try await founder.status().waiting == ["Xen"])
        return (founder, xen)
    }

    @Test("a person who waits acts in their own copy, marked; it is everywhere once they are kept")
    func kept() async throws {
        let (jie, xen) = try await doorman()
        guard case .done(let receipt) = try await xen.answer(.add([NewItem(title: "Stove")])) else {
            Issue.record("an answer of another kind")
            return
        }
        #expect(receipt.waitsFor == "Jie")
        _ = try await xen.answer(.act(.vote(.for), on: ["Tent"]))
        let view = try await xen.trip()
        #expect(view.items.map(\.title) == ["Tent", "Stove"] && view.items.allSatisfy(\.isWaiting))
        #expect(view.items[0].votes.map(\.name) == ["Xen (waiting)"])
        #expect(try await xen.status().everyoneHasEverything == false)
        for request in [TripRequest.invite(uses: 1, lifetime: nil), .leave, .admitGuest(name: "Ana")] {
            let error = await #expect(throws: ServiceError.self) { try await xen.answer(request) }
            #expect(error?.message.contains("until Jie keeps you, you can't invite or remove anyone") == true)
        }
        for (request, what) in [
            (TripRequest.makeBundle(path: scratch.home("Xen").folder + "/sealed"), "make a sealed file"),
            (.takeIn(bundle: "/dev/null"), "read a sealed file"),
            (.mailboxes(.add(MailboxPlace(address: "/tmp"))), "add a mailbox"),
        ] {
            let error = await #expect(throws: ServiceError.self) { try await xen.answer(request) }
            let told = "until Jie keeps you, you can't \(what); ask Jie to run `caravan members`"
            #expect(error?.message.hasSuffix(told) == true, "\(error?.message ?? "")")
        }
        #expect(try await jie.titles().isEmpty)
        // After a start too, from what is on the disk alone.
        await xen.close()
        let again = try await scratch.open(scratch.home("Xen"))
        #expect(try await again.trip() == view)
        _ = try await again.answer(.undo(anyway: false))
        #expect(try await again.trip().items[0].votes.isEmpty)
        _ = try await again.answer(.act(.vote(.against), on: ["Tent"]))
        _ = try await jie.answer(.keepMember(name: "Xen"))
        try await jie.up(NetworkOptions(discovers: false))
        try await again.up(NetworkOptions(peers: [try await address(of: jie)], discovers: false))
        let isSame = try await nodes.eventually {
            let views = try await (jie.trip(), again.trip())
            return views.0 == views.1 && views.0.items.map(\.title) == ["Tent", "Stove"]
        }
        #expect(isSame)
        #expect(try await jie.trip().items[0].votes.map(\.name) == ["Xen"])
        await again.close()
        await jie.close()
    }

    @Test(
        "a person who was admitted by a device that its owner ended reads that they wait, and for what; and so does that device"
    )
    func ended() async throws {
        let (jie, link, first) = try await nodes.founder(scratch)
        let mal = try await join("Mal", by: link, at: first)
        try await mal.up(NetworkOptions(discovers: false))
        guard case .invite(let further) = try await mal.answer(.addDevice(lifetime: nil)) else {
            Issue.record("an answer of another kind")
            return
        }
        let phone = try await join("Phone", by: further.link, at: try await address(of: mal))
        for node in [jie, mal] { await node.close() }
        try await phone.up(NetworkOptions(discovers: false))
        let xen = try await join("Xen", by: link, at: try await address(of: phone))
        let replica = await phone.node.secrets.device.replica
        await phone.close()
        let owner = try await scratch.open(scratch.home("Mal"))
        try await owner.author(.end(replica: replica, last: nil, grant: nil))
        let thief = try await scratch.open(scratch.home("Phone"))
        for node in [xen, thief] { await tell(node, from: owner) }
        #expect(try await xen.status().removal?.waiting == .init(host: "Mal", keeper: "Jie"))
        for node in [xen, thief] {
            let status = try await node.status()
            #expect(status.removal?.reason == .deviceEnded && !status.everyoneHasEverything)
        }
        try await xen.add("Tent")
        await #expect(throws: ServiceError.self) { try await thief.add("Boat") }
        #expect(await thief.isOut)
        for node in [owner, xen, thief] { await node.close() }
    }

    @Test("a person who waited and is removed reads so, and keeps what they did in their own copy, alone")
    func refused() async throws {
        let (jie, xen) = try await doorman()
        try await xen.add("Stove")
        _ = try await jie.answer(.removeMember(name: "Xen", contributions: .stay))
        await tell(xen, from: jie)
        let error = await #expect(throws: ServiceError.self) { try await xen.add("Boat") }
        #expect(error?.message.contains("Jie removed you") == true)
        #expect(try await xen.titles() == ["Tent", "Stove"])
        let names = try await xen.trip().items.map(\.addedByName)
        #expect(names == ["Xen (out)", "Xen (out)"])
        #expect(try await jie.titles().isEmpty)
        await xen.close()
        let again = try await scratch.open(scratch.home("Xen"))
        #expect(try await again.titles() == ["Tent", "Stove"])
        await again.close()
        await jie.close()
    }
}
