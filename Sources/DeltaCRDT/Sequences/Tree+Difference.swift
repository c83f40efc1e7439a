/// What became of a tree: changes are told in an order in which each is true after those before it.
public enum TreeChange: Hashable, Sendable {
    /// A node was created, or moved out of the trash, and is under another one now; nil at the top. Nothing is under it until that is told.
    case added(Tree.Node, under: Tree.Node?)
    /// A node was moved, with all below it, from under one to under another; nil at the top.
    case moved(Tree.Node, from: Tree.Node?, to: Tree.Node?)
    /// A node is no longer seen, and nothing is under it any more.
    case removed(Tree.Node)
}

extension Tree {
    /// What turns this version of a tree into another: into a later or an earlier one, or one on another branch.
    ///
    /// A version is a copy of the tree, as ``Text/changes(to:)`` has it. Told is what can be seen: of a node that was moved twice one move,
    /// and nothing of moves that did nothing, or among what is in the trash. Of a subtree that was removed or came back, each node is
    /// told, for a view may hold something for each.
    ///
    /// ```swift
    /// var folders = Tree()
    /// let (plans, _) = folders.insert(under: nil, by: jie)
    /// let yesterday = folders
    /// let (maps, _) = folders.insert(under: nil, by: jie)
    /// folders.move(plans, under: maps, by: noah)
    ///
    /// yesterday.changes(to: folders)  // [.added(maps, under: nil), .moved(plans, from: nil, to: maps)]
    /// folders.changes(to: yesterday)  // [.moved(plans, from: maps, to: nil), .removed(maps)]
    /// ```
    ///
    /// - Returns: the changes, each true after those before it, so that no node is ever in itself: from the top down what was added or
    ///   moved, and then from below what was removed.
    ///
    /// Complexity: as of ``hierarchy`` of both.
    public func changes(to other: Tree) -> [TreeChange] {
        let (old, new) = (hierarchy.nodesDownwards, other.hierarchy.nodesDownwards)
        let parents = Dictionary(uniqueKeysWithValues: old.map { ($0.node, $0.parent) })
        var changes: [TreeChange] = []
        // All above a node are told before it. So they stand where they will, and it is not among them.
        for (node, parent) in new {
            if let before = parents[node] {
                if before != parent { changes.append(.moved(node, from: before, to: parent)) }
            } else {
                changes.append(.added(node, under: parent))
            }
        }
        let left = Set(new.map { $0.node })
        for (node, _) in old.reversed() where !left.contains(node) { changes.append(.removed(node)) }
        return changes
    }
}

extension Tree.Hierarchy {
    /// The nodes, each after the one above it, which is nil at the top.
    fileprivate var nodesDownwards: [(node: Tree.Node, parent: Tree.Node?)] {
        var nodes: [(node: Tree.Node, parent: Tree.Node?)] = children(of: nil).map { ($0, nil) }
        var next = 0
        while next < nodes.count {
            let above = nodes[next].node
            nodes += children(of: above).map { ($0, above) }
            next += 1
        }
        return nodes
    }
}
