import ChangeLog
import Foundation
import Testing
import TripStore

@Suite struct DamageTests {
    /// Whatever byte of a database is altered, the changes are all there, or an error says that they are not.
    @Test func anAlteredByteOfTheDatabaseIsNeverBelieved() throws {
        let folder = TemporaryFolder()
        let store = try TripStore.create(at: folder.trip)
        let expected = changes(0..<150) + [change(200, length: 20_000)]
        try store.append(expected, seal)
        store.close()
        let database = try contents(of: folder.database)
        var generator = SeededGenerator(state: 2)
        // Every byte of the file's header, many of each page's, and some of the rest.
        var offsets = Array(0..<100)
        for page in stride(from: 0, to: database.count, by: 4_096) {
            offsets += (0..<24).map { page + $0 }
            offsets += (0..<12).map { _ in page + Int.random(in: 0..<4_096, using: &generator) }
        }
        var reported = 0
        for offset in offsets {
            var altered = database
            altered[offset] ^= UInt8.random(in: 1...255, using: &generator)
            let copy = try Copy(database: altered, log: nil)
            do throws(StoreError) {
                let found = try TripStore(opening: copy.folder.trip).changes(seal)
                #expect(found == expected, "byte \(offset)")
            } catch {
                #expect([.damaged, .newerVersion, .notATrip].contains(error.code), "byte \(offset): \(error)")
                reported += 1
            }
        }
        #expect(reported > offsets.count / 2)
    }

    @Test func anAlteredByteOfTheContentIsReported() throws {
        let folder = TemporaryFolder()
        let store = try TripStore.create(at: folder.trip)
        try store.append(changes(0..<150), seal)
        store.close()
        let database = try contents(of: folder.database)
        var generator = SeededGenerator(state: 3)
        for _ in 0..<100 {
            let victim = change(Int.random(in: 0..<150, using: &generator))
            // The hash, and the sealed record behind it.
            let start = try #require(database.firstRange(of: victim.hash.bytes)).lowerBound
            var altered = database
            altered[start + Int.random(in: 0..<32 + 24 + 300 + 16, using: &generator)] ^= 1
            let copy = try Copy(database: altered, log: nil)
            #expect(code { _ = try TripStore(opening: copy.folder.trip).changes(seal) } == .damaged)
            // Nothing may be written behind what was not read.
            #expect(code { try TripStore(opening: copy.folder.trip).append([change(900)], seal) } == .damaged)
        }
    }

    /// Recovery would drop everything behind an altered byte of the log without a word.
    @Test func anAlteredByteOfTheLogIsReported() throws {
        let folder = TemporaryFolder()
        let store = try TripStore.create(at: folder.trip)
        for number in 0..<60 { try store.append([change(number)], seal) }
        let before = try contents(of: folder.log).count
        try store.append([change(60)], seal)
        let database = try contents(of: folder.database)
        let log = try contents(of: folder.log)
        store.close()
        var generator = SeededGenerator(state: 4)
        var offsets = Array(0..<32) + (0..<300).map { _ in Int.random(in: 32..<log.count, using: &generator) }
        offsets += stride(from: 32, to: log.count, by: 4_120 * 9).flatMap { frame in (0..<24).map { frame + $0 } }
        for offset in offsets {
            var altered = log
            altered[offset] ^= UInt8.random(in: 1...255, using: &generator)
            let copy = try Copy(database: database, log: altered)
            do throws(StoreError) {
                let found = try TripStore(opening: copy.folder.trip).changes(seal)
                // Pieces of the last transaction are what a power cut leaves.
                #expect(found.count >= 60 && offset >= before || found.count == 61, "byte \(offset): \(found.count)")
            } catch {
                #expect(error.code == .damaged)
                #expect(offset < before, "byte \(offset)")
            }
        }
    }

    /// A page that says it holds fewer rows than it does: without the last ones, the rest would look whole.
    @Test func aLastPageThatHidesRowsIsReported() throws {
        let folder = TemporaryFolder()
        let store = try TripStore.create(at: folder.trip)
        try store.append(changes(0..<150), seal)
        store.close()
        let database = try contents(of: folder.database)
        let last = try #require(database.firstRange(of: change(149).hash.bytes)).lowerBound / 4_096 * 4_096
        // A leaf of a table, and its number of rows (https://sqlite.org/fileformat2.html, section 1.6).
        #expect(database[last] == 0x0D && database[last + 3] == 0)
        let rows = database[last + 4]
        #expect(rows > 1)
        for hidden in 1..<rows {
            var altered = database
            altered[last + 4] = rows - hidden
            let copy = try Copy(database: altered, log: nil)
            #expect(code { _ = try TripStore(opening: copy.folder.trip).changes(seal) } == .damaged, "\(hidden) hidden")
        }
    }

    @Test func aDatabaseCutShortIsReported() throws {
        let folder = TemporaryFolder()
        let store = try TripStore.create(at: folder.trip)
        try store.append(changes(0..<150), seal)
        store.close()
        let database = try contents(of: folder.database)
        // SQLite reads what is cut off as zeros: without its last zeros alone, a database says the same.
        let end = try #require(database.lastIndex { $0 != 0 })
        for length in [1, 99, 100, 4_095, 4_096, 4_097, database.count / 2, database.count - 4_096, end] {
            let copy = try Copy(database: Array(database[..<length]), log: nil)
            let found = code { _ = try TripStore(opening: copy.folder.trip).changes(seal) }
            // SQLite takes less than a header for nothing at all.
            #expect(
                found == .damaged || found == .notATrip && length < 100, "\(length) bytes: \(String(describing: found))"
            )
        }
    }
}
