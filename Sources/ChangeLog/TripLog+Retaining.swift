import DeltaCRDT

extension TripLog {
    /// Derives what is retained, and its heads, from what counts and the bodies that are absent. O(branches · log branches), and for each
    /// branch with such a body O(branches · log changes).
    func retention() -> (cut: CausalCut, heads: [Int]) {
        var last: [Int32: Int] = [:]
        for branch in graph.branches.indices.map({ Int32($0) }) {
            last[branch] = membership.lastEffective(of: branch, in: graph)
        }
        for place in membership.countingAfterFarewells {
            last[graph.branchOfPlace[place]] = max(place, last[graph.branchOfPlace[place]] ?? place)
        }
        let counting = graph.closure(of: last)
        guard !bodies.lacking.isEmpty else { return counting }
        let lacking = Dictionary(grouping: bodies.lacking) { graph.branchOfPlace[$0] }.compactMap { $1.min() }
        for (index, branch) in graph.branches.enumerated() {
            guard let end = graph.last(of: Int32(index), in: counting.cut) else { continue }
            let below = lacking.filter { graph.isPast($0, of: end) }
            let count = branch.places.partitioningIndex { place in
                place > end || below.contains { graph.isPast($0, of: Int(place)) }
            }
            last[Int32(index)] = count > 0 ? Int(branch.places[count - 1]) : nil
        }
        return graph.closure(of: last)
    }

    /// What is shown of what is upheld: others may not hold a change that stands on a body which is absent, so what it upholds is not shown.
    /// O(changes and their subjects) while a body is lacking.
    func upheldByRetained() -> Set<Int> {
        guard !bodies.lacking.isEmpty else { return bodies.upheld }
        let upholding = graph.changes.indices.filter { isEffective($0) && isRetained($0) }
        return Set(upholding.flatMap { graph[$0].change.subjects }.compactMap { graph.place(of: $0) })
            .intersection(bodies.upheld)
    }

    /// What decides what is shown.
    struct Shown {
        let membership: Membership
        let bodies: Bodies
        let upheld: Set<Int>
        let retained: CausalCut

        init(_ log: TripLog) {
            (membership, bodies, upheld, retained) = (log.membership, log.bodies, log.shownUpheld, log.retained)
        }

        /// Whether anything of a change is shown, and whether only because others act on it.
        fileprivate func state(of place: Int, in graph: ChangeGraph) -> (isShown: Bool, isUpheld: Bool) {
            let isUpheld = upheld.contains(place)
            let isShown =
                (isUpheld || membership.isEffective(place, in: graph)) && graph.contains(place, in: retained)
            return (isShown, isUpheld)
        }
    }

    /// Whether something below a place is retained that was not. O(branches · log changes).
    func hasRegained(since before: Shown, before end: Int) -> Bool {
        guard before.retained != CausalCut(before: end) else { return false }
        return graph.branches.indices.contains { branch in
            lastRetained(of: Int32(branch), before: end).map { !graph.contains($0, in: before.retained) } ?? false
        }
    }

    /// What below a place is shown that was not, or no longer: places, ascending. O(changes).
    func turned(since before: Shown, before end: Int) -> [Int] {
        let now = Shown(self)
        return (0..<end).filter { now.state(of: $0, in: graph) != before.state(of: $0, in: graph) }
    }
}
