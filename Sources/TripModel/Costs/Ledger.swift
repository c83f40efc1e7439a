/// What each person is owed or owes, by the currency in which costs count. In each currency, the balances sum to zero.
package struct Ledger: Hashable, Sendable {
    private var numbers: [Currency: [ParticipantID: Int64]] = [:]
    private var count = 0

    package init() {}

    /// Takes a cost: payers are owed what they paid, sharers owe their share. O(people of the cost).
    ///
    /// Nothing can overflow: beyond `Limits.costsCounted`, a cost is not counted.
    package mutating func count(_ cost: Cost) {
        guard count < Limits.costsCounted else { return }
        count += 1
        for share in cost.paid {
            numbers[cost.counted.currency, default: [:]][share.person, default: 0] += share.number
        }
        for share in cost.owed {
            numbers[cost.counted.currency, default: [:]][share.person, default: 0] -= share.number
        }
    }

    /// Ascending by code.
    package var currencies: [Currency] { numbers.keys.sorted() }

    /// What each person is owed, below 0 if they owe; ascending by person, without those who are even.
    package func balances(in currency: Currency) -> [Share] {
        (numbers[currency] ?? [:]).filter { $0.value != 0 }.map { Share($0.key, $0.value) }
            .sorted { $0.person < $1.person }
    }
}
