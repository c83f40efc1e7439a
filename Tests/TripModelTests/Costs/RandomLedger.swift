import TripFixtures

@testable import TripModel

/// Random costs among a few people, in any split and in several currencies.
struct RandomLedger {
    let costs: [Cost]

    private static let currencies = ["EUR", "EUR", "EUR", "CHF", "JPY", "KWD", "CLF"].compactMap(Currency.init(code:))

    /// - Parameter people: at least 2.
    init(people: Int, using generator: inout SeededGenerator) {
        let group = (0..<people).map { _ in ParticipantID(high: generator.next(), low: generator.next()) }
        costs = (0...generator.below(12)).compactMap { _ in Self.cost(among: group, using: &generator) }
    }

    private static func cost(among group: [ParticipantID], using generator: inout SeededGenerator) -> Cost? {
        let currency = generator.pick(currencies)
        // Mostly small, so that balances cancel by chance; now and then the greatest.
        let most = generator.pick([9, 40, 40, 1_000, 100_000, Int(Limits.moneyMax)])
        let amount = Int64(1 + generator.below(most))
        var rate: ExchangeRate?
        if currency.code != "EUR", generator.below(2) == 0 {
            let digits = "\(generator.below(300)).\(1 + generator.below(99_999_999))"
            rate = Currency(code: "EUR").flatMap { ExchangeRate(digits, to: $0) }
        }
        if generator.below(6) == 0 {
            return try? Cost(payment: Money(amount, currency), from: generator.pick(group), to: generator.pick(group))
        }
        let (payers, sharers) = (some(of: group, using: &generator), some(of: group, using: &generator))
        let way = generator.pick(Cost.Way.allCases)
        let shares: [Share]
        switch way {
        case .equally: shares = sharers.map { Share($0, 1) }
        case .parts: shares = sharers.map { Share($0, Int64(1 + generator.below(9))) }
        case .exactly: shares = divided(amount, among: sharers, using: &generator)
        case .percent: shares = divided(Cost.wholePercent, among: sharers, using: &generator)
        }
        return try? Cost(
            Money(amount, currency), rate: rate,
            payers: divided(amount, among: generator.below(3) == 0 ? payers : [payers[0]], using: &generator), way,
            shares)
    }

    private static func some(of group: [ParticipantID], using generator: inout SeededGenerator) -> [ParticipantID] {
        let some = group.filter { _ in generator.below(3) > 0 }
        return some.isEmpty ? [generator.pick(group)] : some
    }

    /// An amount in random parts, none of them 0. If nothing is left for a person, they have no part.
    private static func divided(
        _ amount: Int64, among people: [ParticipantID], using generator: inout SeededGenerator
    ) -> [Share] {
        var (rest, shares) = (amount, [Share]())
        for person in people.dropLast() where rest > 1 {
            let part = Int64(1 + generator.below(Int(rest - 1)))
            shares.append(Share(person, part))
            rest -= part
        }
        return shares + [Share(people[people.count - 1], rest)]
    }

    var ledger: Ledger {
        costs.reduce(into: Ledger()) { $0.count($1) }
    }
}
