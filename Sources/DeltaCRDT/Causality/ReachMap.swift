/// The last index held of some branches. A value: a copy shares all storage, and a changed copy shares all but the path
/// to the change.
///
/// A few entries are one sorted array. More are a trie by the bits of the branch, five at a time, whose leaves are such
/// arrays (Fredkin: *Trie memory*, 1960). So the shape depends on the branches alone, and a union finds what two maps share
/// at the same path (Okasaki and Gill: *Fast mergeable integer maps*, 1998). The height is log₃₂ of the highest branch, at
/// most 7.
package struct ReachMap: Hashable, Sequence, Sendable {
    /// How far a branch is held.
    package struct Reach: Hashable, Sendable {
        package let branch: UInt32
        package let index: UInt32

        package init(branch: UInt32, index: UInt32) { (self.branch, self.index) = (branch, index) }
    }

    /// Invariant: a tree of at most `leafMax` entries is a leaf. Any other is a node. The node at the top is the lowest that
    /// has room for the highest branch.
    private(set) var root = Subtree.leaf([])

    /// Nothing.
    package init() {}

    /// How many branches there are. O(1).
    package var count: Int { root.count }

    package var isEmpty: Bool { root.count == 0 }

    /// The last index held of a branch. O(log branches).
    package subscript(branch: UInt32) -> UInt32? { root.index(of: branch) }

    /// Adds a branch up to an index, where no more is held of it. O(log branches): copies as many nodes, each of at most 32
    /// children.
    package mutating func insert(_ reach: Reach) {
        switch root {
        case .leaf(var entries):
            // So that the array has one owner and is changed where it is.
            root = .leaf([])
            ReachMap.insert(reach, into: &entries)
            root = Subtree(entries, shift: ReachMap.shift(of: entries[entries.count - 1].branch))
        case .inner(let node):
            root = .inner(node.lifted(to: ReachMap.shift(of: reach.branch)).inserting(reach))
        }
    }

    /// Forgets a branch. O(log branches).
    package mutating func remove(_ branch: UInt32) {
        guard self[branch] != nil else { return }
        root = root.removing(branch)
        lower()
    }

    /// Adds all that another holds, of each branch the later index. O(nodes in which both have entries and differ), so
    /// O(log branches) for each entry of the smaller one at most.
    package mutating func formUnion(_ other: ReachMap) {
        switch (root, other.root) {
        case (.leaf(let own), .leaf(let others)):
            let highest = Swift.max(own.last?.branch ?? 0, others.last?.branch ?? 0)
            root = root.union(other.root, shift: ReachMap.shift(of: highest))
        case (.inner(let own), .inner(let others)):
            let shift = Swift.max(own.shift, others.shift)
            root = .inner(own.lifted(to: shift).union(others.lifted(to: shift)))
        case (.inner, .leaf(let few)):
            for reach in few { insert(reach) }
        case (.leaf(let few), .inner):
            root = other.root
            for reach in few { insert(reach) }
        }
    }

    /// Forgets the branches that are held to an index below another only. O(nodes in which there are such), else O(1).
    package mutating func removeAll(below index: UInt32) {
        root = root.removingAll(below: index)
        lower()
    }

    /// Takes off the nodes at the top whose one child has room for all.
    private mutating func lower() {
        while case .inner(let node) = root, node.digits == 1 { root = node.children[0].tree }
    }

    /// O(1) where they share all, O(nodes that they don't share) at worst.
    package static func == (left: ReachMap, right: ReachMap) -> Bool { left.root == right.root }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(count)
        for reach in self { hasher.combine(reach) }
    }
}

extension ReachMap {
    /// Ascending by branch.
    package struct Iterator: IteratorProtocol {
        private var leaf: [Reach] = []
        private var index = 0
        /// What comes after the leaf, the next last.
        private var rest: [Subtree] = []

        init(_ root: Subtree) {
            switch root {
            case .leaf(let entries): leaf = entries
            case .inner: rest = [root]
            }
        }

        package mutating func next() -> Reach? {
            while index == leaf.count {
                guard let tree = rest.popLast() else { return nil }
                switch tree {
                case .leaf(let entries): (leaf, index) = (entries, 0)
                case .inner(let node): for child in node.children.reversed() { rest.append(child.tree) }
                }
            }
            index += 1
            return leaf[index - 1]
        }
    }

    package var underestimatedCount: Int { count }

    package func makeIterator() -> Iterator { Iterator(root) }
}
