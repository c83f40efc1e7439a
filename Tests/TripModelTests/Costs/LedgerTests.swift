import Foundation
import TestTiers
import Testing
import TripFixtures

@testable import TripModel

/// Balances and payments that settle them, over random ledgers.
@Suite struct LedgerTests {
    /// As many transfers as any way to settle needs: n people, less the most groups that each sum to zero, by trying all.
    private static func fewest(_ numbers: [Int64]) -> Int {
        func groups(_ rest: [Int64]) -> Int {
            guard let first = rest.first else { return 0 }
            let others = Array(rest.dropFirst())
            return (0..<(1 << others.count)).reduce(Int.min / 2) { most, set in
                let (own, left) = (
                    others.indices.filter { set & (1 << $0) != 0 }, others.indices.filter { set & (1 << $0) == 0 }
                )
                guard own.reduce(first, { $0 + others[$1] }) == 0 else { return most }
                return max(most, 1 + groups(left.map { others[$0] }))
            }
        }
        return numbers.count - groups(numbers)
    }

    private func settled(_ balances: [Share], _ transfers: [Transfer]) -> [Int64] {
        var left = Dictionary(uniqueKeysWithValues: balances.map { ($0.person, $0.number) })
        for transfer in transfers {
            #expect(transfer.minorUnits > 0 && transfer.from != transfer.to)
            left[transfer.from, default: 0] += transfer.minorUnits
            left[transfer.to, default: 0] -= transfer.minorUnits
        }
        return left.values.filter { $0 != 0 }
    }

    @Test("balances sum to zero in each currency, and the fewest payments settle them")
    func laws() {
        var generator = SeededGenerator(seed: 34)
        for _ in 0..<300 {
            let ledger = RandomLedger(people: 2 + generator.below(5), using: &generator).ledger
            for currency in ledger.currencies {
                let balances = ledger.balances(in: currency)
                #expect(balances.reduce(0) { $0 + $1.number } == 0)
                let transfers = Settlement.transfers(settling: balances)
                #expect(settled(balances, transfers) == [])
                #expect(transfers.count == Self.fewest(balances.map(\.number)))
            }
        }
    }

    @Test("more than twelve people settle with fewer payments than people, those first whose balances cancel")
    func heuristic() {
        let people = (1...40).map { ParticipantID(high: 1, low: UInt64($0)) }
        let balances = people.enumerated().map { Share($1, $0 < 20 ? Int64($0 + 1) : -Int64(40 - $0)) }
        #expect(Settlement.transfers(settling: balances).count == 20)
        var odd = balances
        odd[0] = Share(people[0], 4)
        odd[1] = Share(people[1], 4)
        odd[2] = Share(people[2], -2)
        #expect(odd.reduce(0) { $0 + $1.number } == 0)
        #expect(settled(odd, Settlement.transfers(settling: odd)) == [])
    }

    @Test("units that are left go to the largest remainders, then to the lowest ids")
    func remainders() {
        let people = (1...3).map { ParticipantID(high: 0, low: UInt64($0)) }
        let numbers = { (amount: Int64, weights: [Int64]) in
            Share.dividing(amount, by: zip(people, weights).map { Share($0, $1) }).map(\.number)
        }
        #expect(numbers(100, [1, 1, 1]) == [34, 33, 33])
        #expect(numbers(101, [1, 1, 1]) == [34, 34, 33])
        #expect(numbers(100, [1, 2, 3]) == [17, 33, 50])
        #expect(numbers(10, [1, 1, 4]) == [2, 2, 6])
        #expect(numbers(1, [1, 1, 2]) == [0, 0, 1])
        #expect(numbers(Limits.moneyMax, [Limits.moneyMax, Limits.moneyMax, 1]).reduce(0, +) == Limits.moneyMax)
    }

    @Test("costs beyond the bound do not count, and as many of the greatest amount do not overflow", .tags(.slow))
    func bound() throws {
        let (one, two) = (ParticipantID(high: 0, low: 1), ParticipantID(high: 0, low: 2))
        let euro = try #require(Currency(code: "EUR"))
        let cost = try Cost(payment: Money(Limits.moneyMax, euro), from: one, to: two)
        var ledger = Ledger()
        for _ in 0..<(Limits.costsCounted + 5) { ledger.count(cost) }
        #expect(
            ledger.balances(in: euro).map(\.number)
                == [1, -1].map { $0 * Limits.moneyMax * Int64(Limits.costsCounted) })
    }

    /// `Scripts/cost-oracle` reads what this writes, and calculates it again by other means.
    @Test("vectors for the oracle are written where CARAVAN_LEDGERS says")
    func vectors() throws {
        let environment = ProcessInfo.processInfo.environment
        guard let path = environment["CARAVAN_LEDGERS"] else { return }
        var generator = SeededGenerator(seed: UInt64(environment["CARAVAN_SEED"] ?? "") ?? 1)
        var lines = ""
        for number in 0..<(Int(environment["CARAVAN_COUNT"] ?? "") ?? 10_000) {
            // Every hundredth is beyond what is settled exactly.
            let people = number % 100 == 99 ? 30 : 2 + generator.below(7)
            let random = RandomLedger(people: people, using: &generator)
            let ledger = random.ledger
            lines += random.costs.map(\.text).joined(separator: "|")
            for currency in ledger.currencies {
                let balances = ledger.balances(in: currency)
                lines +=
                    "\t\(currency.code) " + balances.map { "\($0.person):\($0.number)" }.joined(separator: ",") + " "
                lines += Settlement.transfers(settling: balances).map { "\($0.from)>\($0.to):\($0.minorUnits)" }
                    .joined(separator: ",")
            }
            lines += "\n"
        }
        try lines.write(toFile: path, atomically: true, encoding: .utf8)
    }
}
