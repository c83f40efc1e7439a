package import DeltaCRDT

/// Which changes a peer is known to hold.
package struct PeerKnowledge: Sendable {
    /// What the peer showed, or was sent. Whoever holds a change holds its past.
    private var held = Past()
    /// What it is taken to hold until it says otherwise, branch by branch.
    private var assumed = Past()

    package init() {}

    /// Notes that the peer holds a change, and so the change's past. O(1) where it holds all that came before it here,
    /// O(branches) at worst.
    package mutating func learn(_ place: Int, in log: TripLog) {
        guard let place = log.lastKept(before: place), !held.contains(place, in: log.branches) else { return }
        log.include(place, in: &held)
        held.settle(in: log.branches)
    }

    /// Notes that the peer holds all that is here below a place. O(1).
    package mutating func learnAll(before end: Int, in log: TripLog) {
        held.raise(to: UInt32(end))
        held.settle(in: log.branches)
    }

    /// Notes that the peer most likely holds a change and what came before it in its log. O(branches).
    mutating func assume(_ place: Int, in log: TripLog) {
        guard var place = log.lastKept(before: place) else { return }
        while true {
            let branch = log.branches.branchOfPlace[place]
            assumed.extend(to: place, ofBranch: branch)
            guard let before = log.placeBefore(branch: Int(branch)) else { return }
            place = before
        }
    }

    /// Whether the peer is known to hold the change at a place. O(log branches).
    package func contains(_ place: Int, in log: TripLog) -> Bool {
        held.contains(place, in: log.branches) || assumed.contains(place, in: log.branches)
    }

    /// Every change below this place is held.
    package var prefix: Int { Int(held.prefix) }

    /// Takes back what was assumed of one replica's log. O(branches).
    package mutating func forget(_ replica: ReplicaID, in log: TripLog) {
        for branch in log.branches.indices(of: replica) { assumed.removeReach(ofBranch: Int32(branch)) }
    }

    /// Brings what is known in line with branches that were cut anew.
    /// - Parameter keptAgain: what was as if it were not here, so that what comes after it says nothing of it.
    package mutating func relearn(in log: TripLog, keptAgain: Set<Int> = []) {
        // What came after it in its log, and is still set aside, says nothing of it either.
        func shown(_ place: Int) -> Int? {
            var shown = log.lastKept(before: place)
            while let place = shown, keptAgain.contains(place) {
                shown = log.place(before: place).flatMap { log.lastKept(before: $0) }
            }
            return shown
        }
        let (held, assumed) = (held, assumed)
        (self.held, self.assumed) = (Past(), Past())
        let end = Int(held.prefix)
        let first = min(keptAgain.min() ?? end, end)
        self.held.raise(to: UInt32(first))
        for place in (first..<end).reversed() where log.isKept(place) && !keptAgain.contains(place) {
            learn(place, in: log)
        }
        for reach in held.beyond { if let place = shown(Int(reach.place)) { learn(place, in: log) } }
        for reach in assumed.beyond { if let place = shown(Int(reach.place)) { assume(place, in: log) } }
    }
}

// What is known outlives the process by the names of changes: places are of one run.
extension PeerKnowledge {
    /// Hashes in a summary.
    package static let summaryMax = 64

    /// The hashes of changes that, with their pasts, are what the peer showed that it holds, the newest here first. Of more
    /// than `summaryMax`, the newest: a summary may say less than is known, and never more. O(branches · `summaryMax`).
    package func summary(in log: TripLog) -> [Bytes32] {
        let tips = log.branches.all.indices.compactMap { branch in
            held.reach(ofBranch: Int32(branch)) ?? log.branches.tip(of: branch, before: prefix)
        }
        return log.heads(of: tips, limit: Self.summaryMax).map { log.changes[$0].hash }
    }

    /// What a summary says of the changes that are here.
    package init(summary: [Bytes32], in log: TripLog) {
        self.init()
        log.note(summary.prefix(Self.summaryMax).compactMap { log.place(of: $0) }.sorted(), heldBy: &self)
    }
}

// The log lends itself to these: it is too large to be handed over for each change.
extension TripLog {
    /// Notes that a peer holds the changes at these places, which ascend, and so their pasts.
    package func note(_ places: [Int], heldBy knowledge: inout PeerKnowledge) {
        // The last one's past mostly holds the others.
        for place in places.reversed() { knowledge.learn(place, in: self) }
    }

    /// Whether a peer is known to hold the change at a place.
    package func isHeld(_ place: Int, by knowledge: PeerKnowledge) -> Bool { knowledge.contains(place, in: self) }
}
