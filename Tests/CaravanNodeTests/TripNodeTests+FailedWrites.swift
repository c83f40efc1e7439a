import AvahiDiscovery
import ChangeLog
import Foundation
import Sodium
import Synchronization
import Testing
import TripService

@testable import CaravanNode
@testable import SyncEngine

/// Disks that take nothing for a while.
extension TripNodeTests {
    /// Eve was let in by somebody who had not heard of a removal: the secret of the epoch since then is handed to her, and
    /// what she was sent and writes under it is worth nothing without.
    @Test func nothingIsWrittenUnderASecretThatCouldNotBeKept() async throws {
        let scratch = Scratch()
        let (eve, jie, address) = try await strangerAfterRemoval(scratch)
        // Where new keys are written first.
        let obstacle = eve.folder + "/keys.new"
        try FileManager.default.createDirectory(atPath: obstacle, withIntermediateDirectories: false)
        let parted = Mutex(false)
        let watching = Task {
            for await event in await jie.events() {
                if case .gone = event { parted.withLock { $0 = true } }
            }
        }
        try await eve.up(NetworkOptions(peers: [address], discovers: false))
        let wasAsked = try await eventually {
            let list = try await eve.titles()
            return parted.withLock { $0 } || list.contains("Casa do Rio")
        }
        #expect(wasAsked)
        let wrote = try await eventually { (try? await eve.add("Eve's own")) != nil }
        #expect(wrote)
        await eve.close()
        watching.cancel()

        try FileManager.default.removeItem(atPath: obstacle)
        let again = try await TripNode.open(folder: eve.folder)
        #expect(try await again.titles().contains("Eve's own"))
        try await again.up(NetworkOptions(peers: [address], discovers: false))
        for node in [again, jie] {
            let hasBoth = try await eventually {
                let list = try await node.titles()
                return list.contains("Eve's own") && list.contains("Casa do Rio")
            }
            #expect(hasBoth)
        }
        await again.close()
        await jie.close()
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
                await noah.tell(.addAddress(PeerAddress(host: host, port: silent)))
            }
            let again = try await TripNode.open(folder: jie.folder)
            try await again.up(NetworkOptions(listenPort: port, discovers: false))
            #expect(try await tests.eventually { try await tests.sees(noah, again) }, "by the address that was named")
            let present = await Set(noah.node.instances.keys)
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

    /// Eve, who has heard nothing of a removal, and the founder, who has written since, has heard of her, and listens at
    /// this address.
    private func strangerAfterRemoval(
        _ scratch: Scratch
    ) async throws -> (eve: TripNode, founder: TripNode, address: String) {
        let (jie, link, address) = try await founder(scratch)
        // Noah knows nothing of Mia: the fewer others he and Eve know of, the sooner they find who answers.
        for name in ["Noah", "Mia"] {
            _ = try await TripNode.join(
                link: link, name: name, in: scratch.home(name), peers: [address], discovers: false, patience: 10)
        }
        _ = try await jie.answer(.removeMember(name: "Mia"))
        try await jie.add("Casa do Rio")
        await jie.close()
        let noah = try await scratch.open(scratch.home("Noah"))
        try await noah.up(NetworkOptions(discovers: false))
        let port = try #require(await noah.listeningPort)
        let second = try await noah.invite(uses: 1).link
        _ = try await TripNode.join(
            link: second, name: "Eve", in: scratch.home("Eve"), peers: ["127.0.0.1:\(port)"], discovers: false,
            patience: 10)
        await noah.close()
        let founder = try await TripNode.open(folder: jie.folder)
        try await founder.up(NetworkOptions(discovers: false))
        let current = "127.0.0.1:\(try #require(await founder.listeningPort))"
        let messenger = try await TripNode.open(folder: noah.folder)
        try await messenger.up(NetworkOptions(peers: [current], discovers: false))
        #expect(try await eventually { try await founder.memberNames().contains("Eve") })
        await messenger.close()
        let eve = try await scratch.open(scratch.home("Eve"))
        return (eve, founder, current)
    }
}
