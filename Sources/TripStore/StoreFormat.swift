import GRDB

/// What a trip's database looks like, and how it is told from any other.
enum StoreFormat {
    /// The number of the format that this code writes. It stands in the database's `user_version`.
    static let current = 2

    /// "crvn", in the database's `application_id`.
    static let applicationID = 0x6372_766E

    enum State {
        case empty
        case trip
        case newer
        case older
        case foreign
    }

    /// Says what a database is, and writes nothing.
    static func state(of database: Database) throws -> State {
        let version = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
        switch try Int.fetchOne(database, sql: "PRAGMA application_id") ?? 0 {
        case applicationID where version > current: return .newer
        case applicationID where version > 0 && version < current: return .older
        case applicationID where version == current: return .trip
        case 0 where version == 0:
            let isEmpty = try Int.fetchOne(database, sql: "SELECT count(*) FROM sqlite_schema") == 0
            return isEmpty ? .empty : .foreign
        default: return .foreign
        }
    }

    /// Sets up a connection. `synchronous = FULL`: a transaction is on the disk when its commit returns.
    static func configure(_ database: Database) throws {
        try database.execute(sql: "PRAGMA journal_mode = WAL")
        try database.execute(sql: "PRAGMA synchronous = FULL")
        // An append writes one page, or two: so about one append in 900 pays for a checkpoint (two more synchronizations),
        // which leaves the 99th percentile alone; and the log stays at 4 MB, read within 10 ms when it is checked.
        try database.execute(sql: "PRAGMA wal_autocheckpoint = 1000")
        // After a great transaction, a catch-up for one, the log is cut back to this.
        try database.execute(sql: "PRAGMA journal_size_limit = 8388608")
        try database.execute(sql: "PRAGMA cell_size_check = ON")
        try database.execute(sql: "PRAGMA trusted_schema = OFF")
    }

    /// Makes the tables of the current format, all or none.
    static func build(_ database: Database) throws {
        try database.inTransaction(.immediate) {
            // Positions count from 1 without a gap: the order of appending.
            try database.execute(
                sql: """
                    CREATE TABLE changes (
                        position INTEGER PRIMARY KEY,
                        hash BLOB NOT NULL,
                        sealed BLOB NOT NULL
                    ) STRICT;
                    -- Devices by a name that only their holder knows, what is known of them sealed (StoreSeal).
                    CREATE TABLE peers (
                        name BLOB PRIMARY KEY,
                        last_seen INTEGER NOT NULL,
                        sealed BLOB NOT NULL
                    ) STRICT, WITHOUT ROWID;
                    """)
            try database.execute(sql: "PRAGMA application_id = \(applicationID)")
            try database.execute(sql: "PRAGMA user_version = \(current)")
            return .commit
        }
    }
}
