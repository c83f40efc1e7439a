/// Finds what somebody may have meant who mistyped a name.
package enum NearNames {
    /// The longest name that is compared, in characters of Unicode.
    static let lengthMax = 64
    /// The most candidates that are looked at.
    static let candidatesMax = 10_000

    /// The index of the candidate that a name is nearest to: one that differs in case alone, or the first that begins with it, for
    /// nobody mistypes a whole beginning. Else the fewest letters put in, left out, exchanged or swapped with their neighbour, a few at most for its
    /// length, whatever their case and whatever shows nothing. Of several that are as near, the first that has all its letters
    /// in their order: letters are left out more often than exchanged. Nil where none is near.
    /// Complexity: O(candidates · length²).
    package static func nearest(to name: String, among candidates: some Sequence<String>) -> Int? {
        let wanted = letters(of: name)
        guard (1...lengthMax).contains(wanted.count) else { return nil }
        let distanceMax = wanted.count < 3 ? 0 : min(3, 1 + wanted.count / 5)
        var begun: Int?
        var best: (index: Int, distance: Int, isComplete: Bool)?
        for (index, candidate) in candidates.prefix(candidatesMax).enumerated() {
            let letters = letters(of: candidate)
            if letters == wanted { return index }
            if begun == nil, wanted.count >= 3, letters.starts(with: wanted) { begun = index }
            guard begun == nil else { continue }
            let farthest = min(distanceMax, best?.distance ?? .max)
            if letters.count <= lengthMax, abs(letters.count - wanted.count) <= farthest {
                let distance = distance(wanted, letters)
                let isComplete = hasAll(of: wanted, letters)
                let isNearer = best.map { distance < $0.distance || isComplete && !$0.isComplete } ?? true
                if distance <= farthest, isNearer { best = (index, distance, isComplete) }
            }
        }
        return begun ?? best?.index
    }

    /// Whether a name has all letters of another one, in their order.
    private static func hasAll(of typed: [Unicode.Scalar], _ letters: [Unicode.Scalar]) -> Bool {
        var rest = typed[...]
        for letter in letters where letter == rest.first { rest.removeFirst() }
        return rest.isEmpty
    }

    private static func letters(of name: String) -> [Unicode.Scalar] {
        Array(name.caselessAppearance.unicodeScalars.prefix(lengthMax + 1))
    }

    /// The candidate that a name is nearest to; nil where none is near.
    package static func nearest(_ name: String, among candidates: [String]) -> String? {
        nearest(to: name, among: candidates).map { candidates[$0] }
    }

    /// The optimal string alignment distance: Levenshtein's, with swaps of neighbours.
    private static func distance(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar]) -> Int {
        var beforeLast: [Int] = []
        var last = Array(0...right.count)
        for row in 1...left.count {
            var current = [row]
            for column in stride(from: 1, through: right.count, by: 1) {
                let isSame = left[row - 1] == right[column - 1]
                var cost = min(current[column - 1] + 1, last[column] + 1, last[column - 1] + (isSame ? 0 : 1))
                if row > 1, column > 1, left[row - 1] == right[column - 2], left[row - 2] == right[column - 1] {
                    cost = min(cost, beforeLast[column - 2] + 1)
                }
                current.append(cost)
            }
            (beforeLast, last) = (last, current)
        }
        return last[right.count]
    }
}
