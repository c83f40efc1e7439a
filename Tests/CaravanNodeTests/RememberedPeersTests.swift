import FoundationEssentials
import Testing
import TripService

@testable import CaravanNode
@testable import SyncEngine

/// What is known of others between two runs.
struct RememberedPeersTests {
    private let tests = TripNodeTests()
    private let scratch = TripNodeTests.Scratch()

    /// Jie, who is up, where; and Noah's home, who was let in.
    private func joined() async throws -> (jie: TripNode, address: String, noah: Home) {
        let (jie, link, address) = try await tests.founder(scratch)
        let home = scratch.home("noah")
        _ = try await TripNode.join(
            link: link, name: "Noah", in: home, peers: [address], discovers: false, patience: 10)
        return (jie, address, home)
    }

    private func areTogether(_ nodes: TripNode...) async throws -> Bool {
        try await tests.eventually {
            for node in nodes {
                guard try await node.status().devices.contains(where: \.isHere) else { return false }
            }
            return true
        }
    }

    @Test("whoever was only dialled dials, once both have begun anew at other ports", arguments: [true, false])
    func metByBoth(isJieKnown: Bool) async throws {
        let (jie, address, home) = try await joined()
        let noah = try await scratch.open(home)
        try await noah.up(NetworkOptions(peers: [address], discovers: false))
        #expect(try await areTogether(jie, noah))
        let noahsPort = try #require(await noah.listeningPort)
        #expect(try await tests.eventually { await jie.peers.addresses.contains { $0.port == noahsPort } })
        await noah.close()
        let folder = jie.folder
        await jie.close()
        // Then he is at a port of which Noah has not heard.
        if !isJieKnown { try FileManager.default.removeItem(atPath: folder + "/own") }
        let (jieAgain, noahAgain) = (try await scratch.open(scratch.home("jie")), try await scratch.open(home))
        try await noahAgain.up(NetworkOptions(discovers: false))
        try await jieAgain.up(NetworkOptions(discovers: false))
        #expect(await noahAgain.listeningPort != noahsPort, "names of the run before are not those of this one")
        #expect(try await areTogether(jieAgain, noahAgain))
        await noahAgain.close()
        await jieAgain.close()
    }

    @Test("the port that the link of an open invite names stays over a restart")
    func invitePort() async throws {
        let (jie, address, _) = try await joined()
        await jie.close()
        let again = try await scratch.open(scratch.home("jie"))
        try await again.up(NetworkOptions(discovers: false))
        let port = try #require(await again.listeningPort)
        #expect("127.0.0.1:\(port)" == address)
        await again.close()
    }

    @Test("nodes that met before are in sync again with no answer of Avahi's")
    func metBefore() async throws {
        let (jie, _, home) = try await joined()
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
        let (jie, address, home) = try await joined()
        let noah = try await scratch.open(home)
        try await noah.up(NetworkOptions(peers: [address], discovers: false))
        #expect(try await tests.eventually { try await noah.status().devices.contains(where: \.isHere) })
        // Each may dial the other at once: then one of two sessions goes.
        #expect(
            try await tests.eventually {
                let counts = await (jie.node.connectionIDs.count, noah.node.connectionIDs.count)
                return counts == (1, 1)
            })
        let before = await noah.node.connectionsWithSession
        await jie.renewPort()
        let port = try #require(await jie.listeningPort)
        #expect("127.0.0.1:\(port)" != address)
        #expect(try await tests.eventually { await noah.peers.addresses.first?.port == port })
        // Of two by which they met at once, one may have been given up meanwhile.
        #expect(await !Set(before).isDisjoint(with: noah.node.connectionIDs))
        await noah.close()
        await jie.close()
    }

    /// Whoever was cut off while the port was renewed knows the one before alone.
    @Test("the port before accepts for as long as names last where the machine is where it was")
    func lingeringPort() {
        let place = OwnFile.ListeningPlace(port: 4_000, hosts: ["10.0.0.1", "fd00::1"])
        let names = Duration.milliseconds(SessionLimits().instanceDuration)
        #expect(place.linger(at: ["10.0.0.1"]) == names)
        #expect(place.linger(at: ["10.0.9.7"]) < names)
        #expect(OwnFile.ListeningPlace(port: 4_000, hosts: []).linger(at: []) == names, "nowhere but on this machine")
    }

    @Test("a command with no node writes nothing of others that the disk has")
    func writesNothingTwice() async throws {
        let (jie, _, home) = try await joined()
        let noah = try await scratch.open(home)
        let known = await noah.node.peerRecords
        #expect(known.count == 1)
        #expect(await Array(noah.peers.written.values) == known)
        await noah.close()
        await jie.close()
    }
}
