import DeltaCRDT

/// Fugue as its paper has it (Weidner, Gentle, Kleppmann, 2023, algorithm 1), one element at a time and without an index: a tree of
/// nodes, walked whole for every question. What the library's sequences are held against.
struct NaiveFugue<Element> {
    enum Side: Int { case left, right }

    struct Node {
        let dot: Dot
        let parent: Dot?
        let side: Side
        let element: Element
    }

    /// What an act inserts, and what it removes.
    struct Effect {
        var nodes: [Node] = []
        var removed: [Node] = []
    }

    private(set) var nodes: [Dot: Node] = [:]
    private(set) var removed: Set<Dot> = []
    private var children: [Dot?: [Side: [Dot]]] = [:]

    init() {}

    /// What some acts leave: a removal brings the places of what it removes.
    init(_ effects: [Effect]) {
        for effect in effects {
            for node in effect.nodes + effect.removed { add(node) }
            for node in effect.removed { remove(node.dot) }
        }
    }

    mutating func add(_ node: Node) {
        guard nodes.updateValue(node, forKey: node.dot) == nil else { return }
        var siblings = children[node.parent]?[node.side] ?? []
        siblings.insert(node.dot, at: siblings.firstIndex { node.dot < $0 } ?? siblings.count)
        children[node.parent, default: [:]][node.side] = siblings
    }

    mutating func remove(_ dot: Dot) { removed.insert(dot) }

    /// All nodes that hang together from the root on, in order.
    var all: [Dot] {
        var order: [Dot] = []
        // Nil where the node itself is next.
        var rest: [(dot: Dot?, isEntered: Bool)] = [(nil, false)]
        while let (dot, isEntered) = rest.popLast() {
            if isEntered {
                if let dot { order.append(dot) }
                for child in (children[dot]?[.right] ?? []).reversed() { rest.append((child, false)) }
            } else {
                rest.append((dot, true))
                for child in (children[dot]?[.left] ?? []).reversed() { rest.append((child, false)) }
            }
        }
        return order
    }

    /// Those that are not removed.
    var visible: [Dot] { all.filter { !removed.contains($0) } }

    var elements: [Element] { visible.compactMap { nodes[$0]?.element } }

    /// The node by which an element is inserted after so many visible ones.
    func node(_ element: Element, at index: Int, dot: Dot) -> Node {
        self.node(element, after: index == 0 ? nil : visible[index - 1], dot: dot)
    }

    /// The node by which an element is inserted behind another, removed or not; at the beginning where that is nil.
    func node(_ element: Element, after origin: Dot?, dot: Dot) -> Node {
        guard children[origin]?[.right]?.isEmpty ?? true else {
            let order = all
            let next = origin.flatMap { origin in order.firstIndex(of: origin).map { $0 + 1 } } ?? 0
            return Node(dot: dot, parent: order[next], side: .left, element: element)
        }
        return Node(dot: dot, parent: origin, side: .right, element: element)
    }
}
