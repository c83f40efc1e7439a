import ChangeLog
import DeltaCRDT
import Foundation
import Testing

@testable import TripStore

/// What cannot be written can still be read, whole; and nothing is left of the copy that it is read from.
@Suite struct ReadingTests {
    /// A trip whose disk takes nothing, with changes that are in the log alone, and are not in the database.
    @Test("a read-only home is read, with what only its log holds")
    func aReadOnlyHome() throws {
        let folder = TemporaryFolder()
        guard mountSmallDisk(at: folder.path, "size=4m") else { return }
        defer { unmount(folder.path) }
        let elsewhere = TemporaryFolder()
        let live = try TripStore.create(at: elsewhere.trip)
        try live.append(changes(0..<40), seal)
        try live.remember(
            [
                KnownPeer(
                    replica: change(9).hash.replicaID, addresses: [KnownAddress("10.0.0.1:1", network: "n")],
                    lastSeen: 5)
            ], seal)
        try secrets.write(to: elsewhere.trip)
        #expect(try contents(of: elsewhere.log).count > 40 * 300)
        try FileManager.default.copyItem(atPath: elsewhere.trip, toPath: folder.trip)
        let before = try files(in: folder.trip)
        #expect(run("mount", "-o", "remount,ro", folder.path) == 0)
        #expect(code { _ = try TripStore(opening: folder.trip) } == .readOnly)
        let left = copies
        let store = try TripStore.open(orRead: folder.trip)
        #expect(store.obstacle?.code == .readOnly)
        #expect(try store.changes(seal) == changes(0..<40))
        #expect(try store.knownPeers(seal).map(\.lastSeen) == [5])
        #expect(try KeyFile(readingFrom: folder.trip) == secrets)
        let error = #expect(throws: StoreError.self) { try store.append([change(100)], seal) }
        #expect(error?.code == .readOnly)
        #expect(error?.message.contains("cannot write to") == true)
        #expect(code { try store.removeChanges(seal) } == .readOnly)
        #expect(try store.changes(seal) == changes(0..<40))
        #expect(copies == left, "nothing is left of the copy")
        store.close()
        #expect(code { _ = try store.changes(seal) } == .closed)
        #expect(try files(in: folder.trip) == before)
    }

    /// No room for a byte more; and, where none of these files is there, not even for a name.
    @Test("a full disk is opened, or read")
    func aFullDisk() throws {
        for hasNames in [true, false] {
            let folder = TemporaryFolder()
            guard mountSmallDisk(at: folder.path, "size=1m,nr_inodes=16") else { return }
            defer { unmount(folder.path) }
            let store = try TripStore.create(at: folder.trip)
            try store.append(changes(0..<40), seal)
            store.close()
            fill(folder.path, withNames: !hasNames)
            let opened = try TripStore.open(orRead: folder.trip)
            #expect(opened.obstacle?.code == (hasNames ? nil : .full))
            #expect(try opened.changes(seal) == changes(0..<40))
            #expect(code { try opened.append(changes(100..<400), seal) } == .full)
            #expect(try opened.changes(seal) == changes(0..<40))
        }
    }

    /// A reader beside a busy writer reads one moment: everything acknowledged before it, in its order, and nothing torn.
    @Test("a reader beside the owner sees all that was acknowledged, and no half of anything")
    func besideTheOwner() async throws {
        let folder = TemporaryFolder(isInMemory: true)
        try TripStore.create(at: folder.trip).close()
        let progress = folder.path + "/progress"
        try write([], to: progress)
        let paths = [folder.trip, progress]
        async let owner = #expect(processExitsWith: .success) { [paths = paths as [String]] in
            var store = try TripStore(opening: paths[0])
            let report = open(paths[1], O_WRONLY | O_APPEND)
            for round in 0..<300 {
                // Five together, or none. Now and then everything is moved into the database, and the log restarts.
                try store.append(changes(round * 5..<round * 5 + 5), seal)
                Glibc.write(report, [1], 1)
                if round % 50 == 49 {
                    store.close()
                    store = try TripStore(opening: paths[0])
                }
            }
        }
        let obstacle = try #require(throws: StoreError.self) { try TripStore(opening: folder.path + "/none") }
        var reads = 0
        let patience = ContinuousClock.now + .seconds(30)
        while ContinuousClock.now < patience, try contents(of: progress).count < 300 {
            let acknowledged = try contents(of: progress).count
            do {
                let found = try TripStore(reading: folder.trip, because: obstacle).changes(seal)
                #expect(found.count.isMultiple(of: 5) && found.count >= acknowledged * 5)
                #expect(found == changes(0..<found.count))
                if acknowledged > 0 { reads += 1 }
            } catch {
                #expect(error.code == .owned, "\(error)")
            }
        }
        _ = await owner
        #expect(reads > 0)
        #expect(try TripStore(reading: folder.trip, because: obstacle).changes(seal) == changes(0..<1_500))
    }

    /// Appends to the log lie behind the copied part. If the log restarts or goes, the copy is torn.
    @Test("a copy is of one moment as long as its log did not restart")
    func oneMoment() throws {
        let folder = TemporaryFolder()
        let store = try TripStore.create(at: folder.trip)
        try store.append([change(0)], seal)
        var before = try StoreCopy.Moment(of: folder.trip)
        try store.append([change(1)], seal)
        #expect(try StoreCopy.Moment(of: folder.trip) == before)
        // A thousand pages and more: a checkpoint, and a log that restarts.
        try store.append((2..<20).map { change($0, length: 1 << 18) }, seal)
        try store.append([change(20)], seal)
        #expect(try StoreCopy.Moment(of: folder.trip) != before)
        store.close()
        before = try StoreCopy.Moment(of: folder.trip)
        #expect(try StoreCopy.Moment(of: folder.trip) == before)
        let again = try TripStore(opening: folder.trip)
        try again.append([change(21)], seal)
        again.close()
        #expect(try StoreCopy.Moment(of: folder.trip) != before, "it came and went")
    }

    @Test("what is no trip, or damaged, is not read either")
    func whatIsNoTrip() throws {
        let folder = TemporaryFolder()
        let obstacle = try #require(throws: StoreError.self) { try TripStore(opening: folder.path + "/none") }
        func reading() -> StoreError.Code? { code { _ = try TripStore(reading: folder.trip, because: obstacle) } }
        #expect(reading() == .notATrip)
        let store = try TripStore.create(at: folder.trip)
        for number in 0..<20 { try store.append([change(number)], seal) }
        let (database, log) = try (contents(of: folder.database), contents(of: folder.log))
        store.close()
        let left = copies
        var altered = log
        altered[32 + 24 + 100] ^= 1
        try write(database, to: folder.database)
        try write(altered, to: folder.log)
        #expect(reading() == .damaged)
        try write(log, to: folder.log)
        #expect(reading() == nil)
        try FileManager.default.removeItem(atPath: folder.log)
        try write(Array("no database, but long enough to be taken for one".utf8), to: folder.database)
        #expect(reading() == .damaged)
        #expect(copies == left)
    }

    /// The folders of copies where they are made first.
    private var copies: Set<String> {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/dev/shm")) ?? []
        return Set(names.filter { $0.hasPrefix("caravan-") })
    }

    private func files(in folder: String) throws -> [String: [UInt8]] {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder)
        return try Dictionary(uniqueKeysWithValues: names.map { ($0, try contents(of: folder + "/" + $0)) })
    }

    /// Takes all the room of a small disk, and where that is asked for all the names.
    private func fill(_ folder: String, withNames: Bool) {
        let file = open(folder + "/filler", O_WRONLY | O_CREAT, 0o600)
        let bytes = [UInt8](repeating: 1, count: 4_096)
        while Glibc.write(file, bytes, bytes.count) > 0 {}
        close(file)
        guard withNames else { return }
        var number = 0
        while true {
            let file = open(folder + "/\(number)", O_WRONLY | O_CREAT, 0o600)
            guard file >= 0 else { return }
            close(file)
            number += 1
        }
    }
}
