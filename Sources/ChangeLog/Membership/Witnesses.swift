import DeltaCRDT

/// Changes that each attest one fact: a set of changes that is closed under pasts attests it where it holds any of them.
struct Witnesses: Sendable {
    /// By place; none of them has another in its past.
    private(set) var places: [Int] = []

    /// Adds the change that comes next. O(those that are kept · log branches).
    mutating func add(_ place: Int, in graph: ChangeGraph) {
        if !places.contains(where: { graph.isPast($0, of: place) }) { places.append(place) }
    }

    /// Whether a set of changes, closed under pasts, holds one. O(those that are kept · log branches).
    func isHeld(in cut: CausalCut, of graph: ChangeGraph) -> Bool {
        places.contains { graph.contains($0, in: cut) }
    }

    /// Traps where one has another in its past. For tests.
    func checkInvariants(_ graph: ChangeGraph) {
        for (index, place) in places.enumerated() {
            precondition(!places[..<index].contains { graph.isPast($0, of: place) }, "none stands on another")
        }
    }
}
