import ChangeLog
import Foundation
import Sodium
import Testing
import TripService
import TripStore

@testable import CaravanNode
@testable import SyncEngine

/// Disks that hold less than was acknowledged, and more than this version reads.
struct LostActsTests {
    /// What lies in a folder, as a process that is killed leaves it.
    private func files(in folder: String) throws -> [String: Data] {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder)
        return try Dictionary(
            uniqueKeysWithValues: names.map { ($0, try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\($0)"))) })
    }

    /// Lets a node's person add two items, ends it as a crash does, and takes the second from its disk: a cut of the
    /// write-ahead log, or an altered byte in it.
    private func loseLast(
        of node: TripNode, isCut: Bool, before ending: () async throws -> Void = {}
    ) async throws {
        let folder = node.folder
        try await node.add("One")
        let kept = try #require(try files(in: folder)["trip.sqlite-wal"]).count
        try await node.add("Two")
        try await ending()
        var left = try files(in: folder)
        await node.close()
        var log = try #require(left["trip.sqlite-wal"])
        if isCut { log = log.prefix(kept) } else { log[kept + 200] ^= 1 }
        // What was written behind it would be damage in the middle.
        left["trip.sqlite-wal"] = log.prefix(kept + 4_120)
        for (name, bytes) in left { try bytes.write(to: URL(fileURLWithPath: "\(folder)/\(name)")) }
    }

    @Test("an act that the disk lost is said, and comes back from others without a fork", arguments: [true, false])
    func comesBack(isCut: Bool) async throws {
        let (tests, scratch) = (TripNodeTests(), TripNodeTests.Scratch())
        let (jie, link, address) = try await tests.founder(scratch)
        let home = scratch.home("noah")
        _ = try await TripNode.join(
            link: link, name: "Noah", in: home, peers: [address], discovers: false, patience: 10)
        let noah = try await scratch.open(home)
        try await noah.up(NetworkOptions(peers: [address], discovers: false))
        try await loseLast(of: noah, isCut: isCut) {
            let isThere = try await tests.eventually { try await jie.titles().contains("Two") }
            #expect(isThere)
        }
        let again = try await scratch.open(home)
        #expect(try await again.titles().contains("Two") == false)
        let problem = try #require(try await again.status().writingProblem)
        #expect(problem.hasPrefix("1 of your changes was lost on disk; ") && !problem.contains("\n"))
        let error = await #expect(throws: ServiceError.self) { try await again.add("Three") }
        #expect(error?.message == problem)
        try await again.up(NetworkOptions(peers: [address], discovers: false))
        #expect(try await tests.eventually { try await again.titles().contains("Two") })
        #expect(try await again.status().writingProblem == nil)
        try await again.add("Three")
        #expect(try await tests.eventually { try await jie.titles().contains("Three") })
        #expect(try await jie.status().inTwoPlaces.isEmpty)
        await again.close()
        await jie.close()
    }

    @Test("what nobody else can have is given up, once that was said")
    func givenUp() async throws {
        let scratch = TripNodeTests.Scratch()
        let home = scratch.home("jie")
        try await loseLast(of: try await scratch.trip(title: "Alone", name: "Jie", in: home), isCut: true)
        let again = try await scratch.open(home)
        let error = await #expect(throws: ServiceError.self) { try await again.add("Three") }
        #expect(
            error?.message.hasPrefix("1 of your changes was lost on disk and could not be recovered") == true,
            "\(error?.message ?? "")")
        try await again.add("Three")
        #expect(try await again.titles().sorted() == ["One", "Three"])
        await again.close()
    }

    @Test("a change of a form that is not known yet is a newer caravan's, and no damage")
    func newerForm() async throws {
        let scratch = TripNodeTests.Scratch()
        let home = scratch.home("jie")
        let node = try await scratch.trip(title: "Lisbon in June", name: "Jie", in: home)
        let last = try #require(await node.node.log.graph.changes.last)
        await node.close()
        let keys = try KeyFile(readingFrom: node.folder)
        let store = try TripStore(opening: node.folder)
        var entropy = SystemRandomNumberGenerator()
        let newer = StoredChange(hash: .random(using: &entropy), record: [2] + last.record.dropFirst())
        try store.append([newer], StoreSeal(key: keys.recordKey, using: try SodiumCryptography()))
        store.close()
        let error = await #expect(throws: ServiceError.self) { try await TripNode.open(folder: node.folder) }
        #expect(error?.message == "this trip was last opened by a newer version of caravan; update this one")
    }
}
