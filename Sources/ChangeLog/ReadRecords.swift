/// Records that were read before, for nodes that are given the same bytes. Needed only where many nodes run in one process: by
/// simulations, and by the benchmark's fleets of a thousand. What else exists for these alone, and stands with what it shapes,
/// says so: `ChunkedArray`, `PlaceIndex`.
package protocol ReadRecords: Sendable {
    /// The change that was noted with exactly these bytes.
    func change(record: [UInt8]) -> SignedChange?
    func note(_ change: SignedChange)
}

extension TripLog {
    /// Reads what no node of this process has read, or else takes what that one found.
    func read(_ record: [UInt8]) throws(Refusal) -> SignedChange {
        if let change = readRecords?.change(record: record) { return change }
        let change = try SignedChange(record: record, using: cryptography)
        readRecords?.note(change)
        return change
    }
}
