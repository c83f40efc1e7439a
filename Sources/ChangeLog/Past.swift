import DeltaCRDT

/// A set of changes of one log that holds, with every change, all that came before it in its branch. A change's past is
/// one, and so is what a peer is known to hold.
///
/// Everything below a place, and of some branches more: where all is seen in the order in which it was written, or
/// is written without sight of others, that is one number.
package struct Past: Hashable, Sendable {
    /// How far a branch is held.
    struct Reach: Hashable, Sendable {
        let branch: UInt32
        var place: UInt32
    }

    /// Every change below this place is held.
    private(set) var prefix: UInt32 = 0
    /// The last change held of the branches of which more is held, ascending by branch; no place is below `prefix`.
    private(set) var beyond: [Reach] = []

    init() {}

    /// Whether the change at a place is held. O(log branches).
    @inline(__always)
    func contains(_ place: Int, in branches: Branches) -> Bool {
        if place < Int(prefix) { return true }
        if beyond.isEmpty { return false }
        return reaches(place, ofBranch: branches.branchOfPlace[place])
    }

    private func reaches(_ place: Int, ofBranch branch: Int32) -> Bool {
        // What is set aside belongs to no branch: it is as if it were not here.
        guard branch >= 0 else { return true }
        let index = position(of: UInt32(branch))
        return index < beyond.count && beyond[index].branch == UInt32(branch) && beyond[index].place >= place
    }

    /// The first index whose branch is not below `branch`.
    private func position(of branch: UInt32) -> Int {
        beyond.partitioningIndex { $0.branch >= branch }
    }

    /// The last place held of a branch, where that lies beyond what is held of all.
    func reach(ofBranch branch: Int) -> Int? {
        let index = position(of: UInt32(branch))
        return index < beyond.count && Int(beyond[index].branch) == branch ? Int(beyond[index].place) : nil
    }

    /// Adds a change and what came before it in its branch, but nothing of what its author had seen. O(branches).
    mutating func extend(to place: Int, ofBranch branch: Int32) {
        guard place >= prefix else { return }
        let reach = Reach(branch: UInt32(branch), place: UInt32(place))
        let index = position(of: reach.branch)
        if index < beyond.count, beyond[index].branch == reach.branch {
            if beyond[index].place < reach.place { beyond[index].place = reach.place }
        } else {
            beyond.insert(reach, at: index)
        }
    }

    /// Forgets what is known of one branch alone.
    mutating func removeReach(ofBranch branch: Int) {
        let index = position(of: UInt32(branch))
        if index < beyond.count, beyond[index].branch == UInt32(branch) { beyond.remove(at: index) }
    }

    /// The same, with nothing said of one branch.
    func without(_ branch: Int32) -> Past {
        guard !beyond.isEmpty else { return self }
        var past = self
        past.removeReach(ofBranch: Int(branch))
        return past
    }

    /// Adds all that another holds. O(branches of both).
    mutating func formUnion(_ other: Past) {
        if other.beyond.isEmpty {
            raise(to: other.prefix)
        } else if beyond.isEmpty {
            let own = prefix
            self = other
            raise(to: own)
        } else if self != other {
            beyond = Past.merged(beyond, other.beyond)
            let prefix = max(prefix, other.prefix)
            self.prefix = prefix
            dropCovered()
        }
    }

    private static func merged(_ left: [Reach], _ right: [Reach]) -> [Reach] {
        var merged: [Reach] = []
        merged.reserveCapacity(left.count + right.count)
        var (i, j) = (0, 0)
        while i < left.count, j < right.count {
            if left[i].branch < right[j].branch {
                merged.append(left[i])
                i += 1
            } else if right[j].branch < left[i].branch {
                merged.append(right[j])
                j += 1
            } else {
                merged.append(Reach(branch: left[i].branch, place: max(left[i].place, right[j].place)))
                i += 1
                j += 1
            }
        }
        merged.append(contentsOf: left[i...])
        merged.append(contentsOf: right[j...])
        return merged
    }

    mutating func raise(to end: UInt32) {
        guard end > prefix else { return }
        prefix = end
        dropCovered()
    }

    private mutating func dropCovered() {
        let prefix = prefix
        if !beyond.isEmpty { beyond.removeAll { $0.place < prefix } }
    }

    /// Takes into `prefix` what has come to lie below no gap. O(log branches) for each change taken.
    mutating func settle(in branches: Branches) {
        guard !beyond.isEmpty else { return }
        let start = prefix
        while !beyond.isEmpty, Int(prefix) < branches.branchOfPlace.count,
            reaches(Int(prefix), ofBranch: branches.branchOfPlace[Int(prefix)])
        {
            prefix += 1
            if beyond.count == 1, beyond[0].place < prefix { beyond = [] }
        }
        if prefix > start { dropCovered() }
    }
}
