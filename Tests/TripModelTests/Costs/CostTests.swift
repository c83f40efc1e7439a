import Testing
import TripFixtures

@testable import TripModel

/// Amounts, rates and costs as texts.
@Suite struct CostTests {
    private let jie = ParticipantID(high: 0, low: 1)
    private let mia = ParticipantID(high: 0, low: 2)
    private let noah = ParticipantID(high: 0, low: 3)

    @Test(
        "an amount is read in the forms that people write",
        arguments: [
            ("84", "EUR", 8_400), ("€84", "EUR", 8_400), ("84.5 EUR", "EUR", 8_450), ("84,50 eur", "EUR", 8_450),
            ("1.200,50 €", "EUR", 120_050), ("1,200.50 USD", "USD", 120_050), ("1 200 EUR", "EUR", 120_000),
            ("1200 JPY", "JPY", 1_200), ("1.200 JPY", "JPY", 1_200),
            ("1.234 KWD", "KWD", 1_234), ("CHF 12.50", "CHF", 1_250), ("0.01 EUR", "EUR", 1),
            ("1,234,567 EUR", "EUR", 123_456_700), ("1,234,567 KWD", "KWD", 1_234_567_000),
            ("1’200 CHF", "CHF", 120_000),
            ("10000000000 EUR", "EUR", 1_000_000_000_000), ("$20 USD", "USD", 2_000), ("cad 20 $", "CAD", 2_000),
            ("€20 EUR", "EUR", 2_000), ("US$20 USD", "USD", 2_000),
        ])
    func amounts(text: String, code: String, units: Int64) throws {
        let money = try Money(typed: text, home: Currency(code: "EUR"))
        #expect(money.currency.code == code && money.minorUnits == units)
    }

    @Test(
        "what is no amount is refused, with what to write",
        arguments: [
            "", "0", "EUR", "-5 EUR", "1.5 JPY", "12.345,6 EUR EUR", "1.23.4", "84 XYZ", "$84", "1e9 EUR",
            "10000000000.01 EUR",
            "99999999999999999999 EUR", "..5", "5 EUR 6", "1,2,3", "1.234.56 EUR", "1.234 567 EUR",
        ])
    func noAmounts(text: String) {
        #expect(throws: TripError.self) { try Money(typed: text, home: Currency(code: "EUR")) }
    }

    @Test("an amount that is too large or in two currencies is refused for that")
    func otherRefusals() {
        for (text, reason) in [
            ("99999999999999999999 EUR", "is not between €0.01 and"), ("$20 EUR", "names two currencies"),
            ("$20 $", "several currencies use “$”"), ("USD 20 each", "is not an amount"),
        ] {
            let refused = #expect(throws: TripError.self) { try Money(typed: text, home: Currency(code: "EUR")) }
            #expect(refused?.message.contains(reason) == true, "\(refused as Any)")
        }
    }

    @Test(
        "digits behind a point or comma that may be a group or too many decimals are refused, with what to write",
        arguments: [
            ("84.505 EUR", "write 84505 or, with 2 decimals, 84.50"), ("1,200", "write 1200 or, with 2 decimals, 1.20"),
            ("0.505 CHF", "has more than 2 decimals; write 0.50"),
            ("100.5 JPY", "has decimals, and JPY has none; write 100"),
            ("0,5 JPY", "has decimals, and JPY has none; write 1"),
            ("84.5055 EUR", "has more than 2 decimals; write 84.50"),
            ("1.234,567", "has more than 2 decimals; write 1234.56"),
            ("1,234.567 EUR", "has more than 2 decimals; write 1234.56"),
            ("1 200.505 EUR", "has more than 2 decimals; write 1200.50"),
            ("1.234,567 JPY", "has decimals, and JPY has none; write 1234"),
        ])
    func twoReadings(text: String, hint: String) {
        let refused = #expect(throws: TripError.self) { try Money(typed: text, home: Currency(code: "EUR")) }
        #expect(refused?.code == .malformedValue && refused?.message.hasSuffix(hint) == true, "\(refused as Any)")
    }

    @Test(
        "an amount shows the digits of its currency",
        arguments: [
            ("EUR", 8_400, "84.00", "€84.00"), ("EUR", -5, "-0.05", "−€0.05"), ("JPY", 1_200, "1200", "1200 JPY"),
            ("KWD", 1, "0.001", "0.001 KWD"), ("CLF", 12_345, "1.2345", "1.2345 CLF"),
            ("EUR", 999_999, "9999.99", "€9999.99"), ("EUR", 82_317_200, "823172.00", "€823\u{202F}172.00"),
            ("JPY", -1_234_567, "-1234567", "−1\u{202F}234\u{202F}567 JPY"),
        ])
    func shown(code: String, units: Int64, digits: String, words: String) throws {
        let money = Money(units, try #require(Currency(code: code)))
        #expect(money.digits == digits && money.words == words)
    }

    @Test("a rate converts between minor units, a half rounded up")
    func rates() throws {
        let (euro, franc, yen) = (
            try #require(Currency(code: "EUR")), try #require(Currency(code: "CHF")),
            try #require(Currency(code: "JPY"))
        )
        let converted = { (digits: String, money: Money, currency: Currency) in
            ExchangeRate(digits, to: currency)?.converted(money)?.minorUnits
        }
        #expect(converted("0.9512", Money(5_000, franc), euro) == 4_756)
        #expect(converted("0.5", Money(1, franc), euro) == 1)
        #expect(converted("0.49", Money(1, franc), euro) == nil)
        #expect(converted("0.0061", Money(12_000, yen), euro) == 7_320)
        #expect(converted("163.5", Money(101, euro), yen) == 165)
        #expect(converted("999999.99999999", Money(Limits.moneyMax, yen), euro) == nil)
        #expect(ExchangeRate("0,95120", to: euro)?.digits == "0.9512")
        for text in ["", "0", "0.0", ".5", "5.", "1e3", "-1", "1.123456789", "1234567"] {
            #expect(ExchangeRate(text, to: euro) == nil)
        }
    }

    @Test("a cost has one text, which is read again; no other text is a cost")
    func text() throws {
        let euro = try #require(Currency(code: "EUR"))
        let franc = try #require(Currency(code: "CHF"))
        let costs = [
            try Cost(Money(8_400, euro), payers: [Share(noah, 8_400)], .equally, [Share(noah, 1), Share(jie, 1)]),
            try Cost(
                Money(5_000, franc), rate: ExchangeRate("0.9512", to: euro),
                payers: [Share(mia, 1_000), Share(jie, 4_000)], .parts, [Share(mia, 2), Share(jie, 1)]),
            try Cost(payment: Money(100, euro), from: jie, to: mia),
            try Cost(Money(100, euro), payers: [Share(jie, 100)], .percent, [Share(jie, 1), Share(mia, 9_999)]),
        ]
        for cost in costs {
            #expect(Cost(cost.text) == cost)
            for index in cost.text.indices {
                var altered = cost.text
                altered.remove(at: index)
                #expect(Cost(altered)?.text ?? altered == altered)
            }
        }
        #expect(costs[0].text == "EUR 8400 by \(noah):8400 for equally \(jie) \(noah)")
        for text in [
            "", "EUR", "EUR 1 by", "EUR 08 by \(jie):8 for equally \(jie)", "EUR 8 by \(jie):7 for equally \(jie)",
            "EUR 8 by \(jie):8 for equally \(mia) \(jie)", "EUR 8 by \(jie):8 for equally \(jie) \(jie)",
            "EUR 8 by \(jie):8 for exactly \(jie):7", "EUR 8 by \(jie):8 for percent \(jie):9999",
            "EUR 8 by \(jie):8 for parts \(jie):0", "EUR 8 @ 2 EUR by \(jie):8 for equally \(jie)",
            "EUR 8 @ 2.0 CHF by \(jie):8 for equally \(jie)", "EUR 9223372036854775807 by \(jie):8 for equally \(jie)",
        ] {
            #expect(Cost(text) == nil, "\(text)")
        }
    }

    @Test("the most people that a cost may have fit its field, and one more is refused")
    func bounds() throws {
        let euro = try #require(Currency(code: "EUR"))
        let people = (0..<Limits.sharersMax).map { ParticipantID(high: .max, low: .max - UInt64($0)) }
        let part = Limits.moneyMax / Int64(people.count)
        let shares = people.map { Share($0, part) }
        let cost = try Cost(
            Money(Limits.moneyMax, euro), rate: ExchangeRate("0.99999999", to: try #require(Currency(code: "CHF"))),
            payers: shares, .exactly, shares)
        try Field.cost.check(cost.text)
        #expect(Cost(cost.text) == cost)
        let more = (shares + [Share(jie, 1)]).map { Share($0.person, 1) }
        #expect(throws: TripError.self) { try Cost(Money(100, euro), payers: [Share(jie, 100)], .equally, more) }
    }
}
