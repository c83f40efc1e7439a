import ChangeLog

// What goes from device to device in a file, where no network brings them together.
extension SyncNode {
    /// All that is retained and durable here in one sealed file, for those who are in: under the newest epoch that is here,
    /// and for each device of theirs, where not all need hold that. Under no epoch where somebody who is out holds it.
    ///
    /// - Parameter generator: must be a cryptographic one.
    /// - Throws: `authorNotIn` where this device is not in, its admission is not yet on the disk, or it has been told no epoch's secret;
    ///   `tooLarge`.
    package func bundle(using generator: inout some RandomNumberGenerator) throws(Bundle.Failure) -> [UInt8] {
        guard log.isIn(secrets.device.replica), var epoch = epochs.newest,
            let admission = log.admission(of: secrets.device.replica), admission < replication.durableCount
        else { throw .authorNotIn }
        if log.leavesRemovalsUnanswered(epoch.id) {
            epoch = Epoch(secret: .random(using: &generator), using: cryptography)
        }
        // A device that was met under that epoch may have come back from a backup since, and hold it no more; and the member who began
        // the epoch may have left some out.
        let others = log.mayEpochsDiffer ? log.membersWithNode.filter { $0 != secrets.device } : []
        return try Bundle.seal(
            log.retainedRecords(before: replication.durableCount), of: log.trip, by: secrets, under: epoch, and: others,
            using: &generator, cryptography)
    }

    /// Opens a bundle that this device may read. What it holds is for `TripLog.receive` to judge.
    package func open(bundle bytes: [UInt8]) throws(Bundle.Failure) -> Bundle {
        try Bundle.open(bytes, with: epochs.held, or: secrets, using: cryptography)
    }
}
