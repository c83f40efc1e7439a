import DeltaCRDT

extension TripLog {
    /// Whether a log that has changed checks itself, in builds with `CHECK_INVARIANTS`: while it has at most 32 changes, and
    /// each time their number reaches or passes a power of two. So the checks cost a bounded amount for each change.
    func isCheckDue(grownFrom count: Int) -> Bool {
        graph.count <= 32 || graph.count.leadingZeroBitCount < count.leadingZeroBitCount
    }

    /// Traps where what was derived step by step is not what follows from the whole. O(changes · branches).
    package func checkInvariants() {
        graph.checkInvariants()
        facts.checkInvariants()
        membership.checkInvariants(facts, graph)
        epochs.checkInvariants(membership, graph)
        var whole = Bodies()
        whole.derive(membership, graph)
        precondition(whole == bodies, "the bodies that are needed do not follow from the whole")
        bodies.checkInvariants()
        let retention = retention()
        precondition(retention.heads == heads, "the heads are \(heads), and not \(retention.heads)")
        for person in membership.persons.values where person.isOut {
            let departure = departure(of: person.id)
            precondition(
                departure != nil && (departure?.waitsFor != nil) == (person.state == .waits),
                "nothing says why \(person.id) is out: \(person.state)")
        }
        for index in graph.changes.indices {
            precondition(
                isRetained(index) == graph.contains(index, in: retention.cut),
                "what is retained at index \(index) does not follow from the whole")
            guard isRetained(index) else {
                precondition(!isEffective(index), "index \(index) counts, and is not retained")
                continue
            }
            for link in graph[index].change.links {
                precondition(
                    graph.index(of: link).map(isRetained) ?? false, "the past of index \(index) is not retained")
            }
        }
    }
}
