/// A disk that appends records and forgets, in a crash, what was not synced.
public struct SimulatedDisk<Record: Sendable>: Sendable {
    /// A record, and whether all of it was written.
    public struct Stored: Sendable {
        /// What was written.
        public let record: Record
        /// False where power failed in the middle.
        public let isWhole: Bool
    }

    /// What can be read, oldest first.
    public private(set) var records: [Stored] = []
    /// How many of them outlive a crash.
    public private(set) var durableCount = 0
    /// Power fails before the next sync ends.
    var isFailing = false

    /// Writes a record, which may be lost until the next sync. O(1), amortised.
    public mutating func append(_ record: Record) { records.append(Stored(record: record, isWhole: true)) }

    /// Waits until all that was written is durable.
    public mutating func sync() { if !isFailing { durableCount = records.count } }

    /// Loses what was not durable, but for its oldest records.
    mutating func crash(keeping kept: Int, tearing torn: (Record) -> Record, isTorn: Bool) {
        let end = min(records.count, durableCount + kept)
        let next = end < records.count ? records[end] : nil
        records.removeSubrange(end...)
        if isTorn, let next { records.append(Stored(record: torn(next.record), isWhole: false)) }
        durableCount = records.count
        isFailing = false
    }

    /// As a copy made now by another program would hold it.
    func backup() -> Self {
        var copy = self
        copy.records.removeSubrange(durableCount...)
        copy.isFailing = false
        return copy
    }
}
