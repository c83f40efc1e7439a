package import DeltaCRDT

/// A change of the log with what the application needs to apply it.
package struct AppliedChange: Sendable {
    package let signed: SignedChange
    package let participant: Bytes32
    package let index: Int
    package let branch: Int32
    /// What its author had seen of other branches; of its own that is all that stands before it.
    package let past: CausalCut
    /// Whether it does not count, and what it made is shown because others act on it.
    package let isUpheld: Bool

    package var hash: Bytes32 { signed.hash }
    package var replica: ReplicaID { signed.change.replica }
    package var lamport: UInt64 { signed.change.lamport }
    package var wallTime: Int64 { signed.change.wallTime }
    package var content: [UInt8] { signed.change.content }
}

extension TripLog {
    /// The change at an index, ready to be applied. O(1).
    /// - Parameter isPending: whether all of it is shown though it does not count.
    package func applied(_ index: Int, isPending: Bool = false) -> AppliedChange {
        let signed = graph.changes[index]
        return AppliedChange(
            signed: signed,
            // Every author here was let in, or founded the trip.
            participant: facts.participant(of: signed.change.replica) ?? Bytes32(words: (0, 0, 0, 0)),
            index: index, branch: graph.branchOfChange[index], past: graph.past(of: index),
            isUpheld: !isPending && isUpheld(index) && !isEffective(index))
    }
}
