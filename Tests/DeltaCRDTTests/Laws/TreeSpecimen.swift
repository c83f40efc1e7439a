import DeltaCRDT

/// Nodes created, moved under each other and removed.
enum TreeSpecimen: Specimen {
    typealias State = Tree

    final class Operation: CustomStringConvertible {
        let kind: Int
        let node: Int
        let target: Int
        var effect: Effect?

        init(kind: Int, node: Int, target: Int) { (self.kind, self.node, self.target) = (kind, node, target) }

        var description: String { "\(["create", "remove", "move"][min(kind, 2)]) \(node) under \(target)" }
    }

    struct Effect {
        let time: Int
        let dot: Dot
        let node: Dot
        /// Nil at the top.
        let parent: Dot?
        let isRemoval: Bool
    }

    static func operation(_ random: inout SplitMix64) -> Operation {
        Operation(kind: random.below(6), node: random.below(9), target: random.below(10))
    }

    static func perform(_ operation: Operation, on state: inout Tree, by replica: ReplicaID) -> Tree {
        let nodes = view(state).keys.sorted()
        let target = operation.target < nodes.count ? nodes[operation.target] : nil
        guard operation.kind > 0, !nodes.isEmpty else { return state.insert(under: target, by: replica).delta }
        let node = nodes[operation.node % nodes.count]
        return operation.kind == 1
            ? state.remove(node, by: replica) : state.move(node, under: target, by: replica)
    }

    /// The parent of each node that is reached from the top.
    static func view(_ state: Tree) -> [Dot: Dot?] {
        let hierarchy = state.hierarchy
        var view: [Dot: Dot?] = [:]
        var rest: [Dot?] = [nil]
        while let parent = rest.popLast() {
            for node in hierarchy.children(of: parent) where view[node] == nil && hierarchy.parent(of: node) == parent {
                view.updateValue(parent, forKey: node)
                rest.append(node)
            }
        }
        return view.count == hierarchy.count && view.keys.allSatisfy(hierarchy.contains) ? view : [:]
    }

    static func follow(_ view: [Dot: Dot?], _ change: [Tree.Move], _ after: [Dot: Dot?]) -> [Dot: Dot?] { after }

    /// All known moves in the order of their times, each done unless the node would be in itself.
    static func expected(_ known: [Event<Operation>], in history: [Event<Operation>]) -> [Dot: Dot?] {
        var counters: [ReplicaID: UInt64] = [:]
        for event in history {
            counters[event.replica, default: 0] += 1
            guard event.operation.effect == nil, let counter = counters[event.replica] else { continue }
            let past = history.filter(event.saw)
            let (dot, operation) = (Dot(replica: event.replica, counter: counter), event.operation)
            let nodes = tree(of: past).keys.sorted()
            let target = operation.target < nodes.count ? nodes[operation.target] : nil
            let isNew = operation.kind == 0 || nodes.isEmpty
            event.operation.effect = Effect(
                time: past.count, dot: dot, node: isNew ? dot : nodes[operation.node % nodes.count], parent: target,
                isRemoval: !isNew && operation.kind == 1)
        }
        return tree(of: known)
    }

    private static func tree(of events: [Event<Operation>]) -> [Dot: Dot?] {
        var parents: [Dot: Dot?] = [:]
        for effect in events.compactMap({ $0.operation.effect }).sorted(by: { ($0.time, $0.dot) < ($1.time, $1.dot) }) {
            // What is removed stands in itself here.
            if effect.isRemoval {
                parents.updateValue(effect.node, forKey: effect.node)
            } else if !path(of: effect.parent, in: parents).contains(effect.node) {
                parents.updateValue(effect.parent, forKey: effect.node)
            }
        }
        return parents.filter { node, _ in path(of: node, in: parents).last == .some(nil) }
    }

    /// A node and all above it; nil at the end, where the top is reached.
    static func path(of node: Dot?, in parents: [Dot: Dot?]) -> [Dot?] {
        var path = [node]
        while case .some(let above?) = path.last, let next = parents[above], next != above { path.append(next) }
        return path
    }
}

/// A last-writer-wins map of parents posing as a tree: nothing keeps two nodes from standing in each other.
enum ParentMapSpecimen: Specimen {
    typealias State = LWWMap<Dot, Dot?>

    static func operation(_ random: inout SplitMix64) -> TreeSpecimen.Operation { TreeSpecimen.operation(&random) }

    static func perform(_ operation: TreeSpecimen.Operation, on state: inout State, by replica: ReplicaID) -> State {
        let parents = view(state)
        let nodes = parents.keys.sorted()
        let target = operation.target < nodes.count ? nodes[operation.target] : nil
        guard operation.kind > 0, !nodes.isEmpty else {
            return state.updateValue(target, forKey: state.context.nextDot(for: replica), by: replica)
        }
        let node = nodes[operation.node % nodes.count]
        // What is removed stands in itself; what would stand in itself stays where it is.
        let isBelow = TreeSpecimen.path(of: target, in: parents).contains(node)
        let parent = operation.kind == 1 ? node : isBelow ? parents[node] ?? nil : target
        return state.updateValue(parent, forKey: node, by: replica)
    }

    static func view(_ state: State) -> [Dot: Dot?] {
        var parents: [Dot: Dot?] = [:]
        state.forEach { parents.updateValue($1, forKey: $0) }
        return parents.filter { node, _ in
            // A path through a cycle has no end.
            var (next, steps) = (parents[node] ?? nil, 0)
            while let above = next, let higher = parents[above], steps <= parents.count {
                (next, steps) = (higher, steps + 1)
            }
            return next == nil
        }
    }

    static func follow(_ view: [Dot: Dot?], _ change: MapChange<Dot>, _ after: [Dot: Dot?]) -> [Dot: Dot?] { after }

    static func expected(
        _ known: [Event<TreeSpecimen.Operation>], in history: [Event<TreeSpecimen.Operation>]
    ) -> [Dot: Dot?] {
        TreeSpecimen.expected(known, in: history)
    }
}
