/// A tree whose nodes are created, moved and removed by several at once, and never stand in themselves.
///
/// Every act is a move: a creation moves a new node to its parent, a removal moves one to the trash, from where it can be moved back.
/// All moves that were ever made are kept; the tree is what they give one after the other in the order of their times, where a move
/// that would put a node into itself does nothing (Kleppmann, Mulligan, Gomes, Beresford: *A highly-available move operation for
/// replicated trees*, 2021). A time is how many events the author had seen; ties are broken by dot. Nodes carry nothing: keep
/// what they hold in a map under their names.
///
/// ```swift
/// var mine = Tree()
/// let (plans, _) = mine.insert(under: nil, by: jie)
/// let (maps, _) = mine.insert(under: nil, by: jie)
/// var theirs = mine
///
/// let one = mine.move(plans, under: maps, by: jie)
/// let other = theirs.move(maps, under: plans, by: noah)
/// mine.merge(other)
/// theirs.merge(one)
/// mine == theirs           // true
/// mine.hierarchy.count     // 2
/// ```
public struct Tree: CausalState {
    /// A move for each dot.
    public typealias Store = DotFun<Move>
    /// All moves that there are now.
    public typealias Change = [Move]

    /// A node, named by the dot of its creation.
    public typealias Node = Dot

    /// Where a node is put.
    public enum Parent: Hashable, Sendable {
        /// At the top.
        case top
        /// In the trash, where nothing is seen.
        case trash
        /// Under another node.
        case node(Node)
    }

    /// A node is put somewhere.
    public struct Move: Hashable, Sendable {
        /// How many events the author had seen.
        public let time: UInt64
        /// Which node; nil where the move creates it.
        public let node: Node?
        /// Where to.
        public let parent: Parent
    }

    /// What is alive, and what was seen.
    public var causal: Causal<DotFun<Move>>

    /// A state of what is alive and what was seen. Complexity: O(1).
    public init(_ causal: Causal<DotFun<Move>>) { self.causal = causal }

    /// Creates a node under another one or at the top, in the name of a replica; returns it and the delta. Complexity: O(n).
    @discardableResult
    public mutating func insert(under parent: Node?, by replica: ReplicaID) -> (node: Node, delta: Tree) {
        let dot = context.nextDot(for: replica)
        return (dot, put(nil, parent.map { .node($0) } ?? .top, dot))
    }

    /// Moves a node under another one or to the top, out of the trash too, in the name of a replica and returns the delta. Where that
    /// would put the node into itself, it does nothing, here and everywhere.
    ///
    /// Complexity: O(n).
    @discardableResult
    public mutating func move(_ node: Node, under parent: Node?, by replica: ReplicaID) -> Tree {
        put(node, parent.map { .node($0) } ?? .top, context.nextDot(for: replica))
    }

    /// Moves a node, and so all below it, to the trash, in the name of a replica and returns the delta. Complexity: O(n).
    @discardableResult
    public mutating func remove(_ node: Node, by replica: ReplicaID) -> Tree {
        put(node, .trash, context.nextDot(for: replica))
    }

    private mutating func put(_ node: Node?, _ parent: Parent, _ dot: Dot) -> Tree {
        let move = Move(time: UInt64(context.count), node: node, parent: parent)
        return apply(DotFun(dot, move), CausalContext(dot))
    }

    /// The tree as it is now. Complexity: O(m log m) for m moves, and O(depth) for each.
    public var hierarchy: Hierarchy { Hierarchy(causal.store) }

    /// A tree as it was at a moment.
    public struct Hierarchy: Sendable {
        private var parents: [Node: Parent] = [:]
        private var nodes: [Parent: [Node]] = [:]

        init(_ moves: DotFun<Move>) {
            let ordered = moves.entries.sorted { ($0.value.time, $0.dot) < ($1.value.time, $1.dot) }
            for entry in ordered {
                let node = entry.value.node ?? entry.dot
                if !isBelow(entry.value.parent, node) { parents[node] = entry.value.parent }
            }
            for (node, parent) in parents where isShown(node) { nodes[parent, default: []].append(node) }
            for parent in nodes.keys { nodes[parent]?.sort() }
        }

        /// Whether a place is in a node.
        private func isBelow(_ parent: Parent, _ node: Node) -> Bool {
            var parent = parent
            while case .node(let above) = parent {
                if above == node { return true }
                guard let next = parents[above] else { return false }
                parent = next
            }
            return false
        }

        /// Whether a node hangs at the top.
        private func isShown(_ node: Node) -> Bool {
            var parent = parents[node]
            while case .node(let above)? = parent { parent = parents[above] }
            return parent == .top
        }

        /// How many nodes there are. Complexity: O(parents).
        public var count: Int { nodes.values.reduce(0) { $0 + $1.count } }

        /// The nodes at the top, or under a node, in the order of their creation by each replica. Complexity: O(1).
        public func children(of node: Node?) -> [Node] { nodes[node.map { .node($0) } ?? .top] ?? [] }

        /// Whether a node is there, and not in the trash. Complexity: O(depth).
        public func contains(_ node: Node) -> Bool { isShown(node) }

        /// The node above; nil at the top, and for one that is not there. Complexity: O(depth).
        public func parent(of node: Node) -> Node? {
            guard isShown(node), case .node(let above)? = parents[node] else { return nil }
            return above
        }
    }
}

extension Tree.Move: CanonicalCodable {
    /// Appends the value in its one form; see <doc:Format>. Complexity: O(1).
    public func encode(into encoder: inout CanonicalEncoder) {
        encoder.encode(time)
        node.encode(into: &encoder)
        switch parent {
        case .top: encoder.encode(byte: 0)
        case .trash: encoder.encode(byte: 1)
        case .node(let node):
            encoder.encode(byte: 2)
            encoder.encode(node)
        }
    }

    /// Reads a value, and refuses every form but its only one; see <doc:Format>. Complexity: O(1).
    public init(from decoder: inout CanonicalDecoder) throws(DecodingFailure) {
        time = try decoder.decodeUInt64()
        node = try Dot?(from: &decoder)
        switch try decoder.decodeByte() {
        case 0: parent = .top
        case 1: parent = .trash
        case 2: parent = .node(try decoder.decodeDot())
        default: throw .notCanonical
        }
    }
}

extension Tree: CanonicalCodable {
    /// Appends the value in its one form; see <doc:Format>. Complexity: O(n).
    public func encode(into encoder: inout CanonicalEncoder) {
        encoder.encode(SequenceKind.tree)
        causal.encode(into: &encoder)
    }

    /// Reads a value, and refuses every form but its only one; see <doc:Format>.
    ///
    /// Complexity: O(size of the bytes read), with a bound on what they may ask for.
    public init(from decoder: inout CanonicalDecoder) throws(DecodingFailure) {
        try decoder.decode(SequenceKind.tree)
        self.init(try Causal(from: &decoder))
    }
}
