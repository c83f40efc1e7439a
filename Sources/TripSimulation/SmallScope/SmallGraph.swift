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

    package func hasSeen(_ index: Int, by later: Int) -> Bool {
        index == later || changes[later].past >> UInt64(index) & 1 == 1
    }

    /// Each change is a branch.
    package func branch(of index: Int) -> Int32 { Int32(index) }

    package func past(of index: Int) -> CausalCut {
        var past = CausalCut()
        for earlier in changes.indices where isPast(earlier, of: index) {
            past.extend(to: earlier, ofBranch: branch(of: earlier))
        }
        return past
    }

    /// What is said, each after its past.
    package var said: RosterIndex {
        RosterIndex(
            changes.enumerated().compactMap { index, change in
                change.kind.map { RosterStatement(index: index, author: change.device, kind: $0) }
            }, names, self)
    }

    /// The same changes, in another order of arrival in which each follows its past.
    package func arriving(in order: [Int]) -> SmallGraph {
        var new = Array(repeating: 0, count: changes.count)
        for (index, old) in order.enumerated() { new[old] = index }
        var graph = SmallGraph(names: names)
        graph.changes = order.map { old in
            let change = changes[old]
            var past: UInt64 = 0
            for index in changes.indices where change.past >> UInt64(index) & 1 == 1 { past |= 1 << UInt64(new[index]) }
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
    package func device(of index: Int) -> Int? { changes[index].device }
    package func kind(of index: Int) -> RosterStatement.Kind? { changes[index].kind }
    package func last(of end: Int) -> Int? { if case .end(_, let last) = changes[end].kind { last } else { nil } }
    package func kept(of removal: Int) -> [Int]? {
        if case .remove(_, let kept) = changes[removal].kind { kept } else { nil }
    }
    package func isPast(_ index: Int, of later: Int) -> Bool { changes[later].past >> UInt64(index) & 1 == 1 }
    package func arrival(of index: Int) -> Int { index }
    package func previous(of index: Int) -> Int? {
        changes.indices.last { isPast($0, of: index) && changes[$0].device == changes[index].device }
    }
    package func links(of index: Int) -> [Int] {
        let past = changes.indices.filter { isPast($0, of: index) }
        return past.filter { one in !past.contains { isPast(one, of: $0) } }
    }
}
