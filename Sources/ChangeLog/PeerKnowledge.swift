package import DeltaCRDT

/// Which changes a peer is known to hold: a prefix of every branch.
package struct PeerKnowledge: Sendable {
    /// The place of the last change known, by branch; −1 for none.
    private var last: [Int] = []

    package init() {}

    /// Notes that the peer holds a change, and with it all that came before it in its log. O(forks).
    package mutating func learn(_ place: Int, in log: TripLog) {
        var place = place
        while true {
            let branch = log.branches.branchOfPlace[place]
            if branch >= last.count { last.append(contentsOf: repeatElement(-1, count: branch + 1 - last.count)) }
            guard last[branch] < place else { return }
            let isFirst = last[branch] < 0
            last[branch] = place
            let start = log.branches.all[branch].places[0]
            guard isFirst, let previous = log.changes[start].change.previous, let before = log.place(of: previous)
            else {
                return
            }
            place = before
        }
    }

    /// Whether the peer is known to hold the change at a place. O(1).
    package func contains(_ place: Int, in log: TripLog) -> Bool {
        let branch = log.branches.branchOfPlace[place]
        return branch < last.count && last[branch] >= place
    }

    /// Notes that nothing is known of what the peer holds of one replica's log. O(branches of the replica).
    package mutating func forget(_ replica: ReplicaID, in log: TripLog) {
        for branch in log.branches.indices(of: replica) where branch < last.count { last[branch] = -1 }
    }

    /// Brings what is known in line with branches that were cut anew.
    package mutating func relearn(in log: TripLog) {
        let tips = last.filter { $0 >= 0 }
        last = []
        for tip in tips { learn(tip, in: log) }
    }
}
