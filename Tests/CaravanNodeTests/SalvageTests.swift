import Foundation
import Sodium
import Testing
import TripService
import TripStore

@testable import CaravanNode
@testable import ChangeLog
@testable import SyncEngine

/// `caravan salvage`: trips whose files are damaged.
struct SalvageTests {
    private let tests = TripNodeTests()

    /// A home in memory, for it is made and read often; gone with the last reference.
    private final class Scratch {
        let home = Home(folder: "/dev/shm/caravan-salvage-" + UUID().uuidString)
        deinit { try? FileManager.default.removeItem(atPath: home.folder) }
    }

    private func access(_ home: Home) async throws -> TripAccess {
        TripAccess(home: home, id: try await home.tripID(named: nil))
    }

    private func read(_ path: String) throws -> [UInt8] { Array(try Data(contentsOf: URL(fileURLWithPath: path))) }

    private func write(_ bytes: [UInt8], to path: String) throws {
        try Data(bytes).write(to: URL(fileURLWithPath: path))
    }

    /// Destroys a change in the store of a trip that is closed, beyond what can be mended.
    private func destroy(_ hash: Bytes32, in folder: String) throws {
        let path = folder + "/trip.sqlite"
        var bytes = try read(path)
        let start = try #require(bytes.firstRange(of: hash.bytes)).lowerBound
        for byte in (start + 60)..<(start + 70) { bytes[byte] ^= 0x55 }
        try write(bytes, to: path)
    }

    private func hashes(of node: TripNode) async -> [Bytes32] { await node.node.log.graph.changes.map(\.hash) }

    @Test(
        "whatever bit of a store of 50 changes is flipped: all of them are kept, the trip opens, and what was is put aside"
    )
    func everyFlippedBit() async throws {
        let scratch = Scratch()
        let id = try await TripNode.create(title: "Lisbon in June", name: "Jie", in: scratch.home)
        let folder = scratch.home.folder(ofTrip: id)
        let node = try await TripNode.open(folder: folder)
        for number in 1...48 { try await node.add("Item \(number)") }
        let expected = try await node.trip()
        let changes = await hashes(of: node)
        await node.close()
        let files = try ["trip.sqlite", "keys"].map { (path: "\(folder)/\($0)", bytes: try read("\(folder)/\($0)")) }
        let access = TripAccess(home: scratch.home, id: id)
        #expect(try await access.salvage(isDry: false).isWhole)
        var recovered = 0
        for (path, bytes) in files {
            for (count, offset) in stride(from: 0, to: bytes.count, by: 241).enumerated() {
                var altered = bytes
                altered[offset] ^= 1 << UInt8(count % 8)
                try write(altered, to: path)
                let view = try await access.salvage(isDry: false)
                #expect(view.kept == changes.count && view.lost.isEmpty && view.waiting.isEmpty, "byte \(offset)")
                let again = try await TripNode.open(folder: folder)
                #expect(try await again.trip() == expected, "byte \(offset)")
                #expect(try await again.status().writingProblem == nil, "byte \(offset)")
                await again.close()
                if let aside = view.damagedFolder {
                    recovered += 1
                    #expect(try read("\(aside)/" + (path as NSString).lastPathComponent) == altered)
                    try FileManager.default.removeItem(atPath: aside)
                } else {
                    #expect(view.isWhole)
                }
                for (path, bytes) in files { try write(bytes, to: path) }
            }
        }
        #expect(recovered > 50)
    }

    @Test("a change that its author did not sign is not kept, nor one that names another place in its log")
    func forged() async throws {
        let scratch = Scratch()
        let id = try await TripNode.create(title: "Lisbon in June", name: "Jie", in: scratch.home)
        let folder = scratch.home.folder(ofTrip: id)
        let node = try await TripNode.open(folder: folder)
        try await node.add("One")
        let last = try #require(await node.node.log.graph.changes.last)
        await node.close()
        let keys = try KeyFile(readingFrom: folder)
        let cryptography = try SodiumCryptography()
        func change(number: UInt64, lamport: UInt64, seed: Bytes32) -> StoredChange {
            let signed = SignedChange(
                Change(
                    trip: keys.trip, replica: last.change.replica, number: number, previous: last.hash, heads: [],
                    lamport: lamport, wallTime: 0, statement: nil, content: []),
                signingSeed: seed, using: cryptography)
            return StoredChange(hash: signed.hash, record: signed.record)
        }
        let (number, lamport) = (last.change.number + 1, last.change.lamport + 1)
        let store = try TripStore(opening: folder)
        let stranger = try #require(Bytes32([UInt8](repeating: 9, count: 32)))
        try store.append(
            [
                change(number: number, lamport: lamport, seed: stranger),
                change(number: number + 1, lamport: lamport, seed: keys.signingSeed),
                change(number: number, lamport: lamport + 1, seed: keys.signingSeed),
            ], TripNode.seal(of: keys, cryptography))
        store.close()
        let view = try await TripAccess(home: scratch.home, id: id).salvage(isDry: false)
        #expect(!view.isWhole)
        let again = try await TripNode.open(folder: folder)
        let kept = await hashes(of: again)
        #expect(kept.last == last.hash)
        await again.close()
    }

    @Test("what is lost comes back from others, and what builds on it with it: with no fork")
    func comesBack() async throws {
        let scratch = TripNodeTests.Scratch()
        let (jie, link, address) = try await tests.founder(scratch)
        let home = scratch.home("noah")
        _ = try await TripNode.join(
            link: link, name: "Noah", in: home, peers: [address], discovers: false, patience: 10)
        try await jie.add("Casa do Rio")
        let noah = try await scratch.open(home)
        try await noah.up(NetworkOptions(peers: [address], discovers: false))
        #expect(try await tests.eventually { try await noah.titles().contains("Casa do Rio") })
        await noah.close()
        let lost = try #require(await jie.node.log.graph.changes.last)
        // Written where nobody hears of it.
        let alone = try await scratch.open(home)
        try await alone.add("Mine")
        try await alone.add("Mine too")
        let all = await hashes(of: alone)
        await alone.close()
        try destroy(lost.hash, in: alone.folder)
        let error = await #expect(throws: ServiceError.self) { try await scratch.open(home) }
        #expect(error?.message.contains("caravan salvage") == true, "\(error?.message ?? "")")

        let dry = try await access(home).salvage(isDry: true)
        #expect(dry.damagedFolder == nil && dry.waiting.map(\.author) == ["Noah"] && dry.waiting.first?.count == 2)
        let view = try await access(home).salvage(isDry: false)
        #expect(view.kept == all.count - 3 && view.waiting == dry.waiting && view.lost == dry.lost)
        let aside = try #require(view.damagedFolder)
        #expect(view.lost.map(\.count) == [1] && FileManager.default.fileExists(atPath: aside))

        let again = try await scratch.open(home)
        #expect(try await again.status().writingProblem?.contains("2 of your") == true)
        await #expect(throws: ServiceError.self) { try await again.add("Too early") }
        try await again.up(NetworkOptions(peers: [address], discovers: false))
        #expect(try await tests.eventually { try await jie.titles().contains("Mine too") })
        #expect(try await tests.eventually { try await again.trip() == jie.trip() })
        #expect(try await again.status().writingProblem == nil)
        try await again.add("Later")
        #expect(try await tests.eventually { try await jie.titles().contains("Later") })
        #expect(try await jie.status().inTwoPlaces.isEmpty)
        await again.close()
        let last = try await scratch.open(home)
        #expect(!FileManager.default.fileExists(atPath: last.folder + "/waiting"))
        let kept = await hashes(of: last)
        #expect(Set(kept).isSuperset(of: all))
        await last.close()
        await jie.close()
    }

    @Test("somebody alone keeps what comes before a destroyed change, and goes on once that is said")
    func alone() async throws {
        let scratch = Scratch()
        let id = try await TripNode.create(title: "Alone", name: "Jie", in: scratch.home)
        let folder = scratch.home.folder(ofTrip: id)
        let node = try await TripNode.open(folder: folder)
        for title in ["One", "Two", "Three"] { try await node.add(title) }
        let changes = await node.node.log.graph.changes
        await node.close()
        try destroy(changes[changes.count - 2].hash, in: folder)
        let view = try await TripAccess(home: scratch.home, id: id).salvage(isDry: false)
        #expect(view.title == "Alone" && view.kept == changes.count - 2)
        #expect(view.lost.map(\.author) == ["Jie"] && view.lost.map(\.count) == [1])
        #expect(view.waiting.map(\.count) == [1])
        let again = try await TripNode.open(folder: folder)
        await #expect(throws: ServiceError.self) { try await again.add("Four") }
        try await again.add("Four")
        #expect(try await again.titles().sorted() == ["Four", "One"])
        await again.close()
    }

    @Test("without keys nothing is done, and what to do is said")
    func noKeys() async throws {
        let scratch = Scratch()
        let id = try await TripNode.create(title: "Alone", name: "Jie", in: scratch.home)
        let folder = scratch.home.folder(ofTrip: id)
        try write([UInt8](repeating: 1, count: 400), to: folder + "/keys")
        let error = await #expect(throws: ServiceError.self) {
            try await TripAccess(home: scratch.home, id: id).salvage(isDry: false)
        }
        #expect(error?.message.contains("restore a backup") == true)
        #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.home.folder + "/trips") == [id])
    }
}
