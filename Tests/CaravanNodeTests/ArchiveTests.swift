import ChangeLog
import SyncEngine
import Testing
import TripModel
import TripService

@testable import CaravanNode

/// A trip that is over: it can be read here, and not changed.
struct ArchiveTests {
    private let nodes = TripNodeTests()
    private let scratch = TripNodeTests.Scratch()

    @Test("an archived trip is read and not changed, also after a restart, until it is reopened")
    func readOnly() async throws {
        let home = scratch.home("jie")
        let node = try await scratch.trip(title: "Lisbon in June", name: "Jie", in: home)
        try await node.add("Tent")
        guard case .member(let guest) = try await node.answer(.admitGuest(name: "Ana")) else {
            Issue.record("an answer of another kind")
            return
        }
        _ = try await node.answer(.archive(true))
        await node.close()

        let again = try await scratch.open(home)
        #expect(try await again.status().isArchived)
        let requests: [TripRequest] = [
            .add([NewItem(title: "Stove")]), .act(.vote(.for), on: ["Tent"]), .renameTrip("Porto"), .renameSelf("J"),
            .undo(), .invite(uses: 1, lifetime: nil), .wish([Wish(NewItem(title: "Loft"))]),
            .asGuest(guest: guest.id, .act(.vote(.for), on: ["Tent"])),
        ]
        for request in requests {
            let error = await #expect(throws: ServiceError.self) { try await again.answer(request) }
            #expect(error?.message.contains("caravan archive --reopen") ?? false, "\(request)")
        }
        #expect(try await again.trip().items.map(\.title) == ["Tent"])
        _ = try await again.answer(.archive(false))
        try await again.add("Stove")
        #expect(try await again.trip().items.count == 2)
        await again.close()
    }

    @Test("others' changes still arrive in an archived trip, and people can leave it")
    func stillSyncs() async throws {
        let (jie, link, address) = try await nodes.founder(scratch)
        let home = scratch.home("noah")
        _ = try await TripNode.join(
            link: link, name: "Noah", in: home, peers: [address], discovers: false, patience: 10)
        let noah = try await scratch.open(home)
        _ = try await noah.answer(.archive(true))
        try await jie.add("Tent")
        await noah.tell(.carried(await jie.node.log.graph.changes.map(\.record)))
        #expect(try await nodes.eventually { try await noah.trip().items.map(\.title) == ["Tent"] })
        guard case .removed(let receipt) = try await noah.answer(.leave) else {
            Issue.record("an answer of another kind")
            return
        }
        #expect(receipt.isLeaving)
        await noah.close()
        await jie.close()
    }
}
