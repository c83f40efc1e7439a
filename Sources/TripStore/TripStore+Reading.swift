import GRDB

// What cannot be written can still be read.
extension TripStore {
    /// Opens a store, or where its disk is full or read-only, reads it. O(n).
    package static func open(orRead folder: String) throws(StoreError) -> TripStore {
        do {
            return try TripStore(opening: folder)
        } catch {
            guard error.mayStillRead, let store = try? TripStore(reading: folder, because: error) else { throw error }
            return store
        }
    }

    /// Reads all of a store into memory, writes nothing in its folder, and takes no lock there: another process may own
    /// it. O(n), in memory too; for a moment as much again where `StoreCopy` finds room. Not for the process that owns the
    /// store (`prepareFiles` says why).
    ///
    /// Holds all changes that were acknowledged before the call, and none that are written later.
    /// - Parameter obstacle: why it is not opened to be written. Calls that write throw it.
    package convenience init(reading folder: String, because obstacle: StoreError) throws(StoreError) {
        try Self.expectContents(in: folder)
        let copy = try StoreCopy(of: folder)
        let queue = try Self.translating(folder) {
            let copied = try Self.connect(copy.folder) { state, _ in try Self.expectTrip(state, in: folder) }
            // What the log holds goes into the database, which memory takes as a whole.
            try copied.inDatabase { try $0.execute(sql: "PRAGMA journal_mode = DELETE") }
            let queue = try DatabaseQueue()
            try copied.backup(to: queue)
            try copied.close()
            try queue.inDatabase { try Self.check($0, of: folder) }
            return queue
        }
        self.init(folder: folder, queue: queue, .reader(obstacle))
    }

    /// Why this store is only read; nil for one that may be written.
    package var obstacle: StoreError? {
        withState { if case .reader(let obstacle) = $0.access { obstacle } else { nil } }
    }
}
