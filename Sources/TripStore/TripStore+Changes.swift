package import ChangeLog
import FoundationEssentials
import GRDB

extension TripStore {
    /// All changes, in the order in which they were appended. O(n), and all are in memory at once.
    ///
    /// Throws `damaged` rather than give back, or leave out, a single altered byte.
    package func changes() throws(StoreError) -> [StoredChange] {
        try withDatabase { database, state in
            let changes = try readChanges(database)
            state.positions = Self.index(changes)
            return changes
        }
    }

    /// Appends changes after all others. One that is there already keeps its place, and becomes verified where it was not
    /// and is now said to be.
    ///
    /// Costs one synchronization of the disk, however many they are.
    package func append(_ changes: [StoredChange]) throws(StoreError) {
        guard !changes.isEmpty else { return }
        guard changes.allSatisfy({ $0.sealed.count <= Self.maximumSealedBytes }) else {
            throw StoreError(.tooLarge, "A change is longer than \(Self.maximumSealedBytes) bytes: make it smaller.")
        }
        try write { database, state in
            try loadPositions(database, &state)
            let insert = try database.cachedStatement(
                sql: "INSERT INTO changes (position, hash, sealed, verified, checksum) VALUES (?, ?, ?, ?, ?)")
            for change in changes {
                if let position = state.positions?[change.hash] {
                    if change.isVerified { try Self.markVerified(position, database) }
                    continue
                }
                let position = Int64((state.positions?.count ?? 0) + 1)
                try insert.execute(arguments: [
                    position, Data(change.hash.bytes), Data(change.sealed),
                    change.isVerified ? StoreFormat.verifiedMark : StoreFormat.unverifiedMark,
                    Self.checksum(position, change.hash.bytes, change.sealed),
                ])
                state.positions?[change.hash] = position
            }
        }
    }

    /// Forgets all changes.
    package func removeChanges() throws(StoreError) {
        try write { database, state in
            try database.execute(sql: "DELETE FROM changes")
            state.positions = [:]
        }
    }

    /// Remembers that the signatures of these changes were checked. Hashes of changes that are not here are passed over.
    package func markVerified(_ hashes: [Bytes32]) throws(StoreError) {
        guard !hashes.isEmpty else { return }
        try write { database, state in
            try loadPositions(database, &state)
            for hash in hashes {
                if let position = state.positions?[hash] { try Self.markVerified(position, database) }
            }
        }
    }

    private static func markVerified(_ position: Int64, _ database: Database) throws {
        try database.cachedStatement(sql: "UPDATE changes SET verified = ? WHERE position = ? AND verified <> ?")
            .execute(arguments: [StoreFormat.verifiedMark, position, StoreFormat.verifiedMark])
    }

    private func loadPositions(_ database: Database, _ state: inout State) throws {
        if state.positions == nil { state.positions = Self.index(try readChanges(database)) }
    }

    private static func index(_ changes: [StoredChange]) -> [Bytes32: Int64] {
        var positions: [Bytes32: Int64] = [:]
        positions.reserveCapacity(changes.count)
        for (index, change) in changes.enumerated() { positions[change.hash] = Int64(index + 1) }
        return positions
    }

    // MARK: Rows

    private func readChanges(_ database: Database) throws -> [StoredChange] {
        var changes: [StoredChange] = []
        let rows = try Row.fetchCursor(
            database.cachedStatement(
                sql: "SELECT position, hash, sealed, verified, checksum FROM changes ORDER BY position"))
        while let row = try rows.next() {
            guard let change = Self.change(in: row, at: Int64(changes.count + 1)) else {
                throw StoreError.damaged(folder, "change \(changes.count + 1)")
            }
            changes.append(change)
        }
        return changes
    }

    /// The change of a row, or nil where anything in it is not what was written.
    static func change(in row: Row, at position: Int64) -> StoredChange? {
        guard case .int64(position) = (row[0] as DatabaseValue).storage,
            case .blob(let hashData) = (row[1] as DatabaseValue).storage,
            case .blob(let sealedData) = (row[2] as DatabaseValue).storage,
            case .int64(let mark) = (row[3] as DatabaseValue).storage,
            mark == StoreFormat.verifiedMark || mark == StoreFormat.unverifiedMark,
            case .int64(let stored) = (row[4] as DatabaseValue).storage,
            let hash = Bytes32(hashData)
        else { return nil }
        let sealed = Array(sealedData)
        guard stored == checksum(position, Array(hashData), sealed) else { return nil }
        return StoredChange(hash: hash, sealed: sealed, isVerified: mark == StoreFormat.verifiedMark)
    }

    static func checksum(_ position: Int64, _ hash: [UInt8], _ sealed: [UInt8]) -> Int64 {
        var checksum = Checksum()
        checksum.add(UInt64(bitPattern: position))
        checksum.add(hash)
        checksum.add(sealed)
        return Int64(bitPattern: checksum.value)
    }
}
