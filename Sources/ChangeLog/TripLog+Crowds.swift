import DeltaCRDT

// A copied device makes a second branch, and a third; a liar makes hundreds. Of a replica with more branches than
// `ChangeLimits.branchesMax`, what comes after its first fork counts for nobody.
//
// Everybody must come to know of as many branches, though none of them counts: so the lowest of them are kept as
// evidence, each beside the sibling that makes it a fork, and with them the first fork, which says where the cut is.
// Two nodes that hold each other's evidence have the same: the lowest forks of both are then the lowest of each.
extension TripLog {
    /// What follows from replicas that branched too often.
    struct Crowding {
        var beyondForks: Set<Int> = []
        /// Changes that are kept though they do not count.
        var evidence: Set<Int> = []
    }

    /// Notes that a change came that may make its replica one with too many branches, or is one more of such.
    mutating func noteCrowd(_ replica: ReplicaID) {
        let hasTooMany =
            branches.isForked(replica) && branches.indices(of: replica).count > ChangeLimits.branchesMax
        if hasTooMany || crowds.contains(replica) { mustRecount = true }
    }

    /// Finds the replicas with too many branches. Among all changes that are here: which of them are set aside depends on
    /// this, and in a log that is read anew none is yet. O(changes) where there may be any.
    mutating func noteCrowds() {
        guard branches.hasForks || !setAside.isEmpty else { return }
        var isFollowed = [Bool](repeating: false, count: changes.count)
        var hasBegun: Set<ReplicaID> = []
        var forks: [ReplicaID: Int] = [:]
        for place in changes.indices {
            let replica = changes[place].change.replica
            let isFork: Bool
            if let previous = self.place(before: place) {
                isFork = isFollowed[previous]
                isFollowed[previous] = true
            } else {
                isFork = !hasBegun.insert(replica).inserted
            }
            if isFork { forks[replica, default: 0] += 1 }
        }
        crowds = Set(forks.filter { $0.value + 1 > ChangeLimits.branchesMax }.keys)
    }

    /// O(changes) where there is a crowd.
    var crowding: Crowding {
        var crowding = Crowding()
        for replica in crowds {
            let places = changes.indices.filter { changes[$0].change.replica == replica }
            let siblings = Dictionary(grouping: places) { changes[$0].change.previous }.values.filter { $0.count > 1 }
            // By hash: the lowest goes on in the branch, each other begins one.
            let forks = siblings.map { $0.sorted { changes[$0].hash < changes[$1].hash } }
            let heads = forks.flatMap { fork in fork.dropFirst().map { (head: $0, sibling: fork[0]) } }
            guard heads.count + 1 > ChangeLimits.branchesMax,
                let first = forks.min(by: { changes[$0[0]].change.counter < changes[$1[0]].change.counter })
            else { continue }
            let cut = changes[first[0]].change.counter
            crowding.beyondForks.formUnion(places.filter { changes[$0].change.counter >= cut })
            let lowest = heads.sorted { changes[$0.head].hash < changes[$1.head].hash }.prefix(ChangeLimits.branchesMax)
            crowding.evidence.formUnion(lowest.flatMap { [$0.head, $0.sibling] })
            crowding.evidence.formUnion(first.prefix(2))
        }
        return crowding
    }
}
