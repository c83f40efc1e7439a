package import ChangeLog
import Foundation
import GRDB

/// A change as the disk holds it: in its sealed form, the same as on the wire.
package struct StoredChange: Hashable, Sendable {
    package let hash: Bytes32
    package let sealed: [UInt8]
    /// Whether its own signature was checked, or only that of a later change of its log.
    package let isVerified: Bool

    package init(hash: Bytes32, sealed: [UInt8], isVerified: Bool) {
        self.hash = hash
        self.sealed = sealed
        self.isVerified = isVerified
    }
}

/// Where somebody was met.
package struct RememberedAddress: Hashable, Sendable {
    /// The X25519 key that the device showed.
    package let device: Bytes32
    /// `host:port`.
    package let address: String
}

/// The changes of one trip in SQLite: in WAL mode, and synchronised in full, so that what was appended outlives a
/// power cut. One process owns a store at a time.
package final class TripStore: Sendable {
    private let database: DatabaseQueue
    private let lock: OwnerLock

    private static let applicationID: Int32 = 0x4361_7276
    private static let formatVersion: Int32 = 1
    private static let addressesMax = 64

    /// Makes a folder with an empty store, owned by this process.
    package static func create(at folder: String) throws(StoreError) -> TripStore {
        guard !FileManager.default.fileExists(atPath: folder) else {
            throw StoreError(.exists, "\(folder) is there already: choose another folder")
        }
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw StoreError(
                .permission, "\(folder) cannot be made: give yourself permission for it, or set CARAVAN_HOME",
                cause: error)
        }
        return try TripStore(folder: folder, isNew: true)
    }

    /// Opens the store of a folder and becomes its owner.
    package convenience init(opening folder: String) throws(StoreError) {
        guard FileManager.default.fileExists(atPath: folder) else {
            throw StoreError(.notATrip, "\(folder) is not there: this is no trip's folder")
        }
        guard access(folder, R_OK | W_OK | X_OK) == 0 else { throw StoreError(errno: errno, path: folder) }
        guard FileManager.default.fileExists(atPath: folder + "/trip.sqlite") else {
            throw StoreError(.notATrip, "\(folder) holds no trip: restore it from a backup, or join again")
        }
        try self.init(folder: folder, isNew: false)
    }

    private init(folder: String, isNew: Bool) throws(StoreError) {
        lock = try OwnerLock(folder: folder)
        let path = folder + "/trip.sqlite"
        // SQLite gives its other files the permissions of the first.
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw StoreError(errno: errno, path: path) }
        Glibc.close(descriptor)
        var configuration = Configuration()
        configuration.prepareDatabase { database in
            try database.execute(sql: "PRAGMA journal_mode = WAL")
            // A commit is durable when it returns: the log of WAL mode is synchronised at every one.
            try database.execute(sql: "PRAGMA synchronous = FULL")
            try database.execute(sql: "PRAGMA trusted_schema = OFF")
        }
        do {
            database = try DatabaseQueue(path: path, configuration: configuration)
            if isNew { try TripStore.makeTables(in: database) }
        } catch {
            throw TripStore.describe(error)
        }
        try check()
    }

    private static func makeTables(in database: DatabaseQueue) throws {
        try database.write { database in
            try database.execute(sql: "PRAGMA application_id = \(applicationID)")
            try database.execute(sql: "PRAGMA user_version = \(formatVersion)")
            try database.execute(
                sql: """
                    CREATE TABLE changes (
                        place INTEGER PRIMARY KEY,
                        hash BLOB NOT NULL UNIQUE,
                        sealed BLOB NOT NULL,
                        checksum BLOB NOT NULL,
                        verified INTEGER NOT NULL
                    ) STRICT;
                    CREATE TABLE addresses (
                        device BLOB NOT NULL,
                        address TEXT NOT NULL,
                        last_met INTEGER NOT NULL,
                        PRIMARY KEY (device, address)
                    ) STRICT, WITHOUT ROWID;
                    """)
        }
    }

    private func check() throws(StoreError) {
        do {
            try database.read { database in
                let version = try Int32.fetchOne(database, sql: "PRAGMA user_version") ?? 0
                guard version <= TripStore.formatVersion else {
                    throw StoreError(.newerVersion, "this trip was written by a newer caravan: update yours")
                }
                let application = try Int32.fetchOne(database, sql: "PRAGMA application_id") ?? 0
                guard application == TripStore.applicationID, version == TripStore.formatVersion else {
                    throw TripStore.damaged(nil)
                }
                let verdict = try String.fetchOne(database, sql: "PRAGMA quick_check(1)")
                guard verdict == "ok" else { throw TripStore.damaged(nil) }
            }
        } catch {
            throw TripStore.describe(error)
        }
    }

    /// All changes, each after its past.
    /// - Throws: `StoreError.damaged` when any of them is not what was written.
    package func changes() throws(StoreError) -> [StoredChange] {
        do {
            return try database.read { database in
                let rows = try Row.fetchCursor(
                    database, sql: "SELECT hash, sealed, checksum, verified FROM changes ORDER BY place")
                var changes: [StoredChange] = []
                while let row = try rows.next() {
                    let sealed = [UInt8](row[1] as Data)
                    guard let hash = Bytes32([UInt8](row[0] as Data)),
                        Checksum.of(hash.bytes + sealed).bytes == [UInt8](row[2] as Data)
                    else { throw TripStore.damaged(nil) }
                    changes.append(StoredChange(hash: hash, sealed: sealed, isVerified: row[3]))
                }
                return changes
            }
        } catch {
            throw TripStore.describe(error)
        }
    }

    /// Adds changes at the end: all of them or none, durable on return.
    package func append(_ changes: [StoredChange]) throws(StoreError) {
        guard !changes.isEmpty else { return }
        do {
            try database.write { database in
                let statement = try database.cachedStatement(
                    sql: "INSERT INTO changes (hash, sealed, checksum, verified) VALUES (?, ?, ?, ?)")
                for change in changes {
                    let hash = change.hash.bytes
                    try statement.execute(arguments: [
                        Data(hash), Data(change.sealed), Data(Checksum.of(hash + change.sealed).bytes),
                        change.isVerified,
                    ])
                }
            }
        } catch {
            throw TripStore.describe(error)
        }
    }

    /// Remembers where a device was met. The oldest of more than 64 addresses is forgotten.
    package func remember(_ address: String, of device: Bytes32, at wall: Int64) throws(StoreError) {
        do {
            try database.write { database in
                try database.execute(
                    sql: "INSERT OR REPLACE INTO addresses (device, address, last_met) VALUES (?, ?, ?)",
                    arguments: [Data(device.bytes), address, wall])
                try database.execute(
                    sql: """
                        DELETE FROM addresses WHERE (device, address) NOT IN
                        (SELECT device, address FROM addresses ORDER BY last_met DESC, address LIMIT ?)
                        """, arguments: [TripStore.addressesMax])
            }
        } catch {
            throw TripStore.describe(error)
        }
    }

    /// The addresses where devices were met, the latest first.
    package func addresses() throws(StoreError) -> [RememberedAddress] {
        do {
            return try database.read { database in
                try Row.fetchAll(database, sql: "SELECT device, address FROM addresses ORDER BY last_met DESC, address")
                    .compactMap { row in
                        Bytes32([UInt8](row[0] as Data)).map { RememberedAddress(device: $0, address: row[1]) }
                    }
            }
        } catch {
            throw TripStore.describe(error)
        }
    }

    /// Closes the store and lets another process own it.
    package func close() {
        try? database.close()
        lock.release()
    }

    private static func damaged(_ cause: (any Error)?) -> StoreError {
        StoreError(
            .damaged, "the trip's store is damaged: restore it from a backup, or join again with a new invite",
            cause: cause)
    }

    private static func describe(_ error: any Error) -> StoreError {
        if let error = error as? StoreError { return error }
        guard let error = error as? DatabaseError else {
            return StoreError(.system, "the trip's store cannot be used: \(error)", cause: error)
        }
        switch error.resultCode {
        case .SQLITE_CORRUPT, .SQLITE_NOTADB: return damaged(error)
        case .SQLITE_FULL: return StoreError(.full, "the disk is full: make room, then do it again", cause: error)
        case .SQLITE_CANTOPEN, .SQLITE_READONLY, .SQLITE_PERM, .SQLITE_AUTH:
            return StoreError(
                .permission,
                "the trip's store may not be written: give yourself permission for it, or set CARAVAN_HOME",
                cause: error)
        default:
            return StoreError(.system, "the trip's store cannot be used: \(error.message ?? "unknown")", cause: error)
        }
    }
}
