import DeltaCRDT

/// A change's past, or what a peer is known to hold: changes that are set aside belong to no branch, and are as if they were
/// held by all.
typealias Past = CausalCut

extension CausalCut {
    /// Whether the change at a place is held. O(log branches).
    @inline(__always)
    func contains(_ place: Int, in branches: Branches) -> Bool {
        if place < Int(prefix) { return true }
        if beyond.isEmpty { return false }
        let branch = branches.branchOfPlace[place]
        return branch < 0 || contains(place, branch: branch)
    }

    /// Takes into `prefix` what has come to lie below no gap. O(log branches) for each change taken.
    mutating func settle(in branches: Branches) {
        guard !beyond.isEmpty else { return }
        var end = Int(prefix)
        while end < branches.branchOfPlace.count {
            let branch = branches.branchOfPlace[end]
            guard branch < 0 || (reach(ofBranch: branch) ?? -1) >= end else { break }
            end += 1
        }
        raise(to: UInt32(end))
    }

    /// The same, with nothing said of one branch.
    func without(_ branch: Int32) -> Past {
        guard !beyond.isEmpty else { return self }
        var past = self
        past.removeReach(ofBranch: branch)
        return past
    }
}
