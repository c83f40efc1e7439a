package import ChangeLog

extension TripStore {
    /// Reads all that a folder keeps of a trip, from a copy, and changes nothing there; another process may own it. Where the
    /// keys are sealed under a passphrase, what the changes say is not looked at.
    ///
    /// Throws `damaged` where a byte is not as it was written, and `init(reading:because:)`'s errors. O(n), in memory too.
    package static func check(_ folder: String, using cryptography: some Cryptography) throws(StoreError) {
        let store = try TripStore(reading: folder, because: .onlyRead(folder))
        defer { store.close() }
        guard case .plain(let keys) = try KeyFile.stored(in: folder) else { return }
        _ = try store.changes(StoreSeal(key: keys.recordKey, using: cryptography))
    }
}
