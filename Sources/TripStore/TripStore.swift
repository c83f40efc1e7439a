import ChangeLog
import GRDB
import Synchronization

/// Everything that a device stores of one trip, except its secrets (`KeyFile`), in one folder.
///
/// Each call that writes is one transaction. All of it is on the disk when the call returns, and none of it if the call throws or the
/// process dies before. A call that failed can be made again, to the same store. Calls may come from any thread; they wait for the
/// disk, and for each other.
///
/// The folder and its files are for only this user, and for one process at a time, from opening to `close`.
package final class TripStore: Sendable {
    /// The most bytes of one change.
    package static let maximumRecordBytes = ChangeBounds.recordBytesMax

    struct State {
        /// Where each change lies; nil before the changes were read.
        var positions: [Bytes32: Int64]?
        /// True after a failed write, whose pieces may lie in the log behind what counts.
        var hasStaleTail = false
        /// Nil before they were read.
        var marks: WrittenMarks?
        var access: Access
    }

    enum Access {
        case owner(OwnerLock)
        /// What is here was read, and why nothing can be written.
        case reader(StoreError)
        case closed
    }

    package let folder: String
    private let queue: DatabaseQueue
    private let state: Mutex<State>

    init(folder: String, queue: DatabaseQueue, _ access: sending Access) {
        self.folder = folder
        self.queue = queue
        state = Mutex(State(access: access))
    }

    /// Makes an empty store, and the folder where it is missing. A making that was cut short is taken up.
    ///
    /// Throws `alreadyExists` where there is one.
    package static func create(at folder: String) throws(StoreError) -> TripStore {
        // SQLite takes paths of 512 bytes, and its other files have longer names.
        guard folder.utf8.count <= 480 else {
            throw StoreError(.tooLarge, "the path \(folder) is too long; set CARAVAN_HOME to a shorter one")
        }
        try PrivateFolder.make(folder)
        let owner = try OwnerLock(folder: folder)
        _ = try prepareFiles(in: folder)
        let queue = try connect(folder) { state, database in
            switch state {
            case .empty: try StoreFormat.configure(database)
            case .trip, .newer, .older:
                throw StoreError(.alreadyExists, "there is already a trip in \(folder); choose another folder")
            case .foreign:
                throw StoreError(.alreadyExists, "\(folder) contains another kind of database; choose another folder")
            }
        }
        try translating(folder) { try queue.inDatabase(StoreFormat.build) }
        try PrivateFolder.synchronize(folder)
        return TripStore(folder: folder, queue: queue, .owner(owner))
    }

    /// Opens a store, and checks the whole structure of its database, not yet the changes in it. O(n).
    package convenience init(opening folder: String) throws(StoreError) {
        try Self.expectContents(in: folder)
        let owner = try OwnerLock(folder: folder)
        let hasLog = try Self.prepareFiles(in: folder)
        let queue = try Self.connect(folder) { state, database in
            try Self.expectTrip(state, in: folder)
            try StoreFormat.configure(database)
        }
        try Self.translating(folder) {
            try queue.inDatabase { database in
                try Self.check(database, of: folder)
                if hasLog { Self.restartLog(database) }
            }
        }
        self.init(folder: folder, queue: queue, .owner(owner))
    }

    /// A folder with keys was a trip's.
    static func expectContents(in folder: String) throws(StoreError) {
        let path = databasePath(in: folder)
        guard try !PrivateFile.hasContents(path) else { return }
        throw try PrivateFile.hasContents(folder + "/keys") ? .damaged(path, "it is empty") : .notATrip(folder)
    }

    static func expectTrip(_ state: StoreFormat.State, in folder: String) throws {
        let path = databasePath(in: folder)
        switch state {
        case .trip: break
        case .newer: throw StoreError.newerVersion
        case .older: throw StoreError.olderVersion(folder)
        // A store is made before its keys: with these there was a trip.
        case .empty:
            throw try PrivateFile.hasContents(folder + "/keys")
                ? StoreError.damaged(path, "it is empty") : StoreError.notATrip(folder)
        case .foreign: throw StoreError.damaged(path, "it does not look like a trip's store")
        }
    }

    /// Checks the structure of a database. O(n).
    static func check(_ database: Database, of folder: String) throws {
        let findings = try String.fetchOne(database, sql: "PRAGMA quick_check(1)")
        guard findings != "ok" else { return }
        // SQLite begins with the name that the database has for it.
        let lines = (findings ?? "unreadable").split(separator: "\n").filter { !$0.hasPrefix("***") }
        throw StoreError.damaged(databasePath(in: folder), lines.joined(separator: " "))
    }

    /// Lets go of the folder. Later calls throw `closed`, another `close` does nothing.
    package func close() {
        state.withLock { state in
            if case .closed = state.access { return }
            // What a failing close leaves in the log is found again by the next opening.
            try? queue.close()
            state = State(access: .closed)
        }
    }

    // MARK: What the other files of this class stand on

    func withState<Result: Sendable>(_ body: (inout State) -> Result) -> Result {
        state.withLock { body(&$0) }
    }

    /// Runs a body with the database and this store's state, one at a time.
    func withDatabase<Result: Sendable>(
        _ body: (Database, inout State) throws -> Result
    ) throws(StoreError) -> Result {
        try state.withLock { state throws(StoreError) in
            if case .closed = state.access { throw .closed }
            return try Self.translating(folder) { try queue.inDatabase { try body($0, &state) } }
        }
    }

    /// Runs a body as one transaction.
    func write(_ body: (Database, inout State) throws -> Void) throws(StoreError) {
        try withDatabase { database, state in
            if case .reader(let obstacle) = state.access { throw obstacle }
            if database.isInsideTransaction { try database.rollback() }
            if state.hasStaleTail {
                Self.restartLog(database)
                state.hasStaleTail = false
            }
            do {
                try database.inTransaction(.immediate) {
                    try body(database, &state)
                    return .commit
                }
            } catch {
                // What the body noted of its own writes is not so.
                state.positions = nil
                state.hasStaleTail = true
                throw error
            }
        }
    }

    /// Restarts the log with other salts, so that bytes behind its end are never read as a part of it (`WriteAheadLog`).
    /// If this fails, for example on a full disk, the log still holds all that it must.
    static func restartLog(_ database: Database) {
        _ = try? database.checkpoint(.restart)
    }

    static func databasePath(in folder: String) -> String { folder + "/trip.sqlite" }

    /// Sees to the modes of the database and its log, which SQLite would not say why it cannot make, and to the health of the
    /// log. True where there is anything in that.
    ///
    /// Called by the owner alone, and done before SQLite opens the database: to close any descriptor of a file gives up all that the
    /// process holds of fcntl(2)'s locks on it, SQLite's too.
    private static func prepareFiles(in folder: String) throws(StoreError) -> Bool {
        _ = try PrivateFile(path: databasePath(in: folder))
        let log = try PrivateFile(path: databasePath(in: folder) + "-wal")
        try WriteAheadLog.check(log)
        return try log.size > 0
    }

    static func connect(
        _ folder: String, _ prepare: @escaping @Sendable (StoreFormat.State, Database) throws -> Void
    ) throws(StoreError) -> DatabaseQueue {
        var configuration = Configuration()
        configuration.label = "trip"
        // A disk that fails even a rollback is an error here, and no reason to trap.
        configuration.allowsUnsafeTransactions = true
        configuration.prepareDatabase { database in
            // Owned by one process, so the index of the log needs no shared memory and no third file. It must stand before
            // the first access, or the index is shared after all.
            try database.execute(sql: "PRAGMA locking_mode = EXCLUSIVE")
            try prepare(StoreFormat.state(of: database), database)
        }
        return try translating(folder) {
            try DatabaseQueue(path: databasePath(in: folder), configuration: configuration)
        }
    }

    static func translating<Result>(
        _ folder: String, _ body: () throws -> Result
    ) throws(StoreError) -> Result {
        do {
            return try body()
        } catch let error as StoreError {
            throw error
        } catch {
            throw StoreError(error, folder: folder)
        }
    }
}

extension StoreError {
    /// The error for what SQLite says.
    fileprivate init(_ error: any Error, folder: String) {
        let path = folder
        switch (error as? DatabaseError)?.resultCode {
        case .SQLITE_FULL: self = .full(path, cause: error)
        // A plain SQLITE_ERROR: our statements are sound, so the tables are not those that they speak of.
        case .SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_MISMATCH, .SQLITE_SCHEMA, .SQLITE_FORMAT, .SQLITE_ERROR:
            self = .damaged(path, "\((error as? DatabaseError)?.message ?? "unreadable")", cause: error)
        case .SQLITE_READONLY: self = .readOnly(path, cause: error)
        case .SQLITE_PERM, .SQLITE_AUTH: self = .noPermission(path, cause: error)
        case .SQLITE_BUSY, .SQLITE_LOCKED:
            self.init(.owned, "the trip in \(folder) is open in another program; stop that program", cause: error)
        case .SQLITE_IOERR:
            self.init(
                .system,
                "the disk of \(folder) failed to read or write; check it, and try again",
                cause: error)
        default: self.init(.system, "cannot use the trip in \(folder): \(error)", cause: error)
        }
    }
}
