import ChangeLog
import Foundation
import Testing
import TripStore

/// What is read of stores whose bytes are not those that were written.
@Suite struct SalvageTests {
    /// A store as files, one change of it so long that it goes on on other pages.
    private static let expected = changes(0..<50) + [change(200, length: 20_000)]

    private func files(closed: Bool) throws -> (database: [UInt8], log: [UInt8]?) {
        let folder = TemporaryFolder()
        let store = try TripStore.create(at: folder.trip)
        for change in Self.expected { try store.append([change], seal) }
        if closed { store.close() }
        defer { store.close() }
        return (try contents(of: folder.database), closed ? nil : try contents(of: folder.log))
    }

    private func salvage(_ database: [UInt8], _ log: [UInt8]?) throws -> StoreSalvage {
        let copy = try Copy(database: database, log: log)
        return try StoreSalvage(of: copy.folder.trip, seal)
    }

    @Test("of a store with one flipped bit every change is found, in order; of the longest, unless the bit is in it")
    func oneFlippedBit() throws {
        let (database, _) = try files(closed: true)
        let whole = try salvage(database, nil)
        #expect(whole.changes == Self.expected && whole.mended == 0 && whole.unreadable == 0)
        var mended = 0
        for (count, offset) in stride(from: 0, to: database.count, by: 61).enumerated() {
            var altered = database
            altered[offset] ^= 1 << UInt8(count % 8)
            let found = try salvage(altered, nil)
            #expect(Set(found.changes).isSuperset(of: Self.expected.dropLast()), "byte \(offset)")
            #expect(Set(found.changes).isSubset(of: Self.expected), "byte \(offset)")
            mended += found.mended
        }
        #expect(mended > 100)
    }

    @Test("of a log with one flipped bit nothing that was acknowledged is missed")
    func oneFlippedBitOfTheLog() throws {
        let (database, log) = try files(closed: false)
        let whole = try #require(log)
        #expect(try salvage(database, whole).changes == Self.expected)
        for (count, offset) in stride(from: 0, to: whole.count, by: 1_999).enumerated() {
            var altered = whole
            altered[offset] ^= 1 << UInt8(count % 8)
            let found = try salvage(database, altered)
            #expect(Set(found.changes).isSuperset(of: Self.expected.dropLast()), "byte \(offset)")
        }
    }

    @Test("what is destroyed takes nothing along but what lies there, and is counted")
    func destroyed() throws {
        let (database, _) = try files(closed: true)
        for offset in stride(from: 0, to: database.count, by: 487) {
            var altered = database
            for byte in offset..<min(offset + 24, database.count) { altered[byte] ^= 0x5A }
            let found = try salvage(altered, nil)
            #expect(found.changes.count >= Self.expected.count - 2, "byte \(offset)")
            #expect(found.changes.count + found.unreadable <= Self.expected.count, "byte \(offset)")
        }
    }

    @Test("a file that was cut, and no file at all, hold what they hold")
    func cut() throws {
        let (database, _) = try files(closed: true)
        for length in [0, 1, 99, 4_096, 5_000, database.count / 2, database.count - 1] {
            let found = try salvage(Array(database[..<length]), nil)
            #expect(Set(found.changes).isSubset(of: Self.expected))
            #expect(length < database.count / 2 || !found.changes.isEmpty, "\(length) bytes")
        }
    }

    @Test("a key file with one flipped bit is what it was; one with more is refused")
    func keys() throws {
        let folder = TemporaryFolder()
        try TripStore.create(at: folder.trip).close()
        let secret = try #require(Bytes32([UInt8](repeating: 3, count: 32)))
        let keys = KeyFile(
            trip: secret, signingSeed: secret, agreementSecret: secret, participant: secret, recordKey: secret,
            epochSecrets: [secret], pendingJoin: nil)
        try keys.write(to: folder.trip)
        let bytes = try contents(of: folder.keys)
        for place in bytes.indices {
            var altered = bytes
            altered[place] ^= 1 << UInt8(place % 8)
            try write(altered, to: folder.keys)
            let (stored, isMended) = try KeyFile.salvaged(in: folder.trip)
            #expect(stored == .plain(keys) && isMended, "byte \(place)")
        }
        var altered = bytes
        altered[20] ^= 3
        try write(altered, to: folder.keys)
        #expect(code { _ = try KeyFile.salvaged(in: folder.trip) } == .damaged)
    }
}
