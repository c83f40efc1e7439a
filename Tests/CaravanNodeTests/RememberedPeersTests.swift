import Testing

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
