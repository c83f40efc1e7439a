import ChangeLog

/// A log as a start made it from a disk's first records, so that the next start need not read these again: what a log
/// takes from a disk follows from the records and their order alone.
struct Restoration {
    /// As many of a machine's are kept: what a backup takes back is the last of what was written.
    static let countMax = 4

    let records: [World.Disk.Record]
    let log: TripLog

    /// Whether a disk begins with the same bytes. O(records) if they were never rewritten.
    func begins(_ disk: World.Disk) -> Bool {
        guard records.count <= disk.changes.count else { return false }
        return zip(records, disk.changes).allSatisfy { $0.bytes == $1.bytes }
    }
}
