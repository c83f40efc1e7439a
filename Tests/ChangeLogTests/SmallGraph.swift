import TripSimulation

@testable import ChangeLog

/// Few changes, with their pasts as bits.
struct SmallGraph: CausalOrder {
    struct SmallChange {
        let device: Int
        let past: UInt64
        let kind: RosterStatement.Kind?
    }

    var names = RosterNames()
    var changes: [SmallChange] = []

    func hasSeen(_ place: Int, by later: Int) -> Bool {
        place == later || changes[later].past >> UInt64(place) & 1 == 1
    }

    /// What is said, each after its past.
    var said: RosterIndex {
        RosterIndex(
            changes.enumerated().compactMap { place, change in
                change.kind.map { RosterStatement(place: place, author: change.device, kind: $0) }
            }, names, self)
    }

    /// The same changes, in another order of arrival in which each follows its past.
    func arriving(in order: [Int]) -> SmallGraph {
        var new = Array(repeating: 0, count: changes.count)
        for (place, old) in order.enumerated() { new[old] = place }
        var graph = SmallGraph(names: names)
        graph.changes = order.map { old in
            let change = changes[old]
            var past: UInt64 = 0
            for place in changes.indices where change.past >> UInt64(place) & 1 == 1 { past |= 1 << UInt64(new[place]) }
            var kind = change.kind
            if case .end(let device, let last?) = kind { kind = .end(device: device, last: new[last]) }
            if case .remove(let person, let kept?) = kind { kind = .remove(person: person, kept: kept.map { new[$0] }) }
            return SmallChange(device: change.device, past: past, kind: kind)
        }
        return graph
    }
}

extension SmallGraph: RosterHistory {
    var statements: [Int] { changes.indices.filter { changes[$0].kind != nil } }
    func device(of place: Int) -> Int? { changes[place].device }
    func kind(of place: Int) -> RosterStatement.Kind? { changes[place].kind }
    func last(of end: Int) -> Int? { if case .end(_, let last) = changes[end].kind { last } else { nil } }
    func kept(of removal: Int) -> [Int]? { if case .remove(_, let kept) = changes[removal].kind { kept } else { nil } }
    func isPast(_ place: Int, of later: Int) -> Bool { changes[later].past >> UInt64(place) & 1 == 1 }
    func arrival(of place: Int) -> Int { place }
    func previous(of place: Int) -> Int? {
        changes.indices.last { isPast($0, of: place) && changes[$0].device == changes[place].device }
    }
    func links(of place: Int) -> [Int] {
        let past = changes.indices.filter { isPast($0, of: place) }
        return past.filter { one in !past.contains { isPast(one, of: $0) } }
    }
}
