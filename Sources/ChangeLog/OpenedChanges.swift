// Needed only where many nodes run in one process: by simulations, and by the benchmark's fleets of a thousand. What else
// exists for these alone, and stands with what it shapes, says so: `ChunkedArray`, `PlaceIndex`.

/// Changes that were opened before, for nodes that are given the same bytes. Nil in every log of a node that ships.
package protocol OpenedChanges: Sendable {
    /// The change that was noted with exactly these bytes.
    func change(sealed: [UInt8]) -> SignedChange?
    func note(_ change: SignedChange)
}

extension TripLog {
    /// Opens what no node of this process has opened, or else takes what that one found.
    func openedOnce(_ sealed: [UInt8], epoch: Epoch) throws(Refusal) -> SignedChange {
        if let change = opened?.change(sealed: sealed) { return change }
        let change = try SignedChange.open(sealed, epoch: epoch, contents: contents, using: cryptography)
        opened?.note(change)
        return change
    }
}
