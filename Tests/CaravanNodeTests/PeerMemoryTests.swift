import ChangeLog
import DeltaCRDT
import Foundation
import Sodium
import SyncEngine
import Testing
import TripStore

@testable import CaravanNode

/// What is known of others, without a node.
struct PeerMemoryTests {
    @Test("what peers hold is written once, and nothing is written where nothing may be")
    func writing() throws {
        let scratch = TripNodeTests.Scratch()
        try FileManager.default.createDirectory(atPath: scratch.path, withIntermediateDirectories: true)
        let store = try TripStore.create(at: scratch.path + "/trip")
        defer { store.close() }
        var entropy = SystemRandomNumberGenerator()
        let seal = StoreSeal(key: .random(using: &entropy), using: try SodiumCryptography())
        let device = ReplicaID(high: 1, low: 2)
        let record = PeerRecord(replica: device, lastHeard: 5, durable: [])
        var reading = PeerMemory(store: store, seal: seal, mayWrite: false)
        reading.write([record])
        reading.remember(PeerAddress(host: "192.0.2.1", port: 4_000), of: device, isTold: false, record)
        #expect(try reading.written.isEmpty && store.knownPeers(seal).isEmpty)

        var memory = PeerMemory(store: store, seal: seal, mayWrite: true)
        memory.write([record])
        #expect(memory.written == [device: record])
        #expect(try store.knownPeers(seal).map(\.lastSeen) == [5])
        let later = PeerRecord(replica: device, lastHeard: 9, durable: [])
        memory.writeWhatPeersHold([later])
        #expect(try store.knownPeers(seal).map(\.lastSeen) == [5], "when somebody was heard alone is not worth a write")
        memory.write([later])
        #expect(try store.knownPeers(seal).map(\.lastSeen) == [9])
    }

    @Test("an address is kept first in line, and one that was told takes the place of others of its host")
    func addresses() throws {
        let scratch = TripNodeTests.Scratch()
        try FileManager.default.createDirectory(atPath: scratch.path, withIntermediateDirectories: true)
        let store = try TripStore.create(at: scratch.path + "/trip")
        defer { store.close() }
        var entropy = SystemRandomNumberGenerator()
        let seal = StoreSeal(key: .random(using: &entropy), using: try SodiumCryptography())
        let device = ReplicaID(high: 1, low: 2)
        let memory = PeerMemory(store: store, seal: seal, mayWrite: true)
        for (port, isTold) in [(UInt16(4_000), false), (4_001, false), (4_002, true)] {
            memory.remember(PeerAddress(host: "192.0.2.1", port: port), of: device, isTold: isTold, nil)
        }
        #expect(try store.knownPeers(seal).flatMap(\.addresses).map(\.text) == ["192.0.2.1:4002"])
    }
}
