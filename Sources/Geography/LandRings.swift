import TripPage

/// Puts the land of many bins together: where two bins meet in land, the sides that both have vanish, and what is left
/// are the rings of whole coasts.
struct LandRings {
    /// A corner of what is put together, in whole steps of a file's grid: neighbours name it alike.
    struct Node: Hashable {
        let east, north: Int32
    }

    /// Points from one node to another, with land on the left; of two nodes on a bin's side, what lies between them.
    struct Arc {
        let from, to: Node
        let points: [Land.Point]
    }

    private struct Edge: Hashable {
        let from, to: Node
    }

    private var sides: [Edge: Arc] = [:]
    private var rest: [Arc] = []

    /// A piece of a bin's side: vanishes together with the same piece the other way.
    mutating func add(side arc: Arc) {
        let edge = Edge(from: arc.from, to: arc.to)
        if sides.removeValue(forKey: Edge(from: arc.to, to: arc.from)) != nil { return }
        if let twin = sides.updateValue(arc, forKey: edge) { rest.append(twin) }
    }

    mutating func add(shore arc: Arc) { rest.append(arc) }

    /// The arcs as rings, each arc in one of them. Which of those that leave a node goes on a ring does not matter: an
    /// even-odd filling is the same.
    var rings: [[Land.Point]] {
        let ordered = sides.values.sorted {
            ($0.from.north, $0.from.east, $0.to.north, $0.to.east) < (
                $1.from.north, $1.from.east, $1.to.north, $1.to.east
            )
        }
        let arcs = rest + ordered
        var leaving: [Node: [Int]] = [:]
        for index in arcs.indices { leaving[arcs[index].from, default: []].append(index) }
        var isUsed = [Bool](repeating: false, count: arcs.count)
        var rings: [[Land.Point]] = []
        for first in arcs.indices where !isUsed[first] {
            var ring: [Land.Point] = []
            var current = first
            while !isUsed[current] {
                isUsed[current] = true
                ring += arcs[current].points.dropLast()
                while let next = leaving[arcs[current].to]?.last, isUsed[next] {
                    leaving[arcs[current].to]?.removeLast()
                }
                guard let next = leaving[arcs[current].to]?.last else { break }
                current = next
            }
            rings.append(ring)
        }
        return rings
    }
}
