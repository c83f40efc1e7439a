import ChangeLog
import Foundation
import Testing
import TripStore

/// The number of the first change of each batch: batches have 1, 2, 3, 4, 5, 1, 2… changes.
private func firstChange(ofBatch batch: Int) -> Int { batch / 5 * 15 + (0..<batch % 5).reduce(0) { $0 + $1 + 1 } }

private func batch(_ number: Int) -> [StoredChange] {
    changes(firstChange(ofBatch: number)..<firstChange(ofBatch: number + 1))
}

@Suite struct CrashTests {
    @Test func aProcessKilledAmongAppendsLosesNothingAcknowledged() async throws {
        let folder = TemporaryFolder()
        try TripStore.create(at: folder.trip).close()
        let acknowledged = folder.path + "/acknowledged"
        var held = 0
        for round in 0..<12 {
            let delay = UInt32.random(in: 0..<40_000)
            await #expect(processExitsWith: .signal(SIGKILL)) {
                [
                    trip = folder.trip as String, acknowledged = acknowledged as String, held = held as Int,
                    delay = delay as UInt32
                ] in
                let store = try TripStore(opening: trip)
                let notes = open(acknowledged, O_WRONLY | O_CREAT, 0o600)
                Thread.detachNewThread {
                    usleep(delay)
                    kill(getpid(), SIGKILL)
                }
                for number in held..<held + 1_000_000 {
                    try store.append(batch(number), seal)
                    // What was written to a file outlives the process.
                    let note = Array("\(number + 1)".utf8)
                    pwrite(notes, note, note.count, 0)
                }
            }
            let noted = (try? String(contentsOfFile: acknowledged, encoding: .utf8)).flatMap(Int.init) ?? 0
            // What was there when the process began counts as acknowledged by that.
            let least = max(noted, held)
            let store = try TripStore(opening: folder.trip)
            let found = try store.changes(seal)
            held = try #require(
                (least...least + 1).first { firstChange(ofBatch: $0) == found.count },
                "round \(round): \(least) batches acknowledged, \(found.count) changes found")
            #expect(found == (0..<held).flatMap(batch))
            store.close()
        }
        #expect(held > 12)
    }

    /// A power cut leaves any prefix of the log: what was acknowledged before its end is there.
    @Test func aLogCutAnywhereHoldsWhatWasAcknowledgedBefore() throws {
        let folder = TemporaryFolder()
        let store = try TripStore.create(at: folder.trip)
        var sizes: [Int] = []
        for number in 0..<120 {
            try store.append(batch(number), seal)
            sizes.append(try contents(of: folder.log).count)
        }
        let database = try contents(of: folder.database)
        let log = try contents(of: folder.log)
        store.close()
        #expect(sizes == sizes.sorted())
        var generator = SeededGenerator(state: 1)
        let cuts = (0..<80).map { _ in Int.random(in: 0...log.count, using: &generator) } + sizes.suffix(3)
        for cut in cuts {
            let copy = try Copy(database: database, log: Array(log[..<cut]))
            let opened = try TripStore(opening: copy.folder.trip)
            let found = try opened.changes(seal)
            let batches = sizes.count { $0 <= cut }
            #expect(found == (0..<batches).flatMap(batch), "cut at \(cut)")
            // And it goes on from there.
            try opened.append([change(1_000_000)], seal)
            opened.close()
            #expect(try TripStore(opening: copy.folder.trip).changes(seal) == found + [change(1_000_000)])
        }
    }

    /// A power cut may leave any pieces of the transaction that was being written, and the store opens without it.
    @Test func piecesOfTheLastTransactionAreNoDamage() throws {
        let folder = TemporaryFolder()
        let store = try TripStore.create(at: folder.trip)
        for number in 0..<20 { try store.append(batch(number), seal) }
        let before = try contents(of: folder.log).count
        try store.append((0..<60).map { change(5_000 + $0) }, seal)
        let database = try contents(of: folder.database)
        let log = try contents(of: folder.log)
        store.close()
        let frameSize = 4_096 + 24
        let frames = (log.count - before) / frameSize
        #expect(frames > 5)
        for lost in 0..<frames {
            var torn = log
            let start = before + lost * frameSize
            torn.replaceSubrange(start..<start + frameSize, with: [UInt8](repeating: 0, count: frameSize))
            let copy = try Copy(database: database, log: torn)
            let opened = try TripStore(opening: copy.folder.trip)
            #expect(try opened.changes(seal) == (0..<20).flatMap(batch), "without frame \(lost)")
            // Nor are they after a second cut, with the pieces of another transaction before them.
            try opened.append([change(9_000)], seal)
            try opened.append([change(9_001)], seal)
            var second = try contents(of: copy.folder.log)
            let piece = try #require(second.ranges(of: change(9_001).hash.bytes).last)
            second[piece.lowerBound] ^= 1
            let again = try Copy(database: contents(of: copy.folder.database), log: second)
            #expect(
                try TripStore(opening: again.folder.trip).changes(seal) == (0..<20).flatMap(batch) + [change(9_000)])
        }
    }
}

/// A trip's folder with a database and a log as they were found.
struct Copy {
    let folder = TemporaryFolder(isInMemory: true)

    init(database: [UInt8], log: [UInt8]?) throws {
        try FileManager.default.createDirectory(atPath: folder.trip, withIntermediateDirectories: true)
        try write(database, to: folder.database)
        if let log { try write(log, to: folder.log) }
    }
}
