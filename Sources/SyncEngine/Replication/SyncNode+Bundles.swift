package import ChangeLog

// What goes from device to device in a file, where no network brings them together.
extension SyncNode {
    /// All that is retained and durable here in one sealed file, for whoever is in: under the newest epoch that is here,
    /// and for each device of those who are in, where another epoch went before.
    ///
    /// - Parameter generator: must be a cryptographic one.
    /// - Throws: `authorNotIn` where this device is not in, or has been told no epoch's secret; `tooLarge`.
    package func bundle(using generator: inout some RandomNumberGenerator) throws(Bundle.Failure) -> [UInt8] {
        guard log.isIn(secrets.device.replica), let epoch = epochs.newest else { throw .authorNotIn }
        // Whoever was met under that epoch may have come back from a backup since, and hold it no more.
        let others = log.hasRemovals ? log.membersWithNode.filter { $0 != secrets.device } : []
        return try Bundle.seal(
            log.retainedRecords(before: replication.durableCount), of: log.trip, by: secrets, under: epoch, and: others,
            using: &generator, cryptography)
    }

    /// Opens a bundle that this device may read. What it holds is for `TripLog.receive` to judge.
    package func open(bundle bytes: [UInt8]) throws(Bundle.Failure) -> Bundle {
        try Bundle.open(bytes, with: epochs.held, or: secrets, using: cryptography)
    }
}
