import Foundation
import LibC
import Sodium
import SyncEngine
import Synchronization
import Testing
import TripService
import TripStore

@testable import CaravanNode
@testable import ChangeLog

/// What `caravan doctor` and readers are told of clocks and of what the disk lost.
struct TripsCheckTests {
    private let tests = TripNodeTests()

    private func findings(_ home: Home) async -> [Finding] {
        await TripsCheck(home: home, isNodeSilent: false, passphrases: .none).examine()
    }

    /// Writes an empty change as this home's person would by a clock that is wrong.
    private func write(at wallTime: Int64, in home: Home) async throws {
        let folder = home.folder(ofTrip: try await home.tripID(named: nil))
        let node = try await TripNode.open(folder: folder)
        var log = await node.node.log
        let secrets = await node.node.secrets
        await node.close()
        let written = try log.write(nil, content: [], wallTime: wallTime, as: secrets).change
        let store = try TripStore(opening: folder)
        let seal = TripNode.seal(of: try KeyFile(readingFrom: folder), try SodiumCryptography())
        try store.append([StoredChange(hash: written.hash, record: written.record)], seal)
        store.close()
    }

    @Test("a mailbox is tested by a block, and what is to be known of it is said") func mailboxes() async throws {
        let scratch = TripNodeTests.Scratch()
        let (jie, _, _) = try await tests.founder(scratch)
        let box = scratch.path + "/box"
        try FileManager.default.createDirectory(atPath: box, withIntermediateDirectories: true)
        _ = try await jie.answer(.mailboxes(.add(MailboxPlace(address: box))))
        await jie.close()
        for entry in try FileManager.default.contentsOfDirectory(atPath: box) {
            try FileManager.default.removeItem(atPath: "\(box)/\(entry)")
        }
        #expect(await self.findings(scratch.home("jie")).isEmpty)
        #expect(try FileManager.default.contentsOfDirectory(atPath: box).count == 1, "a block was written")
        func findings(free: Int64?, isOpen: Bool, problem: String? = nil) -> [Finding] {
            TripsCheck.findings(
                of: MailboxView(
                    number: 1, address: "/b", code: "9f", problem: problem, lastReached: nil,
                    trial: .init(list: 1, put: 2, get: 3, isOpen: isOpen, freeBytes: free)), in: "t")
        }
        #expect(findings(free: nil, isOpen: false).isEmpty && findings(free: 10 << 20, isOpen: false).isEmpty)
        #expect(
            findings(free: (10 << 20) - 1, isOpen: true) == [
                .home(.mailboxNearlyFull(trip: "t", address: "/b", freeBytes: (10 << 20) - 1)),
                .home(.mailboxOpen(trip: "t", address: "/b")),
            ])
        #expect(
            findings(free: 1, isOpen: true, problem: "p") == [
                .home(.mailboxUnusable(trip: "t", address: "/b", reason: "p"))
            ])
    }

    @Test("a clock that is right again is forgiven: what its device wrote last decides")
    func clock() async throws {
        let scratch = TripNodeTests.Scratch()
        let (jie, link, address) = try await tests.founder(scratch)
        let home = scratch.home("noah")
        _ = try await TripNode.join(
            link: link, name: "Noah", in: home, peers: [address], discovers: false, patience: 10)
        try await write(at: 5_680_000_000_000, in: home)  // in 2149
        let noah = try await scratch.open(home)
        let count = await noah.node.log.graph.count
        try await noah.up(NetworkOptions(peers: [address], discovers: false))
        #expect(try await tests.eventually { await jie.node.log.graph.count == count })
        await jie.close()
        let found = await findings(scratch.home("jie"))
        guard case .clock(let finding)? = found.first else {
            Issue.record("\(found)")
            return
        }
        #expect(found.count == 1 && finding.witness == .people(["Noah"]) && finding.secondsBehind > 1_000_000_000)
        try await noah.add("Now")
        let again = try await scratch.open(scratch.home("jie"))
        try await again.up(NetworkOptions(discovers: false))
        let port = try #require(await again.listeningPort)
        await noah.close()
        let later = try await scratch.open(home)
        try await later.up(NetworkOptions(peers: ["127.0.0.1:\(port)"], discovers: false))
        #expect(try await tests.eventually { try await again.titles().contains("Now") })
        await again.close()
        await later.close()
        #expect(await findings(scratch.home("jie")) == [])
    }

    @Test("changes that the disk lost are counted by the doctor, and said to whoever reads")
    func lost() async throws {
        let scratch = TripNodeTests.Scratch()
        let home = scratch.home("jie")
        let node = try await scratch.trip(title: "Alone", name: "Jie", in: home)
        try await node.add("One")
        let log = node.folder + "/trip.sqlite-wal"
        let (database, before) = try (
            Data(contentsOf: URL(fileURLWithPath: node.folder + "/trip.sqlite")),
            Data(contentsOf: URL(fileURLWithPath: log))
        )
        for title in ["Two", "Three"] { try await node.add(title) }
        await node.close()
        try database.write(to: URL(fileURLWithPath: node.folder + "/trip.sqlite"))
        try before.write(to: URL(fileURLWithPath: log))
        let id = try await home.tripID(named: nil)
        #expect(await findings(home) == [.home(.changesLost(trip: id, count: 2))])
        let notes = Mutex<[String]>([])
        let access = TripAccess(home: home, id: id) { note in notes.withLock { $0.append(note) } }
        _ = try await access.answer(.list)
        #expect(notes.withLock { $0.count } == 1 && notes.withLock { $0.first?.hasPrefix("2 of your") } == true)
        _ = try await access.answer(.status)
        #expect(notes.withLock { $0.count } == 1)
    }
}
