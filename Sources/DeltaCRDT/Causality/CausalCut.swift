/// A set of changes of one log that holds, with every change, all that came before it in its branch: a change's past, or
/// what a peer is known to hold (Mattern: *Virtual time and global states of distributed systems*, 1989).
///
/// Changes are named by where they stand in a log that is only ever appended to, a change after its past. A cut is everything
/// below a place, and of some branches more: where all is seen in the order in which it was written, that is one number.
package struct CausalCut: Hashable, Sendable {
    /// How far a branch is held.
    package struct Reach: Hashable, Sendable {
        package let branch: UInt32
        package fileprivate(set) var place: UInt32
    }

    /// Every change below this place is held.
    package private(set) var prefix: UInt32 = 0
    /// The last change held of the branches of which more is held, ascending by branch; no place is below `prefix`.
    package private(set) var beyond: [Reach] = []

    /// Nothing.
    package init() {}

    /// Everything below a place.
    package init(before end: Int) { prefix = UInt32(end) }

    /// Whether the change at a place, which is of a branch, is held. O(log branches).
    @inline(__always)
    package func contains(_ place: Int, branch: Int32) -> Bool {
        if place < Int(prefix) { return true }
        if beyond.isEmpty { return false }
        return reaches(place, branch: branch)
    }

    private func reaches(_ place: Int, branch: Int32) -> Bool {
        let index = position(of: UInt32(branch))
        return index < beyond.count && beyond[index].branch == UInt32(branch) && Int(beyond[index].place) >= place
    }

    /// The first index whose branch is not below `branch`.
    private func position(of branch: UInt32) -> Int {
        beyond.partitioningIndex { $0.branch >= branch }
    }

    /// The last place held of a branch, where that lies beyond what is held of all.
    package func reach(ofBranch branch: Int32) -> Int? {
        let index = position(of: UInt32(branch))
        return index < beyond.count && beyond[index].branch == UInt32(branch) ? Int(beyond[index].place) : nil
    }

    /// Adds a change and what came before it in its branch, but nothing of what its author had seen. O(branches).
    package mutating func extend(to place: Int, ofBranch branch: Int32) {
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
    package mutating func removeReach(ofBranch branch: Int32) {
        let index = position(of: UInt32(branch))
        if index < beyond.count, beyond[index].branch == UInt32(branch) { beyond.remove(at: index) }
    }

    /// Adds all that another holds. O(branches of both).
    package mutating func formUnion(_ other: CausalCut) {
        if other.beyond.isEmpty {
            raise(to: other.prefix)
        } else if beyond.isEmpty {
            let own = prefix
            self = other
            raise(to: own)
        } else if self != other {
            beyond = CausalCut.merged(beyond, other.beyond)
            prefix = max(prefix, other.prefix)
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

    /// Adds everything below a place.
    package mutating func raise(to end: UInt32) {
        guard end > prefix else { return }
        prefix = end
        dropCovered()
    }

    private mutating func dropCovered() {
        if !beyond.isEmpty { beyond.removeAll { [prefix] in $0.place < prefix } }
    }

    /// Takes into `prefix` what has come to lie below no gap. O(log branches) for each change taken.
    /// - Parameters:
    ///   - end: how many changes there are.
    ///   - branch: the branch of the change at a place.
    package mutating func settle(before end: Int, branch: (Int) -> Int32) {
        guard !beyond.isEmpty else { return }
        let start = prefix
        while !beyond.isEmpty, Int(prefix) < end {
            guard reaches(Int(prefix), branch: branch(Int(prefix))) else { break }
            prefix += 1
            if beyond.count == 1, beyond[0].place < prefix { beyond = [] }
        }
        if prefix > start { dropCovered() }
    }
}
