package import DeltaCRDT

/// A change of the log with what the application needs to apply it.
package struct AppliedChange: Sendable {
    package let signed: SignedChange
    package let participant: Bytes16
    package let place: Int
    package let branch: Int32
    /// What its author had seen of other branches; of its own that is all that stands before it.
    package let past: CausalCut

    package var hash: Bytes32 { signed.hash }
    package var replica: ReplicaID { signed.change.replica }
    package var lamport: UInt64 { signed.change.lamport }
    package var wallTime: Int64 { signed.change.wallTime }
    package var body: ChangeBody { signed.change.body }
    /// The content as the application has read it.
    package var content: (any ReadContent)? { signed.content }
}

extension TripLog {
    /// The change at a place. O(1).
    package func change(at place: Int) -> SignedChange { changes[place] }

    /// The changes at some places in a row, and of each whether its own signature was checked here.
    package func written(_ places: Range<Int>) -> (changes: [SignedChange], isVerified: [Bool]) {
        var (changes, verified): ([SignedChange], [Bool]) = ([], [])
        changes.reserveCapacity(places.count)
        verified.reserveCapacity(places.count)
        for place in places {
            changes.append(self.changes[place])
            verified.append(isVerified[place])
        }
        return (changes, verified)
    }

    /// The change at a place, ready to be applied. O(1).
    package func applied(_ place: Int) -> AppliedChange {
        let signed = changes[place]
        return AppliedChange(
            signed: signed,
            // Every author here was let in, or founded the trip.
            participant: membership.participant(of: signed.change.replica) ?? Bytes16(high: 0, low: 0),
            place: place, branch: branches.branchOfPlace[place], past: pasts[place])
    }
}

extension Membership {
    /// Whose a device is.
    func participant(of replica: ReplicaID) -> Bytes16? {
        members.index(forKey: replica).map { members.values[$0].device.participant }
    }
}
