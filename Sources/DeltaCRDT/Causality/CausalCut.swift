/// A set of changes of one log that holds, with every change, all that came before it in its branch: a change's past, or
/// what a peer is known to hold (Mattern: *Virtual time and global states of distributed systems*, 1989).
///
/// Changes are named by where they stand in a log that is only ever appended to, a change after its past. A cut is everything
/// below an index, and of some branches more: where all is seen in the order in which it was written, that is one number.
package struct CausalCut: Hashable, Sendable {
    /// Every change below this index is held.
    package private(set) var prefix: UInt32 = 0
    /// The last change held of the branches of which more is held; no index is below `prefix`. A cut that was made from
    /// another one shares the storage of what both hold.
    package private(set) var beyond = ReachMap()

    /// Nothing.
    package init() {}

    /// Everything below an index.
    package init(before end: Int) { prefix = UInt32(end) }

    /// Whether the change at an index, which is of a branch, is held. O(log branches).
    @inline(__always)
    package func contains(_ index: Int, branch: Int32) -> Bool {
        if index < Int(prefix) { return true }
        if beyond.isEmpty { return false }
        return reaches(index, branch: branch)
    }

    private func reaches(_ index: Int, branch: Int32) -> Bool {
        beyond[UInt32(branch)].map { Int($0) >= index } ?? false
    }

    /// The last index held of a branch, where that lies beyond what is held of all. O(log branches).
    package func reach(ofBranch branch: Int32) -> Int? { beyond[UInt32(branch)].map { Int($0) } }

    /// Adds a change and what came before it in its branch, but nothing of what its author had seen. O(log branches).
    package mutating func extend(to index: Int, ofBranch branch: Int32) {
        guard index >= prefix else { return }
        beyond.insert(ReachMap.Reach(branch: UInt32(branch), index: UInt32(index)))
    }

    /// Forgets what is known of one branch alone. O(log branches).
    package mutating func removeReach(ofBranch branch: Int32) { beyond.remove(UInt32(branch)) }

    /// Adds all that another holds. O(branches in which they differ · log branches), of the one that has fewer.
    package mutating func formUnion(_ other: CausalCut) {
        if other.beyond.isEmpty {
            raise(to: other.prefix)
        } else if beyond.isEmpty {
            let own = prefix
            self = other
            raise(to: own)
        } else {
            beyond.formUnion(other.beyond)
            prefix = max(prefix, other.prefix)
            beyond.removeAll(below: prefix)
        }
    }

    /// Adds everything below an index. O(log branches) for each branch of which no more is held now, else O(1).
    package mutating func raise(to end: UInt32) {
        guard end > prefix else { return }
        prefix = end
        beyond.removeAll(below: end)
    }

    /// What all of some cuts hold; nil where there are none. A branch may be held up to an index of another branch, so only
    /// `contains` may be asked of it. O(cuts · branches that the lowest one names · log branches).
    package static func intersection(of cuts: [CausalCut]) -> CausalCut? {
        let cuts = cuts.sorted { $0.prefix < $1.prefix }
        guard let lowest = cuts.first else { return nil }
        var common = CausalCut()
        common.prefix = lowest.prefix
        for reach in lowest.beyond {
            var end = Int(reach.index)
            for cut in cuts.dropFirst() {
                // It and those after it hold all that is left.
                if Int(cut.prefix) > end { break }
                end = min(end, cut.reach(ofBranch: Int32(reach.branch)) ?? Int(cut.prefix) - 1)
            }
            if end >= Int(lowest.prefix) {
                common.beyond.insert(ReachMap.Reach(branch: reach.branch, index: UInt32(end)))
            }
        }
        return common
    }

    /// Takes into `prefix` what has come to lie below no gap. O(log branches) for each change taken.
    /// - Parameters:
    ///   - end: how many changes there are.
    ///   - branch: the branch of the change at an index.
    package mutating func advancePrefix(before end: Int, branch: (Int) -> Int32) {
        guard !beyond.isEmpty else { return }
        let start = prefix
        while Int(prefix) < end, reaches(Int(prefix), branch: branch(Int(prefix))) { prefix += 1 }
        if prefix > start { beyond.removeAll(below: prefix) }
    }
}
