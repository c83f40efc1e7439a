import ChangeLog
import DeltaCRDT
import Foundation
import GRDB
import Sodium
import Testing
import TripStore

@Suite struct ChangesTests {
    @Test func changesComeBackInTheOrderOfAppending() throws {
        let folder = TemporaryFolder()
        let store = try TripStore.create(at: folder.trip)
        #expect(try store.changes(seal).isEmpty)
        var expected: [StoredChange] = []
        for batch in 0..<30 {
            let appended = (0..<batch % 4).map { change(batch * 10 + $0, length: batch * 331) }
            try store.append(appended, seal)
            expected += appended
        }
        #expect(try store.changes(seal) == expected)
        store.close()
        for _ in 0..<2 {
            let opened = try TripStore(opening: folder.trip)
            #expect(try opened.changes(seal) == expected)
            try opened.append([change(10_000 + expected.count)], seal)
            expected.append(change(10_000 + expected.count))
            opened.close()
        }
    }

    @Test func whatIsForgottenIsGoneAndOthersTakeItsPlace() throws {
        let folder = TemporaryFolder()
        let store = try TripStore.create(at: folder.trip)
        try store.append(changes(0..<5), seal)
        try store.removeChanges(seal)
        #expect(try store.changes(seal).isEmpty)
        try store.append(changes(3..<9), seal)
        store.close()
        let opened = try TripStore(opening: folder.trip)
        #expect(try opened.changes(seal) == changes(3..<9))
        try opened.removeChanges(seal)
        opened.close()
        #expect(try TripStore(opening: folder.trip).changes(seal).isEmpty)
    }

    @Test("a change that is there already keeps its place, whatever a second record says")
    func once() throws {
        let folder = TemporaryFolder()
        var store = try TripStore.create(at: folder.trip)
        try store.append(changes(0..<5), seal)
        try store.append([change(3), change(5), change(5), StoredChange(hash: change(1).hash, record: [1])], seal)
        #expect(try store.changes(seal) == changes(0..<6))
        store.close()
        store = try TripStore(opening: folder.trip)
        // Before anything was read.
        try store.append([change(4), change(6), change(2)], seal)
        #expect(try store.changes(seal) == changes(0..<7))
    }

    @Test("a change without its body takes its place, and the disk gets the room back")
    func altered() throws {
        let folder = TemporaryFolder()
        var store = try TripStore.create(at: folder.trip)
        let great = (0..<40).map {
            StoredChange(hash: change($0).hash, record: Array(repeating: UInt8($0), count: 600_000))
        }
        try store.append(great, seal)
        let size = try Data(contentsOf: URL(fileURLWithPath: folder.database)).count
        #expect(size > 20_000_000)
        let bare = great.prefix(38).map { StoredChange(hash: $0.hash, record: Array($0.record.prefix(300))) }
        try store.alter(bare + [change(99)], seal)
        #expect(try store.changes(seal) == bare + great.suffix(2))
        store.close()
        #expect(try Data(contentsOf: URL(fileURLWithPath: folder.database)).count < size / 8)
        store = try TripStore(opening: folder.trip)
        #expect(try store.changes(seal) == bare + great.suffix(2))
        try store.alter(Array(great.prefix(1)), seal)
        #expect(try store.changes(seal).first == great[0])
    }

    /// A reader of the disk without the keys learns only the changes' hashes. With another home's key nothing opens.
    @Test("changes lie sealed, each bound to its hash, under a nonce of its own")
    func sealed() throws {
        let folder = TemporaryFolder()
        let store = try TripStore.create(at: folder.trip)
        let twins = (0..<2).map { StoredChange(hash: change($0).hash, record: change(7).record) }
        try store.append(twins, seal)
        store.close()
        let bytes = Data(try contents(of: folder.database))
        #expect(bytes.range(of: Data(change(7).record.prefix(16))) == nil)
        let rows = try DatabaseQueue(path: folder.database).read {
            try Data.fetchAll($0, sql: "SELECT sealed FROM changes")
        }
        #expect(rows[0].prefix(24) != rows[1].prefix(24))
        #expect(rows[0].dropFirst(24) != rows[1].dropFirst(24))
        let other = StoreSeal(key: change(8).hash, using: try SodiumCryptography())
        #expect(code { _ = try TripStore(opening: folder.trip).changes(other) } == .damaged)
        try DatabaseQueue(path: folder.database).write { database in
            try database.execute(
                sql: "UPDATE changes SET sealed = ? WHERE position = 1", arguments: [rows[1]])
        }
        #expect(code { _ = try TripStore(opening: folder.trip).changes(seal) } == .damaged)
    }

    @Test func aBatchWithAChangeThatIsTooLongLeavesNothing() throws {
        let folder = TemporaryFolder()
        let store = try TripStore.create(at: folder.trip)
        let long = StoredChange(
            hash: change(1).hash, record: [UInt8](repeating: 0, count: TripStore.maximumRecordBytes + 1))
        #expect(code { try store.append([change(0), long], seal) } == .tooLarge)
        #expect(try store.changes(seal).isEmpty)
    }

    @Test func aClosedStoreSaysSo() throws {
        let folder = TemporaryFolder()
        let store = try TripStore.create(at: folder.trip)
        store.close()
        store.close()
        #expect(code { _ = try store.changes(seal) } == .closed)
        #expect(code { try store.append([change(0)], seal) } == .closed)
        #expect(code { _ = try store.knownPeers(seal) } == .closed)
    }

    @Test func threadsWriteOneAfterTheOther() async throws {
        let folder = TemporaryFolder()
        let store = try TripStore.create(at: folder.trip)
        await withTaskGroup(of: Void.self) { group in
            for writer in 0..<4 {
                group.addTask {
                    for number in 0..<25 { try? store.append([change(writer * 100 + number)], seal) }
                }
            }
        }
        let found = try store.changes(seal)
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
        #expect(try store.knownPeers(seal).isEmpty)
        func peer(_ number: Int, _ addresses: [String], seen: Int64) -> KnownPeer {
            KnownPeer(
                replica: change(number).hash.replicaID, addresses: addresses.map { KnownAddress($0, network: "n") },
                lastSeen: seen)
        }
        try store.remember((0..<200).map { peer($0, ["10.0.0.\($0):4000"], seen: Int64($0)) }, seal)
        try store.remember([peer(3, ["[fe80::1%eth0]:5", "10.1.1.1:6"], seen: 1_000)], seal)
        let many = (0..<20).map { "10.0.0.\($0):1" }
        try store.remember([peer(500, [String(repeating: "x", count: 129)] + many, seen: 2_000)], seal)
        store.close()
        store = try TripStore(opening: folder.trip)
        let found = try store.knownPeers(seal)
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
                replica: change(1_000 + index).hash.replicaID, addresses: [KnownAddress("10.0.0.1:4000", network: "n")],
                lastSeen: Int64(-index),
                durable: Array(hashes.prefix(count)))
        }
        try store.remember(peers, seal)
        store.close()
        let found = try TripStore(opening: folder.trip).knownPeers(seal)
        #expect(found.map(\.durable) == [2, 0, 64, 64].map { Array(hashes.prefix($0)) })
        #expect(found.prefix(3) == peers.prefix(3))
    }

    /// Without the device's secret, nobody can read which peers it met, where, and what they held.
    @Test func theyAreSealed() throws {
        let folder = TemporaryFolder()
        let store = try TripStore.create(at: folder.trip)
        let peers = (0..<3).map {
            KnownPeer(
                replica: change($0).hash.replicaID, addresses: [KnownAddress("192.0.2.\($0):4000", network: "n")],
                lastSeen: Int64($0),
                durable: [change(50 + $0).hash])
        }
        try store.remember(peers, seal)
        let cryptography = try SodiumCryptography()
        #expect(try store.knownPeers(StoreSeal(key: change(8).hash, using: cryptography)).isEmpty)
        store.close()
        for path in [folder.database, folder.log] where FileManager.default.fileExists(atPath: path) {
            let bytes = Data(try contents(of: path))
            for peer in peers {
                #expect(bytes.range(of: Data(peer.replica.bytes)) == nil)
                #expect(bytes.range(of: Data(peer.addresses[0].text.utf8)) == nil)
                #expect(bytes.range(of: Data(peer.durable[0].bytes)) == nil)
            }
        }
        // An altered row, and one in another's place, are not believed; the third is as it was.
        try DatabaseQueue(path: folder.database).write { database in
            let names = try Data.fetchAll(database, sql: "SELECT name FROM peers ORDER BY last_seen")
            try database.execute(
                sql: "UPDATE peers SET sealed = (SELECT sealed FROM peers WHERE name = ?) WHERE name = ?",
                arguments: [names[2], names[0]])
            let sealed = try Data.fetchOne(
                database, sql: "SELECT sealed FROM peers WHERE name = ?", arguments: [names[1]])
            var altered = try #require(sealed)
            altered[60] ^= 1
            try database.execute(
                sql: "UPDATE peers SET sealed = ? WHERE name = ?", arguments: [altered, names[1]])
        }
        let again = try TripStore(opening: folder.trip)
        #expect(try again.knownPeers(seal) == [peers[2]])
    }
}
