/// A person and a number: what they paid, or how much of a cost is theirs.
package struct Share: Hashable, Sendable {
    package let person: ParticipantID
    package let number: Int64

    package init(_ person: ParticipantID, _ number: Int64) {
        self.person = person
        self.number = number
    }

    /// Divides an amount in proportion to weights, without a remainder.
    ///
    /// Each person gets the whole part of their exact share. The units that are left go to the largest remainders, one
    /// each, and among equal remainders to the lowest participant ids (Hamilton's method). O(n log n).
    /// - Parameters:
    ///   - amount: from 0 to `Limits.moneyMax`.
    ///   - weights: ascending by person, each person once, each from 1 to `Limits.moneyMax`.
    package static func dividing(_ amount: Int64, by weights: [Share]) -> [Share] {
        let sum = weights.reduce(Int128(0)) { $0 + Int128($1.number) }
        guard sum > 0 else { return [] }
        let exact = weights.map { Int128(amount) * Int128($0.number) }
        var numbers = exact.map { Int64(clamping: $0 / sum) }
        let left = Int(amount - numbers.reduce(0, +))
        let byRemainder = weights.indices.sorted { (exact[$1] % sum, $0) < (exact[$0] % sum, $1) }
        for place in byRemainder.prefix(left) { numbers[place] += 1 }
        return zip(weights, numbers).map { Share($0.person, $1) }
    }
}
