/// In which order the items of lists stand: trees in the manner of Fugue (Weidner and Kleppmann: *The Art of the Fugue:
/// Minimizing Interleaving in Collaborative Text Editing*, 2023).
///
/// Every operation that puts an item into a list is a node, on one side of the node that it was put beside. Nodes stay when
/// their items move on, as places to hold on to. Read from left to right, what two people put to one place at the same time
/// stands in two blocks, for each block hangs together. Each list has a tree of its own, and so has what is in no list:
/// there an item that was added with no position is a node by its making, behind all that were made before.
struct ListOrder: Hashable, Sendable {
    struct Node: Hashable, Sendable {
        let id: LoggedOperation
        /// The item that it puts there.
        let item: ItemID
        let list: OperationID?
        let anchor: OperationID?
        let side: Position.Side

        var operation: OperationID { id.operation }
    }

    /// All but those of items that were added with no position.
    private(set) var nodes: [OperationID: Node] = [:]
    /// Whether anything in no list was put beside something else.
    private(set) var reordersUnlisted = false

    subscript(operation: OperationID) -> Node? { nodes[operation] }

    mutating func insert(_ node: Node) {
        nodes[node.operation] = node
        if node.list == nil { reordersUnlisted = true }
    }

    /// The nodes of a list from left to right, and what each is put beside; more where their items have moved on.
    ///
    /// Complexity: O(n log n) in all nodes, and in all items for what is in no list.
    /// - Parameter items: the items that were added with no position, for what is in no list.
    func sequence(of list: OperationID?, unplaced items: some Sequence<ItemState>) -> [Node] {
        var members = nodes.values.filter { $0.list == list }
        if list == nil {
            for item in items where nodes[item.id.operation] == nil {
                members.append(Node(id: item.origin, item: item.id, list: nil, anchor: nil, side: .behind))
            }
        }
        return Self.walk(members)
    }

    /// The nodes of each list from left to right. Complexity: O(n log n) in all nodes.
    var sequences: [OperationID: [Node]] {
        var members: [OperationID: [Node]] = [:]
        for node in nodes.values { if let list = node.list { members[list, default: []].append(node) } }
        return members.mapValues(Self.walk)
    }

    /// In order: what is before a node, the node, what is behind it; siblings by stamp. With a stack of its own, for a chain
    /// may be long.
    private static func walk(_ nodes: [Node]) -> [Node] {
        var children: [OperationID?: [Node]] = [:]
        for node in nodes.sorted(by: { $0.id < $1.id }) {
            children[node.anchor, default: []].append(node)
        }
        enum Step {
            case subtree(Node)
            case node(Node)
        }
        var sequence: [Node] = []
        var stack = (children[nil] ?? []).reversed().map(Step.subtree)
        while let step = stack.popLast() {
            switch step {
            case .node(let node): sequence.append(node)
            case .subtree(let node):
                let around = children[node.operation] ?? []
                stack += around.filter { $0.side == .behind }.reversed().map(Step.subtree)
                stack.append(.node(node))
                stack += around.filter { $0.side == .before }.reversed().map(Step.subtree)
            }
        }
        return sequence
    }

    /// Where to put something so that it stands directly before or behind a node of a sequence.
    ///
    /// As Fugue has it: behind a node that has nothing behind it, it hangs there; else before the next one.
    static func position(
        _ side: Position.Side, of place: Int, in sequence: [Node], list: OperationReference?
    ) -> Position {
        let node = sequence[place]
        switch side {
        case .behind:
            guard place + 1 < sequence.count,
                sequence.contains(where: { $0.anchor == node.operation && $0.side == .behind })
            else { return Position(list: list, anchor: .there(node.operation), side: .behind) }
            return Position(list: list, anchor: .there(sequence[place + 1].operation), side: .before)
        case .before:
            guard place > 0, sequence.contains(where: { $0.anchor == node.operation && $0.side == .before }) else {
                return Position(list: list, anchor: .there(node.operation), side: .before)
            }
            return Position(list: list, anchor: .there(sequence[place - 1].operation), side: .behind)
        }
    }
}
