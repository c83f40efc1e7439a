import ChangeLog
import Foundation
import GRDB
import Sodium
import Testing
import TripStore

@Suite struct ChangesTests {
    @Test func changesComeBackInTheOrderOfAppending() throws {
        let folder = TemporaryFolder()
        let store = try TripStore.create(at: folder.trip)
        #expect(try store.changes().isEmpty)
        var expected: [StoredChange] = []
        for batch in 0..<30 {
            let appended = (0..<batch % 4).map { change(batch * 10 + $0, length: batch * 331, isVerified: $0 == 1) }
            try store.append(appended)
            expected += appended
        }
        #expect(try store.changes() == expected)
        store.close()
        for _ in 0..<2 {
            let opened = try TripStore(opening: folder.trip)
            #expect(try opened.changes() == expected)
            try opened.append([change(10_000 + expected.count)])
            expected.append(change(10_000 + expected.count))
            opened.close()
        }
    }

    @Test func whatIsForgottenIsGoneAndOthersTakeItsPlace() throws {
        let folder = TemporaryFolder()
        let store = try TripStore.create(at: folder.trip)
        try store.append(changes(0..<5))
        try store.removeChanges()
        #expect(try store.changes().isEmpty)
        try store.append(changes(3..<9))
        store.close()
        let opened = try TripStore(opening: folder.trip)
        #expect(try opened.changes() == changes(3..<9))
        try opened.removeChanges()
        opened.close()
        #expect(try TripStore(opening: folder.trip).changes().isEmpty)
    }

    @Test func aChangeIsKeptOnceAndItsVerificationIsKept() throws {
        let folder = TemporaryFolder()
        var store = try TripStore.create(at: folder.trip)
        try store.append(changes(0..<5))
        try store.append([change(3), change(5), change(5), change(1, isVerified: true)])
        try store.markVerified([change(2).hash, change(77).hash])
        var expected = changes(0..<6)
        expected[1].isVerified = true
        expected[2].isVerified = true
        #expect(try store.changes() == expected)
        store.close()
        store = try TripStore(opening: folder.trip)
        // Before anything was read.
        try store.append([change(4, isVerified: true), change(2)])
        expected[4].isVerified = true
        #expect(try store.changes() == expected)
        store.close()
        store = try TripStore(opening: folder.trip)
        try store.markVerified([change(0).hash])
        expected[0].isVerified = true
        #expect(try store.changes() == expected)
    }

    @Test func aBatchWithAChangeThatIsTooLongLeavesNothing() throws {
        let folder = TemporaryFolder()
        let store = try TripStore.create(at: folder.trip)
        let long = StoredChange(
            hash: change(1).hash, sealed: [UInt8](repeating: 0, count: TripStore.maximumSealedBytes + 1),
            isVerified: true)
        #expect(code { try store.append([change(0), long]) } == .tooLarge)
        #expect(try store.changes().isEmpty)
    }

    @Test func aClosedStoreSaysSo() throws {
        let folder = TemporaryFolder()
        let store = try TripStore.create(at: folder.trip)
        store.close()
        store.close()
        #expect(code { _ = try store.changes() } == .closed)
        #expect(code { try store.append([change(0)]) } == .closed)
        #expect(code { _ = try store.knownPeers(peerSeal) } == .closed)
    }

    @Test func threadsWriteOneAfterTheOther() async throws {
        let folder = TemporaryFolder()
        let store = try TripStore.create(at: folder.trip)
        await withTaskGroup(of: Void.self) { group in
            for writer in 0..<4 {
                group.addTask {
                    for number in 0..<25 { try? store.append([change(writer * 100 + number)]) }
                }
            }
        }
        let found = try store.changes()
        #expect(found.count == 100)
        for writer in 0..<4 {
            let own = (0..<25).map { change(writer * 100 + $0) }
            #expect(found.filter { own.contains($0) } == own)
        }
    }
}

@Suite struct KnownPeerTests {
    @Test func theNewestAreKeptUpToABound() throws {
        let folder = TemporaryFolder()
        var store = try TripStore.create(at: folder.trip)
        #expect(try store.knownPeers(peerSeal).isEmpty)
        func peer(_ number: Int, _ addresses: [String], seen: Int64) -> KnownPeer {
            KnownPeer(device: change(number).hash, addresses: addresses, lastSeen: seen)
        }
        try store.remember((0..<200).map { peer($0, ["10.0.0.\($0):4000"], seen: Int64($0)) }, peerSeal)
        try store.remember([peer(3, ["[fe80::1%eth0]:5", "10.1.1.1:6"], seen: 1_000)], peerSeal)
        let many = (0..<20).map { "10.0.0.\($0):1" }
        try store.remember([peer(500, [String(repeating: "x", count: 129)] + many, seen: 2_000)], peerSeal)
        store.close()
        store = try TripStore(opening: folder.trip)
        let found = try store.knownPeers(peerSeal)
        #expect(found.count == TripStore.maximumKnownPeers)
        #expect(found[0] == peer(500, Array(many[..<8]), seen: 2_000))
        #expect(found[1] == peer(3, ["[fe80::1%eth0]:5", "10.1.1.1:6"], seen: 1_000))
        #expect(
            found[2...] == ArraySlice((138..<200).reversed().map { peer($0, ["10.0.0.\($0):4000"], seen: Int64($0)) }))
        // And the others are gone from the disk too.
        store.close()
        let queue = try DatabaseQueue(path: folder.database)
        #expect(
            try queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM peers") } == TripStore.maximumKnownPeers)
    }

    @Test func whatADeviceHeldIsKeptUpToABound() throws {
        let folder = TemporaryFolder()
        let store = try TripStore.create(at: folder.trip)
        let hashes = (0..<100).map { change($0).hash }
        let peers = [2, 0, 64, 100].enumerated().map { index, count in
            KnownPeer(
                device: change(1_000 + index).hash, addresses: ["10.0.0.1:4000"], lastSeen: Int64(-index),
                durable: Array(hashes.prefix(count)))
        }
        try store.remember(peers, peerSeal)
        store.close()
        let found = try TripStore(opening: folder.trip).knownPeers(peerSeal)
        #expect(found.map(\.durable) == [2, 0, 64, 64].map { Array(hashes.prefix($0)) })
        #expect(found.prefix(3) == peers.prefix(3))
    }

    /// Whom this device met, where, and what they held, nobody reads who has not its secret.
    @Test func theyAreSealed() throws {
        let folder = TemporaryFolder()
        let store = try TripStore.create(at: folder.trip)
        let peers = (0..<3).map {
            KnownPeer(
                device: change($0).hash, addresses: ["192.0.2.\($0):4000"], lastSeen: Int64($0),
                durable: [change(50 + $0).hash])
        }
        try store.remember(peers, peerSeal)
        let cryptography = try SodiumCryptography()
        #expect(try store.knownPeers(PeerSeal(secret: change(8).hash, using: cryptography)).isEmpty)
        store.close()
        for path in [folder.database, folder.log] where FileManager.default.fileExists(atPath: path) {
            let bytes = Data(try contents(of: path))
            for peer in peers {
                #expect(bytes.range(of: Data(peer.device.bytes)) == nil)
                #expect(bytes.range(of: Data(peer.addresses[0].utf8)) == nil)
                #expect(bytes.range(of: Data(peer.durable[0].bytes)) == nil)
            }
        }
        // An altered row, and one in another's place, are not believed; the third is as it was.
        try DatabaseQueue(path: folder.database).write { database in
            let names = try Data.fetchAll(database, sql: "SELECT device FROM peers ORDER BY last_seen")
            try database.execute(
                sql: "UPDATE peers SET addresses = (SELECT addresses FROM peers WHERE device = ?) WHERE device = ?",
                arguments: [names[2], names[0]])
            let sealed = try Data.fetchOne(
                database, sql: "SELECT addresses FROM peers WHERE device = ?", arguments: [names[1]])
            var altered = try #require(sealed)
            altered[60] ^= 1
            try database.execute(
                sql: "UPDATE peers SET addresses = ? WHERE device = ?", arguments: [altered, names[1]])
        }
        let again = try TripStore(opening: folder.trip)
        #expect(try again.knownPeers(peerSeal) == [peers[2]])
    }
}
