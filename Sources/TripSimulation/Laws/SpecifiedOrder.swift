import Convergence
import DeltaCRDT

/// Where items stand in lists by what people did, for those who hold some changes: each placement is beside another, so what
/// one person puts there hangs together.
struct SpecifiedOrder {
    typealias Name = TripSpecification.Name
    typealias Deed = TripSpecification.Deed
    typealias Position = TripSpecification.Position

    struct Node {
        let deed: Deed
        let item: Name
        let position: Position
    }

    let held: EventSet
    /// Of these, those that made what others act on, and do nothing else.
    let upheld: EventSet
    private var nodes: [Deed.ID: Node] = [:]
    /// Which of its placements an item has last.
    private var last: [Name: Node] = [:]
    private var children: [Child: [Node]] = [:]

    private struct Child: Hashable {
        let list: Name?
        let anchor: Deed.ID?
    }

    init(_ specification: TripSpecification, _ held: EventSet, upheld: EventSet = EventSet()) {
        self.held = held
        self.upheld = upheld
        for deed in specification.placements(held) {
            switch deed.kind {
            case .makeItem(let item, let position):
                // In no list, behind what is there.
                let none = Position(list: nil, anchor: nil)
                take(Node(deed: deed, item: item, position: position.flatMap(known) ?? none))
            case .place(let item, let position):
                guard held.contains(item.change), let position = known(position) else { break }
                take(Node(deed: deed, item: item, position: position))
            default: break
            }
        }
        for node in nodes.values.sorted(by: { $1.deed.isHigher(than: $0.deed) }) {
            children[Child(list: node.position.list, anchor: node.position.anchor), default: []].append(node)
        }
    }

    /// Nothing is put into a list that is not there for those who hold these changes; beside something that is not there it
    /// stands at the top.
    private func known(_ position: Position) -> Position? {
        if let list = position.list, !held.contains(list.change) { return nil }
        var known = position
        if let anchor = position.anchor, nodes[anchor].map({ $0.position.list == position.list }) != true {
            known.anchor = nil
        }
        return known
    }

    private mutating func take(_ node: Node) {
        nodes[node.deed.id] = node
        if let other = last[node.item], other.deed.isHigher(than: node.deed) { return }
        last[node.item] = node
    }

    /// What an operation put somewhere; nil where it has no effect.
    func node(_ id: Deed.ID) -> Node? { nodes[id] }

    func last(of item: Name) -> Node? { last[item] }

    /// All that was ever put into a list, from left to right.
    func sequence(of list: Name?) -> [Node] {
        func walk(_ anchor: Deed.ID?) -> [Node] {
            let around = children[Child(list: list, anchor: anchor)] ?? []
            guard let anchor, let node = nodes[anchor] else { return around.flatMap { walk($0.deed.id) } }
            return around.filter(\.position.isBefore).flatMap { walk($0.deed.id) } + [node]
                + around.filter { !$0.position.isBefore }.flatMap { walk($0.deed.id) }
        }
        return walk(nil)
    }

    func isLast(_ node: Node) -> Bool { last[node.item]?.deed.id == node.deed.id }
}
