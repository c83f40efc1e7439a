extension ReachMap {
    /// Entries in one array. As many as five bits have values, so below the lowest nodes there are only leaves.
    static let leafMax = 32

    /// Where the five bits begin by which the lowest node tells its children apart that has room for a branch.
    static func shift(of branch: UInt32) -> UInt32 {
        var shift: UInt32 = 5
        while branch >> (shift + 5) != 0 { shift += 5 }
        return shift
    }

    /// Where a branch is among entries, or would be.
    static func position(of branch: UInt32, in entries: [Reach]) -> Int {
        entries.partitioningIndex { $0.branch >= branch }
    }

    static func insert(_ reach: Reach, into entries: inout [Reach]) {
        let index = position(of: reach.branch, in: entries)
        if index < entries.count, entries[index].branch == reach.branch {
            if entries[index].index < reach.index { entries[index] = reach }
        } else {
            entries.insert(reach, at: index)
        }
    }

    static func merged(_ left: [Reach], _ right: [Reach]) -> [Reach] {
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
                merged.append(left[i].index < right[j].index ? right[j] : left[i])
                i += 1
                j += 1
            }
        }
        merged.append(contentsOf: left[i...])
        merged.append(contentsOf: right[j...])
        return merged
    }

    /// Entries whose branches differ in no bit above some.
    enum Subtree: Equatable, Sendable {
        /// Ascending by branch.
        case leaf([Reach])
        case inner(Node)

        /// - Parameter shift: of the node that they become where they are too many for a leaf.
        init(_ entries: [Reach], shift: UInt32) {
            self = entries.count <= ReachMap.leafMax ? .leaf(entries) : .inner(Node(entries, shift: shift))
        }

        /// What is left of a node.
        init(_ children: [Child], digits: UInt32, shift: UInt32) {
            let node = Node(children, digits: digits, shift: shift)
            self = node.count <= ReachMap.leafMax ? .leaf(node.entries) : .inner(node)
        }

        var count: Int {
            switch self {
            case .leaf(let entries): entries.count
            case .inner(let node): node.count
            }
        }

        func index(of branch: UInt32) -> UInt32? {
            switch self {
            case .leaf(let entries):
                let index = ReachMap.position(of: branch, in: entries)
                return index < entries.count && entries[index].branch == branch ? entries[index].index : nil
            case .inner(let node): return node.index(of: branch)
            }
        }

        func inserting(_ reach: Reach, shift: UInt32) -> Subtree {
            switch self {
            case .leaf(let old):
                // An array that grows would have room to spare, in every copy.
                var entries: [Reach] = []
                entries.reserveCapacity(old.count + 1)
                entries.append(contentsOf: old)
                ReachMap.insert(reach, into: &entries)
                return Subtree(entries, shift: shift)
            case .inner(let node): return .inner(node.inserting(reach))
            }
        }

        /// Without a branch that it has.
        func removing(_ branch: UInt32) -> Subtree {
            switch self {
            case .leaf(let entries): .leaf(entries.filter { $0.branch != branch })
            case .inner(let node): node.removing(branch)
            }
        }

        func removingAll(below index: UInt32) -> Subtree {
            switch self {
            case .leaf(let entries):
                entries.contains { $0.index < index } ? .leaf(entries.filter { $0.index >= index }) : self
            case .inner(let node): node.least < index ? node.removingAll(below: index) : self
            }
        }

        /// One of the two where that holds all, itself where both hold the same: so nothing is kept twice.
        func union(_ other: Subtree, shift: UInt32) -> Subtree {
            switch (self, other) {
            case (.leaf(let own), .leaf(let others)):
                if others.isEmpty || own == others { return self }
                if own.isEmpty { return other }
                let merged = ReachMap.merged(own, others)
                return merged == own ? self : merged == others ? other : Subtree(merged, shift: shift)
            case (.inner(let own), .inner(let others)):
                return .inner(own.union(others))
            case (.inner(let node), .leaf(let few)), (.leaf(let few), .inner(let node)):
                return .inner(few.reduce(node) { $0.inserting($1) })
            }
        }

        /// Whether both are one in storage.
        func isIdentical(to other: Subtree) -> Bool {
            switch (self, other) {
            case (.leaf(let own), .leaf(let others)):
                own.withUnsafeBufferPointer { own in
                    others.withUnsafeBufferPointer { own.baseAddress == $0.baseAddress }
                }
            case (.inner(let own), .inner(let others)): own === others
            case (.leaf, .inner), (.inner, .leaf): false
            }
        }
    }

    /// A subtree, and what its parent must know of it without a look.
    struct Child: Equatable, Sendable {
        let count: UInt32
        /// The lowest index to which one of its branches is held.
        let least: UInt32
        let tree: Subtree

        init(_ tree: Subtree) {
            self.tree = tree
            count = UInt32(tree.count)
            least =
                switch tree {
                case .leaf(let entries): entries.reduce(UInt32.max) { Swift.min($0, $1.index) }
                case .inner(let node): node.least
                }
        }
    }

    /// More entries than a leaf has, by five bits of their branches.
    final class Node: Equatable, Sendable {
        /// Where these bits begin.
        let shift: UInt32
        /// The values of these bits that occur: a bit for each.
        let digits: UInt32
        /// Of each such value, ascending. None is empty.
        let children: [Child]
        let count: Int
        let least: UInt32

        init(_ children: [Child], digits: UInt32, shift: UInt32) {
            self.children = children
            self.digits = digits
            self.shift = shift
            count = children.reduce(0) { $0 + Int($1.count) }
            least = children.reduce(UInt32.max) { Swift.min($0, $1.least) }
        }

        convenience init(_ entries: [Reach], shift: UInt32) {
            var (children, digits): ([Child], UInt32) = ([], 0)
            var start = 0
            while start < entries.count {
                let digit = entries[start].branch >> shift
                let end = entries[start...].partitioningIndex { $0.branch >> shift > digit }
                children.append(Child(Subtree(Array(entries[start..<end]), shift: shift - 5)))
                digits |= Node.bit(of: entries[start].branch, shift)
                start = end
            }
            self.init(children, digits: digits, shift: shift)
        }

        private static func bit(of branch: UInt32, _ shift: UInt32) -> UInt32 { 1 << ((branch >> shift) & 31) }

        /// Where the child of a digit is, or would be.
        private func position(of bit: UInt32) -> Int { (digits & (bit - 1)).nonzeroBitCount }

        /// All that is below it. O(entries).
        var entries: [Reach] {
            var entries: [Reach] = []
            entries.reserveCapacity(count)
            for child in children {
                switch child.tree {
                case .leaf(let leaf): entries.append(contentsOf: leaf)
                case .inner(let node): entries.append(contentsOf: node.entries)
                }
            }
            return entries
        }

        func index(of branch: UInt32) -> UInt32? {
            let bit = Node.bit(of: branch, shift)
            return digits & bit == 0 ? nil : children[position(of: bit)].tree.index(of: branch)
        }

        /// Below as many nodes of one child as have room for higher branches.
        func lifted(to shift: UInt32) -> Node {
            var node = self
            while node.shift < shift { node = Node([Child(.inner(node))], digits: 1, shift: node.shift + 5) }
            return node
        }

        /// Itself where it holds as much of the branch.
        func inserting(_ reach: Reach) -> Node {
            if let held = index(of: reach.branch), held >= reach.index { return self }
            let bit = Node.bit(of: reach.branch, shift)
            let index = position(of: bit)
            var children = self.children
            if digits & bit == 0 {
                children.insert(Child(.leaf([reach])), at: index)
            } else {
                children[index] = Child(children[index].tree.inserting(reach, shift: shift - 5))
            }
            return Node(children, digits: digits | bit, shift: shift)
        }

        func removing(_ branch: UInt32) -> Subtree {
            let bit = Node.bit(of: branch, shift)
            let index = position(of: bit)
            let child = children[index].tree.removing(branch)
            var children = self.children
            if child.count > 0 {
                children[index] = Child(child)
                return Subtree(children, digits: digits, shift: shift)
            }
            children.remove(at: index)
            return Subtree(children, digits: digits & ~bit, shift: shift)
        }

        func removingAll(below index: UInt32) -> Subtree {
            var (kept, keptDigits): ([Child], UInt32) = ([], 0)
            var rest = digits
            for child in children {
                let bit = rest & (~rest + 1)
                rest ^= bit
                let left = child.least < index ? Child(child.tree.removingAll(below: index)) : child
                guard left.count > 0 else { continue }
                kept.append(left)
                keptDigits |= bit
            }
            return Subtree(kept, digits: keptDigits, shift: shift)
        }

        /// One of the two where that holds all.
        /// - Parameter other: of the same shift.
        func union(_ other: Node) -> Node {
            if self === other { return self }
            var rest = digits | other.digits
            var (isOwn, isOther) = (rest == digits, rest == other.digits)
            var merged: [Child] = []
            merged.reserveCapacity(rest.nonzeroBitCount)
            while rest != 0 {
                let bit = rest & (~rest + 1)
                rest ^= bit
                if digits & bit == 0 {
                    merged.append(other.children[other.position(of: bit)])
                    continue
                }
                let own = children[position(of: bit)]
                guard other.digits & bit != 0 else {
                    merged.append(own)
                    continue
                }
                let others = other.children[other.position(of: bit)]
                let tree = own.tree.union(others.tree, shift: shift - 5)
                let isOwnTree = tree.isIdentical(to: own.tree)
                let isOthersTree = tree.isIdentical(to: others.tree)
                (isOwn, isOther) = (isOwn && isOwnTree, isOther && isOthersTree)
                merged.append(isOwnTree ? own : isOthersTree ? others : Child(tree))
            }
            return isOwn ? self : isOther ? other : Node(merged, digits: digits | other.digits, shift: shift)
        }

        static func == (left: Node, right: Node) -> Bool {
            left === right
                || left.shift == right.shift && left.digits == right.digits && left.children == right.children
        }
    }
}
