import ChangeLog
import Foundation
import Testing
import TripStore

/// What was acknowledged is known, whatever became of the database.
@Suite struct WrittenMarkTests {
    private func mark(_ number: Int, log: Int = 1_000) -> WrittenMark {
        WrittenMark(replica: change(log).hash.replicaID, number: UInt64(number), hash: change(number).hash)
    }

    /// A store of so many changes, each appended alone and marked, as it lies while its owner runs.
    private func written(_ count: Int) throws -> (folder: TemporaryFolder, store: TripStore) {
        let folder = TemporaryFolder(isInMemory: true)
        let store = try TripStore.create(at: folder.trip)
        for number in 1...count { try store.append([change(number)], marking: [mark(number)], seal) }
        return (folder, store)
    }

    @Test("of each log the greatest number stays, over a restart and beside a second log")
    func theGreatest() throws {
        let (folder, store) = try written(3)
        try store.append([change(9)], marking: [mark(9, log: 2_000), mark(2)], seal)
        let expected = [mark(3), mark(9, log: 2_000)].sorted { $0.replica < $1.replica }
        #expect(store.marks(seal) == expected)
        store.close()
        let again = try TripStore(opening: folder.trip)
        #expect(again.marks(seal) == expected)
        again.setMarks([mark(1)], seal)
        again.close()
        #expect(try TripStore(opening: folder.trip).marks(seal) == [mark(1)])
    }

    @Test("an altered byte in the log's last transaction is noticed, wherever it lies")
    func alteredBytes() throws {
        let (folder, store) = try written(20)
        let database = try contents(of: folder.database)
        let log = try contents(of: folder.log)
        let marks = try contents(of: folder.trip + "/written")
        store.close()
        var generator = SeededGenerator(state: 5)
        let last = log.count - (4_096 + 24)
        var lost = 0
        for _ in 0..<100 {
            var altered = log
            altered[Int.random(in: last..<log.count, using: &generator)] ^= 1
            lost += try expectNoticed(database, altered, marks)
        }
        #expect(lost > 50)
    }

    @Test("every cut of the log is noticed")
    func cuts() throws {
        let (folder, store) = try written(20)
        let database = try contents(of: folder.database)
        let log = try contents(of: folder.log)
        let marks = try contents(of: folder.trip + "/written")
        store.close()
        var generator = SeededGenerator(state: 6)
        let cuts = [0, 31, 32] + (0..<60).map { _ in Int.random(in: 0..<log.count, using: &generator) }
        var lost = 0
        for cut in cuts { lost += try expectNoticed(database, Array(log[..<cut]), marks) }
        #expect(lost == cuts.count)
    }

    /// Opens a store that may have lost something.
    /// - Returns: 1 where it had, and that is known.
    private func expectNoticed(_ database: [UInt8], _ log: [UInt8], _ marks: [UInt8]) throws -> Int {
        let copy = try Copy(database: database, log: log)
        try write(marks, to: copy.folder.trip + "/written")
        try secrets.write(to: copy.folder.trip)
        do throws(StoreError) {
            let store = try TripStore(opening: copy.folder.trip)
            let here = Set(try store.changes(seal).map(\.hash))
            let isMissing = store.marks(seal).contains { !here.contains($0.hash) }
            #expect(isMissing == (here.count < 20), "\(here.count) changes, missing \(isMissing)")
            return isMissing ? 1 : 0
        } catch {
            #expect(error.code == .damaged)
            return 1
        }
    }

    @Test("marks that are altered or truncated say nothing, and are written again")
    func alteredMarks() throws {
        let (folder, store) = try written(2)
        store.close()
        let path = folder.trip + "/written"
        let marks = try contents(of: path)
        for offset in marks.indices {
            var altered = marks
            altered[offset] ^= 1
            for bytes in [altered, Array(marks[..<offset])] {
                try write(bytes, to: path)
                let opened = try TripStore(opening: folder.trip)
                #expect(opened.marks(seal).isEmpty, "byte \(offset)")
                opened.close()
            }
        }
        let opened = try TripStore(opening: folder.trip)
        try opened.append([change(3)], marking: [mark(3)], seal)
        #expect(try contents(of: path).count >= marks.count)
        opened.close()
        #expect(try TripStore(opening: folder.trip).marks(seal) == [mark(3)])
    }

    @Test("who only reads a store changes no mark")
    func reading() throws {
        let (folder, store) = try written(3)
        let obstacle = try #require(throws: StoreError.self) { try TripStore(opening: folder.path + "/none") }
        let reader = try TripStore(reading: folder.trip, because: obstacle)
        reader.setMarks([], seal)
        #expect(reader.marks(seal) == [mark(3)] && store.marks(seal) == [mark(3)])
    }
}
