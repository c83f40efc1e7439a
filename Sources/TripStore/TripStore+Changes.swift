import ChangeLog
import FoundationEssentials
import GRDB

extension TripStore {
    /// All changes, in the order in which they were appended. O(n), and all are in memory at once.
    ///
    /// Throws `damaged` rather than give back, or leave out, a single altered byte.
    package func changes(_ seal: StoreSeal) throws(StoreError) -> [StoredChange] {
        try withDatabase { database, state in
            let changes = try readChanges(database, seal)
            state.positions = Self.index(changes)
            return changes
        }
    }

    /// Appends changes after all others. One that is there already keeps its place.
    ///
    /// Costs one synchronization of the disk, however many they are.
    /// - Parameter marks: of the logs that are written here, the last change that is durable with this.
    package func append(
        _ changes: [StoredChange], marking marks: [WrittenMark] = [], _ seal: StoreSeal
    ) throws(StoreError) {
        guard !changes.isEmpty else { return }
        guard changes.allSatisfy({ $0.record.count <= Self.maximumRecordBytes }) else {
            throw StoreError(.tooLarge, "a change is longer than \(Self.maximumRecordBytes >> 10) KiB; make it smaller")
        }
        try write { database, state in
            if state.positions == nil { state.positions = Self.index(try readChanges(database, seal)) }
            let insert = try database.cachedStatement(
                sql: "INSERT INTO changes (position, hash, sealed) VALUES (?, ?, ?)")
            for change in changes where state.positions?[change.hash] == nil {
                let position = Int64((state.positions?.count ?? 0) + 1)
                try insert.execute(arguments: [position, Data(change.hash.bytes), Data(seal.seal(change))])
                state.positions?[change.hash] = position
            }
        }
        if !marks.isEmpty { withMarks(seal) { $0.raise(to: marks, seal) } }
    }

    /// Puts records in place of those that are there of the same changes; one of a change that is not there is passed over. Once what
    /// went is most of the file, the disk gets it back.
    package func alter(_ changes: [StoredChange], _ seal: StoreSeal) throws(StoreError) {
        guard !changes.isEmpty else { return }
        try write { database, state in
            if state.positions == nil { state.positions = Self.index(try readChanges(database, seal)) }
            let update = try database.cachedStatement(sql: "UPDATE changes SET sealed = ? WHERE position = ?")
            for change in changes {
                guard let position = state.positions?[change.hash] else { continue }
                try update.execute(arguments: [Data(seal.seal(change)), position])
            }
        }
        giveRoomBack()
    }

    /// Where the disk is too full for a copy of what is left, it is done later. O(what is left), seldom.
    private func giveRoomBack() {
        try? withDatabase { database, _ in
            let free = try Int.fetchOne(database, sql: "PRAGMA freelist_count") ?? 0
            guard free > Self.freePagesMax, let pages = try Int.fetchOne(database, sql: "PRAGMA page_count"),
                free > pages / 2
            else { return }
            try database.execute(sql: "VACUUM")
            Self.restartLog(database)
        }
    }

    /// Pages without content that a file may have: 8 MiB.
    private static var freePagesMax: Int { 2_048 }

    /// Forgets all changes.
    package func removeChanges(_ seal: StoreSeal) throws(StoreError) {
        try write { database, state in
            try database.execute(sql: "DELETE FROM changes")
            state.positions = [:]
        }
        setMarks([], seal)
    }

    // MARK: What was acknowledged

    /// The last change of each log that is written here, as it was acknowledged: one that is not among `changes` was lost.
    package func marks(_ seal: StoreSeal) -> [WrittenMark] { withMarks(seal) { $0.all } }

    /// The same of a folder whose database may not open.
    package static func marks(in folder: String, _ seal: StoreSeal) -> [WrittenMark] {
        WrittenMarks(in: folder, seal).all
    }

    /// Puts these marks in place of all others: what is lost is given up.
    package func setMarks(_ marks: [WrittenMark], _ seal: StoreSeal) {
        if obstacle == nil { withMarks(seal) { $0.replace(with: marks, seal) } }
    }

    private func withMarks<Result: Sendable>(_ seal: StoreSeal, _ body: (inout WrittenMarks) -> Result) -> Result {
        withState { state in
            var marks = state.marks ?? WrittenMarks(in: folder, seal)
            defer { state.marks = marks }
            return body(&marks)
        }
    }

    // MARK: Rows

    private static func index(_ changes: [StoredChange]) -> [Bytes32: Int64] {
        var positions: [Bytes32: Int64] = [:]
        positions.reserveCapacity(changes.count)
        for (index, change) in changes.enumerated() { positions[change.hash] = Int64(index + 1) }
        return positions
    }

    private func readChanges(_ database: Database, _ seal: StoreSeal) throws -> [StoredChange] {
        var changes: [StoredChange] = []
        let rows = try Row.fetchCursor(
            database.cachedStatement(sql: "SELECT position, hash, sealed FROM changes ORDER BY position"))
        while let row = try rows.next() {
            guard let change = Self.change(in: row, at: Int64(changes.count + 1), seal) else {
                throw StoreError.damaged(folder, "change \(changes.count + 1)")
            }
            changes.append(change)
        }
        return changes
    }

    /// The change of a row, or nil where anything in it is not what was written.
    static func change(in row: Row, at position: Int64, _ seal: StoreSeal) -> StoredChange? {
        guard case .int64(position) = (row[0] as DatabaseValue).storage,
            case .blob(let hashData) = (row[1] as DatabaseValue).storage, let hash = Bytes32(hashData),
            case .blob(let sealed) = (row[2] as DatabaseValue).storage
        else { return nil }
        return seal.open(Array(sealed), of: hash)
    }
}
