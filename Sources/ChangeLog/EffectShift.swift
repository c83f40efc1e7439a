/// What one more change, or several, did to whether those are effective that were here before: places, ascending.
package struct EffectShift: Hashable, Sendable {
    /// Of branches that waited and are effective now. Nothing that was effective stands on them: they are shown as what comes.
    package private(set) var takenIn: [Int] = []
    /// Effective and were not, or no longer: what people see of them is shown anew.
    package private(set) var turned: [Int] = []

    package var isEmpty: Bool { takenIn.isEmpty && turned.isEmpty }

    /// Adds what followed from another change. O(n log n).
    mutating func formUnion(_ other: EffectShift) {
        if other.isEmpty { return }
        takenIn = Self.union(takenIn, other.takenIn)
        turned = Self.union(turned, other.turned)
    }

    mutating func take(in places: [Int]) { takenIn = Self.union(takenIn, places) }

    mutating func turn(_ places: [Int]) { turned = Self.union(turned, places) }

    /// What was here before a place.
    func before(_ place: Int) -> EffectShift {
        var shift = EffectShift()
        shift.takenIn = takenIn.filter { $0 < place }
        shift.turned = turned.filter { $0 < place }
        return shift
    }

    private static func union(_ left: [Int], _ right: [Int]) -> [Int] {
        // As with nearly every change.
        if right.isEmpty { return left }
        if left.isEmpty { return right.sorted() }
        return Set(left).union(right).sorted()
    }
}
