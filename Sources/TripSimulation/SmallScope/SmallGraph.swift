package import ChangeLog
package import DeltaCRDT

/// At most 64 changes, with their pasts as bits.
package struct SmallGraph: StatementOrder {
    package struct SmallChange {
        package let device: Int
        package let past: UInt64
        package let kind: RosterStatement.Kind?

        package init(device: Int, past: UInt64, kind: RosterStatement.Kind?) {
            self.device = device
            self.past = past
            self.kind = kind
        }
    }

    package var names = RosterNames()
    package var changes: [SmallChange] = []

    package init(names: RosterNames = RosterNames()) { self.names = names }

    package func hasSeen(_ place: Int, by later: Int) -> Bool {
        place == later || changes[later].past >> UInt64(place) & 1 == 1
    }

    /// Each change is a branch.
    package func branch(of place: Int) -> Int32 { Int32(place) }

    package func past(of place: Int) -> CausalCut {
        var past = CausalCut()
        for earlier in changes.indices where isPast(earlier, of: place) {
            past.extend(to: earlier, ofBranch: branch(of: earlier))
        }
        return past
    }

    /// What is said, each after its past.
    package var said: RosterIndex {
        RosterIndex(
            changes.enumerated().compactMap { place, change in
                change.kind.map { RosterStatement(place: place, author: change.device, kind: $0) }
            }, names, self)
    }

    /// The same changes, in another order of arrival in which each follows its past.
    package func arriving(in order: [Int]) -> SmallGraph {
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
    package var statements: [Int] { changes.indices.filter { changes[$0].kind != nil } }
    package func device(of place: Int) -> Int? { changes[place].device }
    package func kind(of place: Int) -> RosterStatement.Kind? { changes[place].kind }
    package func last(of end: Int) -> Int? { if case .end(_, let last) = changes[end].kind { last } else { nil } }
    package func kept(of removal: Int) -> [Int]? {
        if case .remove(_, let kept) = changes[removal].kind { kept } else { nil }
    }
    package func isPast(_ place: Int, of later: Int) -> Bool { changes[later].past >> UInt64(place) & 1 == 1 }
    package func arrival(of place: Int) -> Int { place }
    package func previous(of place: Int) -> Int? {
        changes.indices.last { isPast($0, of: place) && changes[$0].device == changes[place].device }
    }
    package func links(of place: Int) -> [Int] {
        let past = changes.indices.filter { isPast($0, of: place) }
        return past.filter { one in !past.contains { isPast(one, of: $0) } }
    }
}
