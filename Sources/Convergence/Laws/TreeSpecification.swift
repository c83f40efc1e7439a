/// What an action means to a tree.
public enum TreeEffect<Node: Hashable & Sendable>: Sendable {
    /// It makes a node, or moves one, under another; nil for the root.
    case move(Node, under: Node?)
    /// It removes a node with all below it.
    case remove(Node)
}

/// What a tree must show, whatever rule decides between concurrent moves.
public enum TreeSpecification {
    /// Compares a tree, as each node's parent, with its history: nothing is in itself, nothing is in two places, each node is
    /// where somebody put it, and one that nobody removed, nor any that it ever was in, is shown. O(nodes · depth + events).
    public static func check<Action, Node>(
        _ shown: [(node: Node, parent: Node?)], of history: History<Action>, meaning: (Action) -> TreeEffect<Node>?
    ) -> Violation? {
        var parents: [Node: Set<Node?>] = [:]
        var nodes: [Node] = []
        var removed: Set<Node> = []
        for event in history.events {
            switch meaning(event.action) {
            case .move(let node, let parent):
                if parents[node] == nil { nodes.append(node) }
                parents[node, default: []].insert(parent)
            case .remove(let node): removed.insert(node)
            case nil: break
            }
        }
        let moves = history.events.filter { if case .move? = meaning($0.action) { true } else { false } }
        history.look(.rooted, History.areConcurrent(moves))
        history.look(.shownOnce, History.areConcurrent(moves))
        history.look(.nothingInvented, !shown.isEmpty)
        history.look(.nothingLost, !nodes.isEmpty)
        var places: [Node: Node?] = [:]
        for (node, parent) in shown {
            guard places.updateValue(parent, forKey: node) == nil else {
                return Violation(.shownOnce, "\(node) is in two places")
            }
            guard parents[node]?.contains(parent) ?? false else {
                let place = parent.map { "\($0)" } ?? "the root"
                return Violation(.nothingInvented, "\(node) is in \(place), where nobody put it")
            }
        }
        for (node, _) in shown {
            var (above, steps): (Node?, Int) = (node, 0)
            while let next = above, let parent = places[next], steps <= places.count {
                (above, steps) = (parent, steps + 1)
            }
            guard steps <= places.count else { return Violation(.rooted, "\(node) is in itself") }
            if let lacking = above {
                return Violation(.rooted, "\(node) is below \(lacking), which is not shown")
            }
        }
        for node in nodes where places[node] == nil {
            // All that it ever was in.
            var (reached, queue): (Set<Node>, [Node]) = ([node], [node])
            while let next = queue.popLast() {
                for case .some(let parent) in parents[next] ?? [] where reached.insert(parent).inserted {
                    queue.append(parent)
                }
            }
            if reached.isDisjoint(with: removed) {
                return Violation(.nothingLost, "\(node) is not shown, and nobody removed it or what it was in")
            }
        }
        return nil
    }
}
