import Testing
import TripService

@testable import CaravanNode
@testable import SyncEngine

/// What is known of others between two runs.
struct RememberedPeersTests {
    @Test("nodes that met before are in sync again with no answer of Avahi's")
    func metBefore() async throws {
        let (tests, scratch) = (TripNodeTests(), TripNodeTests.Scratch())
        let (jie, link, address) = try await tests.founder(scratch)
        let home = scratch.home("noah")
        _ = try await TripNode.join(
            link: link, name: "Noah", in: home, peers: [address], discovers: false, patience: 10)
        try await jie.add("Casa do Rio")
        let noah = try await scratch.open(home)
        try await noah.goOnline(NetworkOptions(discovers: false))
        #expect(await noah.connectivity.network?.discoveryState.hasAnswered == false)
        #expect(try await tests.eventually { try await noah.titles().contains("Casa do Rio") })
        await noah.close()
        await jie.close()
    }

    @Test("a node that takes another port goes on with its sessions, and is dialled there the next time")
    func movedPort() async throws {
        let (tests, scratch) = (TripNodeTests(), TripNodeTests.Scratch())
        let (jie, link, address) = try await tests.founder(scratch)
        let home = scratch.home("noah")
        _ = try await TripNode.join(
            link: link, name: "Noah", in: home, peers: [address], discovers: false, patience: 10)
        let noah = try await scratch.open(home)
        try await noah.up(NetworkOptions(peers: [address], discovers: false))
        #expect(try await tests.eventually { try await noah.status().devices.contains(where: \.isHere) })
        let before = await noah.node.connectionsWithSession
        await jie.renewPort()
        let port = try #require(await jie.listeningPort)
        #expect("127.0.0.1:\(port)" != address)
        #expect(try await tests.eventually { await noah.rememberedAddresses().first?.port == port })
        // Of two by which they met at once, one may have been given up meanwhile.
        #expect(await !Set(before).isDisjoint(with: noah.node.connectionIDs))
        await noah.close()
        await jie.close()
    }

    @Test("a command with no node writes nothing of others that the disk has")
    func writesNothingTwice() async throws {
        let (tests, scratch) = (TripNodeTests(), TripNodeTests.Scratch())
        let (jie, link, address) = try await tests.founder(scratch)
        let home = scratch.home("noah")
        _ = try await TripNode.join(
            link: link, name: "Noah", in: home, peers: [address], discovers: false, patience: 10)
        let noah = try await scratch.open(home)
        let known = await noah.node.peerRecords
        #expect(known.count == 1)
        #expect(await Array(noah.rememberedPeers.values) == known)
        await noah.close()
        await jie.close()
    }
}
