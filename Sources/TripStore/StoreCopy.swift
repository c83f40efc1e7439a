import Files
import LibC

/// A trip's database and its write-ahead log as they stood at one moment, copied to where this process may write, for a
/// trip whose own disk takes nothing. Gone with the last reference.
final class StoreCopy {
    let folder: String

    /// Copies the store in a folder, which another process may own and write to meanwhile. Changes nothing there.
    ///
    /// Throws `owned` where that one writes so much that no copy is of one moment.
    init(of source: String) throws(StoreError) {
        var obstacle: StoreError?
        for place in Self.places {
            guard let made = Self.makeFolder(in: place) else { continue }
            do {
                try Self.copyStore(from: source, to: made)
                folder = made
                return
            } catch {
                Self.remove(made)
                // Of what is wrong at the source another place cures nothing.
                guard error.code == .full || error.code == .readOnly else { throw error }
                obstacle = error
            }
        }
        throw StoreError(
            .full,
            "there is no space to read the trip in \(source); free some in one of \(Self.places.joined(separator: ", "))",
            cause: obstacle)
    }

    deinit { Self.remove(folder) }

    // MARK: Where

    /// Where to try, memory first.
    private static var places: [String] {
        let names = ["XDG_RUNTIME_DIR", "TMPDIR"] as [String]
        let named = names.compactMap { getenv($0).map { String(cString: $0) } }.filter { $0.hasPrefix("/") }
        return ["/dev/shm"] + named + ["/tmp"]
    }

    /// A new folder for this user alone.
    private static func makeFolder(in place: String) -> String? {
        var template = Array("\(place)/caravan-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { return nil }
        return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    private static func remove(_ folder: String) {
        for name in ["", "-wal", "-journal", "-shm"] { unlink(TripStore.databasePath(in: folder) + name) }
        rmdir(folder)
    }

    // MARK: When

    private static let attemptsMax = 20
    private static let pause: UInt32 = 20_000  // microseconds

    /// Copies the database first and its log after it. If a checkpoint moves changes from the log into the database meanwhile, the copied
    /// log has them too, and takes precedence. That holds unless the log was restarted in between, which a new header shows
    /// (https://sqlite.org/fileformat2.html, section 4.4).
    private static func copyStore(from source: String, to target: String) throws(StoreError) {
        for attempt in 1...attemptsMax {
            let before = try Moment(of: source)
            do {
                try copy(source, to: target)
                if try Moment(of: source) == before { return }
            } catch {
                // A log that is read while it is written may look damaged.
                guard error.code == .damaged, attempt < attemptsMax else { throw error }
            }
            usleep(pause)
        }
        throw StoreError(
            .owned, "another process is writing the trip in \(source); try again, or use that process")
    }

    private static func copy(_ source: String, to target: String) throws(StoreError) {
        let path = TripStore.databasePath(in: source)
        guard let database = try PrivateFile(reading: path) else { throw .notATrip(source) }
        try PrivateFile(path: TripStore.databasePath(in: target)).copyContents(of: database)
        let copiedLog = try PrivateFile(path: TripStore.databasePath(in: target) + "-wal")
        guard let log = try PrivateFile(reading: path + "-wal") else { return try copiedLog.replaceContents(with: []) }
        try copiedLog.copyContents(of: log)
        try WriteAheadLog.check(log)
    }

    /// What stays the same while a copy of database and log is of one moment.
    struct Moment: Equatable {
        /// Begins the log, with salts that differ each time.
        var header: [UInt8] = []
        /// Of the database where there is no log: then nobody writes to it but by making one.
        var database: [Int] = []

        init(of source: String) throws(StoreError) {
            let path = TripStore.databasePath(in: source)
            if let log = try PrivateFile(reading: path + "-wal") { header = try log.read(32, at: 0) }
            guard header.isEmpty else { return }
            var status = stat()
            guard stat(path, &status) == 0 else { throw StoreError(SystemError("stat"), path: path) }
            database = [
                Int(status.st_ino), Int(status.st_size), status.st_mtim.tv_sec, status.st_mtim.tv_nsec,
            ]
        }
    }
}
