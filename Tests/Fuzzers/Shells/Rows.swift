import ChangeLog
import FoundationEssentials
import GRDB

@testable import CaravanNode
@testable import TripStore

/// What a disk may hold that nobody here wrote: rows of any content, key files in the clear and under a passphrase, and
/// backups, with checksums and seals that are right or not.
func tryRows(_ bytes: [UInt8]) {
    var choices = Choices(bytes)
    switch choices.byte() % 8 {
    case 0: Shelf.shared.tryKeys(&choices)
    case 1: Shelf.shared.trySealedKeys(&choices)
    case 2 where choices.isOne(of: 8): Shelf.shared.tryBackup(&choices)
    default: Shelf.shared.tryRows(&choices)
    }
}

/// A row as SQLite may give it.
private struct StoredRow {
    var position: Int64
    var hash: DatabaseValue
    var sealed: DatabaseValue

    /// Under the seal that it has to have.
    init(_ change: StoredChange, at position: Int64, _ seal: StoreSeal) {
        self.position = position
        hash = Data(change.hash.bytes).databaseValue
        sealed = Data(seal.seal(change)).databaseValue
    }

    var row: Row { ["position": position, "hash": hash, "sealed": sealed] }
}

extension Shelf {
    /// Rows altered one way or another, read as a node that starts reads them: a few of them out of SQLite.
    func tryRows(_ choices: inout Choices) {
        var rows = honestRows
        for _ in 0..<1 + choices.byte() % 4 { alter(&rows, &choices) }
        rows.sort { $0.position < $1.position }
        let found = choices.isOne(of: 64) ? readFromDatabase(rows) : readDirectly(rows)
        guard let found else { return }
        let same = zip(found, honest).prefix { $0.record == $1.record }.count
        guard found.count > same || same < honest.count else { return }
        var log = prefixes[same]
        for change in found.dropFirst(same) {
            guard (try? log.restore([change.record])) != nil else { return }
        }
        _ = Replayed(log)
    }

    private var honestRows: [StoredRow] {
        honest.indices.map { StoredRow(honest[$0], at: Int64($0 + 1), seal) }
    }

    private func alter(_ rows: inout [StoredRow], _ choices: inout Choices) {
        let index = choices.index(rows.count + 1)
        guard index < rows.count else {
            // One more, which was there before.
            if let old = choices.pick(honest) { rows.append(StoredRow(old, at: Int64(rows.count + 1), seal)) }
            return
        }
        let old = honest[min(index, honest.count - 1)]
        switch choices.byte() % 8 {
        case 0: rows[index].sealed = anyValue(&choices)
        case 1: rows[index].hash = anyValue(&choices)
        case 2: rows.remove(at: index)
        case 3: rows[index].position = Int64(truncatingIfNeeded: choices.number(1))
        default:
            // A row whose seal is right, whatever it holds.
            let hash = choices.byte() % 2 == 0 ? old.hash : Bytes32(choices.altered(old.hash.bytes)) ?? old.hash
            rows[index] = StoredRow(
                StoredChange(hash: hash, record: choices.altered(old.record)), at: rows[index].position, seal)
        }
    }

    /// Of any of SQLite's types: a column holds whatever was put there.
    private func anyValue(_ choices: inout Choices) -> DatabaseValue {
        switch choices.byte() % 5 {
        case 0: return Int64(bitPattern: choices.number(8)).databaseValue
        case 1: return Double(bitPattern: choices.number(8)).databaseValue
        case 2: return String(decoding: choices.bytes(), as: UTF8.self).databaseValue
        case 3: return .null
        default: return Data(choices.bytes()).databaseValue
        }
    }

    private func readDirectly(_ rows: [StoredRow]) -> [StoredChange]? {
        var changes: [StoredChange] = []
        for row in rows {
            guard let change = TripStore.change(in: row.row, at: Int64(changes.count + 1), seal) else { return nil }
            changes.append(change)
        }
        return changes
    }

    private func readFromDatabase(_ rows: [StoredRow]) -> [StoredChange]? {
        try? store.withDatabase { database, state in
            try database.execute(sql: "SAVEPOINT fuzz; DELETE FROM changes")
            for row in rows {
                try? database.execute(
                    sql: "INSERT INTO changes (position, hash, sealed) VALUES (?, ?, ?)",
                    arguments: [row.position, row.hash, row.sealed])
            }
            state.positions = nil
        }
        defer {
            try? store.withDatabase { database, state in
                try database.execute(sql: "ROLLBACK TO fuzz; RELEASE fuzz")
                state.positions = nil
            }
        }
        return try? store.changes(seal)
    }
}
