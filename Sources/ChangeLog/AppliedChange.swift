package import DeltaCRDT

/// A change of the log with what the application needs to apply it.
package struct AppliedChange: Sendable {
    package let signed: SignedChange
    package let participant: Bytes16
    /// The dot of its first operation; the others follow.
    package let first: Dot
    /// The dots that have another name now than the author wrote.
    package let renaming: [Dot: Dot]
    /// Whether the author had seen a dot, by its present name; nil where what the change names as superseded is all that
    /// it stands on. With changes in its past that do not count it is more: what those had superseded.
    package let hasSeen: (@Sendable (Dot) -> Bool)?

    package var hash: Bytes32 { signed.hash }
    package var replica: ReplicaID { signed.change.replica }
    package var lamport: UInt64 { signed.change.lamport }
    package var wallTime: Int64 { signed.change.wallTime }
    package var operationCount: Int { signed.change.operationCount }
    package var body: ChangeBody { signed.change.body }
    /// The content as the rules have read it, where they have: with the names of dots that the author wrote.
    package var content: (any ReadContent)? { signed.content }

    /// The present name of a dot that this change, which was checked, names.
    package func present(_ dot: Dot) -> Dot { renaming[dot] ?? dot }
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
        let names = names(place)
        return AppliedChange(
            signed: signed,
            // Every author here was let in, or founded the trip.
            participant: membership.participant(of: signed.change.replica) ?? Bytes16(high: 0, low: 0),
            first: names.first, renaming: names.renaming, hasSeen: names.isOverIdle ? seen(by: place) : nil)
    }

    /// Whether a change's author had seen a dot by its present name.
    private func seen(by place: Int) -> @Sendable (Dot) -> Bool {
        let log = self
        var past = pasts[place]
        if let previous = changes[place].change.previous, let own = self.place(of: previous) { include(own, in: &past) }
        return { [past] dot in log.holds(past, dot) }
    }

    /// What the change at a place would be applied with that depends on other changes: the name of its first operation,
    /// the dots that have another name now than the author wrote, and whether `hasSeen` is there. O(1).
    package func names(_ place: Int) -> (first: Dot, renaming: [Dot: Dot], isOverIdle: Bool) {
        let (name, base) = branches.naming(ofPlace: place)
        return (
            Dot(replica: name, counter: changes[place].change.counter - base),
            renamings.isEmpty ? [:] : renamings[place] ?? [:], !overIdle.isEmpty && overIdle.contains(place)
        )
    }
}

extension Membership {
    /// Whose a device is.
    func participant(of replica: ReplicaID) -> Bytes16? {
        members.index(forKey: replica).map { members.values[$0].device.participant }
    }
}
