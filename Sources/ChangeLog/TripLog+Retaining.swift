import DeltaCRDT

extension TripLog {
    /// Derives what is retained, and its heads, from what counts. O(branches · log branches).
    func retention() -> (cut: CausalCut, heads: [Int]) {
        var last: [Int32: Int] = [:]
        for branch in graph.branches.indices.map({ Int32($0) }) {
            last[branch] = membership.lastEffective(of: branch, in: graph)
        }
        for index in membership.countingAfterFarewells {
            last[graph.branchOfChange[index]] = max(index, last[graph.branchOfChange[index]] ?? index)
        }
        return graph.closure(of: last)
    }

    /// What decides what is shown of the changes whose bodies are here.
    struct Shown {
        let membership: Membership
        let upheld: Set<Int>
        let retained: CausalCut

        init(_ log: TripLog) { (membership, upheld, retained) = (log.membership, log.bodies.upheld, log.retained) }

        /// Whether anything of a change is shown, and whether only because others act on it.
        fileprivate func state(of index: Int, in graph: ChangeGraph) -> (isShown: Bool, isUpheld: Bool) {
            let isUpheld = upheld.contains(index)
            return (isUpheld || membership.isEffective(index, in: graph), isUpheld)
        }
    }

    /// Whether something below an index is retained that was not. O(branches · log changes).
    func hasRegained(since before: Shown, before end: Int) -> Bool {
        guard before.retained != CausalCut(before: end) else { return false }
        return graph.branches.indices.contains { branch in
            lastRetained(of: Int32(branch), before: end).map { !graph.contains($0, in: before.retained) } ?? false
        }
    }

    /// What below an index is shown that was not, or no longer: indices, ascending. O(changes).
    func effectivenessChanged(since before: Shown, before end: Int) -> [Int] {
        let now = Shown(self)
        return (0..<end).filter { now.state(of: $0, in: graph) != before.state(of: $0, in: graph) }
    }
}
