import Testing

@testable import CaravanNode
@testable import SyncEngine

/// What is known of others between two runs.
struct RememberedPeersTests {
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
