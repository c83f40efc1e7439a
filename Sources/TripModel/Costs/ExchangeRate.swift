/// What one unit of a currency was worth in another, as a person typed it: 0.9512 EUR for 1 CHF.
package struct ExchangeRate: Hashable, Sendable {
    /// The digits as one number: 9,512 of 0.9512.
    private let mantissa: Int64
    private let decimals: Int
    /// The currency that the rate leads to.
    package let currency: Currency

    /// Reads digits with at most `Limits.rateDecimals` after a point or comma. Nil for 0 and for anything else.
    package init?(_ text: String, to currency: Currency) {
        let parts = text.utf8.split(omittingEmptySubsequences: false) { $0 == 0x2E || $0 == 0x2C }
        let isDigits = { (part: Substring.UTF8View) in part.allSatisfy { (0x30...0x39).contains($0) } }
        guard (1...2).contains(parts.count), (1...Limits.rateWholeDigits).contains(parts[0].count), isDigits(parts[0])
        else { return nil }
        var decimals = parts.count == 2 ? Substring(parts[1]) : ""
        guard parts.count == 1 || !decimals.isEmpty, isDigits(decimals.utf8) else { return nil }
        while decimals.utf8.last == 0x30 { decimals.removeLast() }
        guard decimals.utf8.count <= Limits.rateDecimals,
            let mantissa = Int64(String(Substring(parts[0])) + decimals), mantissa > 0
        else { return nil }
        self.mantissa = mantissa
        self.decimals = decimals.utf8.count
        self.currency = currency
    }

    /// Reads what an export of costs has: "1.085 EUR" too, as earlier versions wrote `typed`. Nil for anything else.
    package init?(exported text: String) {
        let words = text.split(separator: " ")
        guard words.count == 2, let currency = Currency(code: String(words[1])) else { return nil }
        self.init(String(words[0]), to: currency)
        guard digits == words[0] else { return nil }
    }

    /// "0.9512": without needless zeros, so that equal rates have one form.
    package var digits: String {
        let number = String(mantissa)
        guard decimals > 0 else { return number }
        let padded = String(repeating: "0", count: max(0, decimals + 1 - number.utf8.count)) + number
        return padded.dropLast(decimals) + "." + padded.suffix(decimals)
    }

    /// "0.9512 EUR", "1.0850 EUR": how people type it. "1.085 EUR" would be refused, because it can be read in two ways.
    package var typed: String {
        let isAmbiguous = decimals == 3 && (1_000..<1_000_000).contains(mantissa)
        return "\(digits)\(isAmbiguous ? "0" : "") \(currency.code)"
    }

    /// The amount in the rate's currency, a half rounded up. Nil outside 1 to `Limits.moneyMax`.
    package func converted(_ money: Money) -> Money? {
        // At most 10^12 × 10^14 × 10^4: a whole number of 128 bits holds 10^38.
        let product = Int128(money.minorUnits) * Int128(mantissa) * Self.power(currency.digits)
        let divisor = Self.power(decimals + money.currency.digits)
        let rounded = (2 * product + divisor) / (2 * divisor)
        guard let units = Int64(exactly: rounded), (1...Limits.moneyMax).contains(units) else { return nil }
        return Money(units, currency)
    }

    private static func power(_ exponent: Int) -> Int128 { (0..<exponent).reduce(1) { power, _ in power * 10 } }
}
