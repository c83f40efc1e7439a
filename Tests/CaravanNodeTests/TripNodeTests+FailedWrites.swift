import AvahiDiscovery
import ChangeLog
import DeltaCRDT
import Foundation
import Sodium
import Synchronization
import Testing
import TripService
import TripStore

@testable import CaravanNode
@testable import SyncEngine

/// Disks that take nothing for a while.
extension TripNodeTests {
    /// Whoever lets Noah in tells him a secret that no box in the log holds: what he went on to do would be lost with it.
    @Test("a joiner whose keys cannot be kept is told so, and comes in once they can")
    func joinWithoutRoom() async throws {
        let scratch = Scratch()
        let (jie, link, address) = try await founder(scratch)
        let port = try #require(await jie.listeningPort)
        await jie.close()
        let (home, folder) = (scratch.home("noah"), jie.folder)
        let (looking, isLooking) = AsyncStream.makeStream(of: Void.self)
        // Nobody answers before new keys have no place to be written.
        let host = Task {
            for await _ in looking {}
            let trips = home.folder + "/trips"
            let joining = try #require(
                try FileManager.default.contentsOfDirectory(atPath: trips).first { $0.hasSuffix(".joining") })
            let obstacle = "\(trips)/\(joining)/keys.new"
            try FileManager.default.createDirectory(atPath: obstacle, withIntermediateDirectories: false)
            let node = try await TripNode.open(folder: folder)
            try await node.up(NetworkOptions(listenPort: port, discovers: false))
            return (node, obstacle)
        }
        let error = await #expect(throws: ServiceError.self) {
            _ = try await TripNode.join(
                link: link, name: "Noah", in: home, peers: [address], discovers: false, patience: 10,
                report: { _ in isLooking.finish() })
        }
        #expect(error?.message.contains("keys.new") == true, "\(error?.message ?? "")")
        let (node, obstacle) = try await host.value
        try FileManager.default.removeItem(atPath: obstacle)
        _ = try await TripNode.join(
            link: link, name: "Noah", in: home, peers: [address], discovers: false, patience: 10)
        #expect(try await node.memberNames().count { $0.contains("Noah") } == 1)
        await node.close()
    }

    /// Nobody dials Noah: once he has begun anew after a failed write, he must know himself whom to dial.
    @Test func whoBeganAnewStillKnowsWhomToDial() async {
        await #expect(processExitsWith: .success) {
            signal(SIGXFSZ, SIG_IGN)
            let (tests, scratch) = (TripNodeTests(), Scratch())
            let (jie, link, first) = try await tests.founder(scratch)
            let home = scratch.home("noah")
            _ = try await TripNode.join(
                link: link, name: "Noah", in: home, peers: [first], discovers: false, patience: 10)
            await jie.close()

            // Named, and never met there before the disk was full.
            let moved = try await TripNode.open(folder: jie.folder)
            try await moved.up(NetworkOptions(discovers: false))
            let port = try #require(await moved.listeningPort)
            await moved.close()
            let noah = try await scratch.open(home)
            let silent = try tests.silentPort()
            let peers = ["127.0.0.1:\(port)", "127.0.0.1:\(silent)"]
            try await noah.up(NetworkOptions(peers: peers, discovers: false))
            let names = try tests.names(3)
            let own = await noah.connectivity.network?.whereabouts.own ?? []
            #expect(!own.isEmpty)
            for name in names + own { await noah.discovered(.appeared(instance: name)) }
            await noah.discovered(.disappeared(instance: names[1]))
            #expect(try await tests.eventually { await noah.node.connectionIDs.count == 1 })
            try await tests.failWrite(of: noah)
            // Who is silent has not closed the connection to them yet: another must not bear its number.
            for host in ["127.0.0.2", "127.0.0.3"] {
                await noah.tell(.addAddress(PeerAddress(host: host, port: silent), isNamed: false))
            }
            let again = try await TripNode.open(folder: jie.folder)
            let stranger = await noah.node.secrets.device.replica
            try await again.forgetWhere(stranger)
            try await again.up(NetworkOptions(listenPort: port, discovers: false))
            #expect(try await tests.eventually { try await tests.sees(noah, again) }, "by the address that was named")
            let present = await Set(noah.node.dialer.names.known + noah.node.dialer.names.unknown)
            #expect(present == [names[0], names[2]])

            await noah.close()
            let last = try await scratch.open(home)
            try await last.up(NetworkOptions(discovers: false))
            #expect(try await tests.eventually { try await tests.sees(last, again) })
            try await tests.failWrite(of: last)
            #expect(
                try await tests.eventually { try await tests.sees(last, again) }, "by an address that is remembered")
            await last.close()
            await again.close()
        }
    }

    @Test("what is written while a trip could not be read after a failed write is refused, and the trip is read again")
    func readAgain() async throws {
        let scratch = Scratch()
        let jie = try await scratch.trip(title: "Lisbon in June", name: "Jie", in: scratch.home("jie"))
        await jie.loseWriter()
        await #expect(throws: ServiceError.self) { try await jie.add("No room") }
        try await jie.add("Room")
        #expect(try await jie.titles() == ["Room"])
        await jie.close()
    }

    /// Whether a node has a session with another, and what it writes now gets there.
    private func sees(_ node: TripNode, _ other: TripNode) async throws -> Bool {
        guard await !node.node.sessions.isEmpty else { return false }
        let title = UUID().uuidString
        try await node.add(title)
        return try await eventually {
            try await other.titles().contains(title)
        }
    }

    /// Lets a node's person write something while files take nothing.
    private func failWrite(of node: TripNode) async throws {
        var old = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &old)
        var limit = rlimit(rlim_cur: 1, rlim_max: old.rlim_max)
        setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
        await #expect(throws: ServiceError.self) { try await node.add("No room") }
        setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &old)
    }

    /// Where connections are taken by the system, until the process ends, and nobody says a word.
    private func silentPort() throws -> UInt16 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        try #require(listen(descriptor, 16) == 0)
        withUnsafeMutablePointer(to: &address) { pointer in
            _ = pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &size) }
        }
        return UInt16(bigEndian: address.sin_port)
    }

    /// Names as nodes of another trip publish them.
    private func names(_ count: Int) throws -> [String] {
        var entropy = SystemRandomNumberGenerator()
        let cryptography = try SodiumCryptography()
        let credential = Credential(inviteSecret: .random(using: &entropy), using: cryptography)
        return (0..<count).map { _ in
            InstanceName(credential: credential, nonce: entropy.next(), using: cryptography).text
        }
    }
}

extension TripNode {
    /// As after a failed write, if the log could not be read either.
    fileprivate func loseWriter() { writer = nil }

    /// Forgets where a device was met.
    fileprivate func forgetWhere(_ replica: ReplicaID) throws {
        try store.remember([KnownPeer(replica: replica, addresses: [], lastSeen: 0)], seal)
    }
}
