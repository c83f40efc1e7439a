/// What something cost, who paid, and whose it is: the value of an item's field `cost`, and of its field `payment`.
///
/// Amount, payers and shares are one value, because each makes sense only with the others. Two versions of it that were
/// written at the same moment stand beside each other, like those of any field.
package struct Cost: Hashable, Sendable {
    /// How a cost is shared out. The raw value is its word in payloads and never changes.
    package enum Way: String, CaseIterable, Codable, Hashable, Sendable {
        case equally
        /// Each share is a number of equal parts.
        case parts
        /// Each share is an amount in minor units.
        case exactly
        /// Each share is hundredths of a percent.
        case percent
    }

    /// What was paid, in the currency in which it was paid.
    package let amount: Money
    /// The rate to the currency in which it counts; nil if it counts in its own.
    package let rate: ExchangeRate?
    /// What each payer paid, ascending by person.
    package let payers: [Share]
    package let way: Way
    /// Ascending by person. Of an equal split, each number is 1.
    package let shares: [Share]
    /// The amount in the currency in which it counts.
    package let counted: Money

    /// - Throws: `TripError` if the payers did not pay the amount, the shares do not add up, or a bound is exceeded.
    package init(
        _ amount: Money, rate: ExchangeRate? = nil, payers: [Share], _ way: Way, _ shares: [Share]
    ) throws(TripError) {
        guard (1...Limits.moneyMax).contains(amount.minorUnits) else {
            throw TripError(
                .outOfRange,
                "the amount is not between 1 and \(Limits.moneyMax) of its smallest unit; write another amount")
        }
        guard rate?.currency != amount.currency else {
            throw TripError(
                .malformedValue,
                "the amount is already in \(amount.currency.code), so it needs no rate; leave the rate out")
        }
        let counted = rate.map { $0.converted(amount) } ?? amount
        guard let counted else {
            throw TripError(.outOfRange, "the rate gives an amount that is too small or too large; write another rate")
        }
        self.amount = amount
        self.rate = rate
        self.counted = counted
        self.way = way
        self.payers = try Self.sorted(payers, "payer")
        self.shares = try Self.sorted(shares, "sharer")
        guard try Self.sum(self.payers, atMost: Limits.moneyMax) == amount.minorUnits else {
            throw TripError(
                .malformedValue, "what the payers paid does not add up to \(amount.words); correct an amount")
        }
        switch way {
        case .equally:
            guard shares.allSatisfy({ $0.number == 1 }) else {
                throw TripError(.malformedValue, "the shares of an equal split are equal; use parts")
            }
        case .parts: _ = try Self.sum(self.shares, atMost: Limits.partsMax)
        case .exactly:
            guard try Self.sum(self.shares, atMost: Limits.moneyMax) == amount.minorUnits else {
                throw TripError(.malformedValue, "the shares do not add up to \(amount.words); correct an amount")
            }
        case .percent:
            guard try Self.sum(self.shares, atMost: Self.wholePercent) == Self.wholePercent else {
                throw TripError(.malformedValue, "the percentages do not add up to 100; correct one")
            }
        }
    }

    /// A payment between two people.
    package init(payment amount: Money, from payer: ParticipantID, to receiver: ParticipantID) throws(TripError) {
        guard payer != receiver else {
            throw TripError(.malformedValue, "a payment is between two people; name another person")
        }
        try self.init(
            amount, payers: [Share(payer, amount.minorUnits)], .exactly, [Share(receiver, amount.minorUnits)])
    }

    /// The two people, if it is a payment from one person to another.
    package var payment: (from: ParticipantID, to: ParticipantID)? {
        guard payers.count == 1, shares.count == 1, way == .exactly, payers[0].person != shares[0].person else {
            return nil
        }
        return (payers[0].person, shares[0].person)
    }

    /// 100 %.
    package static let wholePercent: Int64 = 10_000

    /// What each payer paid, in the currency in which it counts. The sum is `counted`.
    package var paid: [Share] { Share.dividing(counted.minorUnits, by: payers) }

    /// What each sharer owes, in the currency in which it counts. The sum is `counted`.
    package var owed: [Share] { Share.dividing(counted.minorUnits, by: shares) }

    /// The people of the shares, ascending, each once.
    private static func sorted(_ shares: [Share], _ what: String) throws(TripError) -> [Share] {
        guard !shares.isEmpty else { throw TripError(.malformedValue, "the expense has no \(what); name one") }
        guard shares.count <= Limits.sharersMax else {
            throw TripError(.tooMuchAtOnce, "a cost has at most \(Limits.sharersMax) people; split it")
        }
        let sorted = shares.sorted { $0.person < $1.person }
        for (one, next) in zip(sorted, sorted.dropFirst()) where one.person == next.person {
            throw TripError(.malformedValue, "a person is a \(what) twice; name each once")
        }
        return sorted
    }

    private static func sum(_ shares: [Share], atMost limit: Int64) throws(TripError) -> Int64 {
        for share in shares where !(1...limit).contains(share.number) {
            throw TripError(.outOfRange, "a share is not between 1 and \(limit); write another number")
        }
        return shares.reduce(0) { $0 + $1.number }
    }
}

extension Cost.Way {
    /// As people read it.
    package var words: String {
        switch self {
        case .equally: "split equally"
        case .parts: "split by parts"
        case .exactly: "split by amounts"
        case .percent: "split by percent"
        }
    }
}
