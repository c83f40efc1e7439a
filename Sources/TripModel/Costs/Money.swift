/// An amount in the smallest unit of its currency: 8,400 of "€84.00". No calculation with money uses floating point.
package struct Money: Hashable, Sendable {
    package let minorUnits: Int64
    package let currency: Currency

    package init(_ minorUnits: Int64, _ currency: Currency) {
        self.minorUnits = minorUnits
        self.currency = currency
    }

    /// Reads "84 EUR", "€1.200,50", "1 200 JPY", "$20 USD", "12.5". An amount without a currency is in the home currency.
    ///
    /// The last point or comma separates the decimals if it is the only one of its kind and no more digits follow it than
    /// the currency has. All other marks are alike, and separate groups of three digits. A single point or comma before
    /// three digits is refused if the currency has other decimals: "1.200" may be either.
    package init(typed text: String, home: Currency?) throws(TripError) {
        guard let (run, words) = Self.scan(text) else { throw Self.unreadable(text) }
        guard !words.contains(where: { word in ["-", "−"].contains { word.hasPrefix($0) || word.hasSuffix($0) } })
        else {
            throw TripError(.outOfRange, "\(text.quoted) is not above 0; write an amount without a sign")
        }
        let number = run.reduce(into: "") { $0.unicodeScalars.append($1) }
        let currency = try Self.currency(Self.word(of: words, in: text), of: number, home: home)
        try Self.checkReading(run, digits: currency.digits, of: text)
        guard let units = Self.minorUnits(run, currency) else {
            throw Self.excess(run, currency, of: text) ?? Self.unreadable(text)
        }
        guard (1...Limits.moneyMax).contains(units) else {
            throw TripError(
                .outOfRange,
                "\(text.quoted) is not between \(Money(1, currency).words) and \(Money(Limits.moneyMax, currency).words); "
                    + "write another amount")
        }
        self.init(units, currency)
    }

    /// The one number of a text with its marks, and the words around it; nil if there is none, or several.
    static func scan(_ text: String) -> (run: ArraySlice<Unicode.Scalar>, words: [String])? {
        let trimmed = TextClasses.trimmed(text)
        let isOfNumber = { (scalar: Unicode.Scalar) in
            (0x30...0x39).contains(scalar.value) || ".,'’".unicodeScalars.contains(scalar)
                || TextClasses.isSpace(scalar)
        }
        let scalars = Array(trimmed.unicodeScalars)
        guard let first = scalars.firstIndex(where: { (0x30...0x39).contains($0.value) }),
            let last = scalars.lastIndex(where: { (0x30...0x39).contains($0.value) }),
            scalars[first...last].allSatisfy(isOfNumber)
        else { return nil }
        let words = [scalars[..<first], scalars[(last + 1)...]].map { part in
            TextClasses.trimmed(part.reduce(into: "") { $0.unicodeScalars.append($1) })
        }.filter { !$0.isEmpty }
        return (scalars[first...last], words)
    }

    /// The word that names the currency, of those around a number: "USD" of "$20 USD". Nil if there is none.
    private static func word(of words: [String], in text: String) throws(TripError) -> String? {
        guard words.count == 2, words[0] != words[1] else { return words.first }
        for (sign, code) in [(words[0], words[1]), (words[1], words[0])] {
            guard let currency = Currency(typed: code) else { continue }
            if Currency(typed: sign) == currency || Currency.codes(sharing: sign).contains(currency.code) {
                return code
            }
        }
        guard words.allSatisfy({ Currency(typed: $0) != nil || !Currency.codes(sharing: $0).isEmpty }) else {
            throw unreadable(text)
        }
        throw TripError(.malformedValue, "\(text.quoted) names two currencies; write one of them")
    }

    private static func currency(
        _ word: String?, of number: String, home: Currency?
    ) throws(TripError) -> Currency {
        guard let word else {
            if let home { return home }
            throw TripError(.malformedValue, "the amount has no currency; add a code, like 84 EUR")
        }
        if let currency = Currency(typed: word) { return currency }
        let codes = Currency.codes(sharing: word)
        // Where the trip counts in one of them, that one is meant.
        if let home, codes.contains(home.code) { return home }
        if !codes.isEmpty {
            let ways = codes.prefix(3).map { "\(number) \($0)" }
            throw TripError(
                .malformedValue,
                "several currencies use \(word.quoted); write \(ways.dropLast().joined(separator: ", ")) or "
                    + (ways.last ?? ""))
        }
        throw TripError(.malformedValue, "\(word.quoted) is not a currency; write a code of ISO 4217, like EUR")
    }

    /// Throws for "84.505 EUR" and "0.009 EUR".
    ///
    /// - Parameter most: the decimals that the number may have.
    static func checkReading(
        _ run: ArraySlice<Unicode.Scalar>, digits most: Int, of text: String
    ) throws(TripError) {
        guard most != 0, most != 3, let place = run.firstIndex(where: { $0 == "." || $0 == "," }),
            run.endIndex - place == 4, run[..<place].count <= 3,
            (run[..<place] + run[(place + 1)...]).allSatisfy({ (0x30...0x39).contains($0.value) })
        else { return }
        let digits = { (part: ArraySlice<Unicode.Scalar>) in part.reduce(into: "") { $0.unicodeScalars.append($1) } }
        let (before, after) = (digits(run[..<place]), digits(run[(place + 1)...]))
        // Nobody groups digits after a 0: "0.009" is no 9.
        if Int64(before) == 0 {
            guard most < 3 else { return }
            let near = after.prefix(most).allSatisfy { $0 == "0" } ? "1" : after.prefix(most)
            throw TripError(
                .malformedValue,
                "\(text.quoted) has more than \(most) decimals; write 0.\(String(repeating: "0", count: most - near.count))\(near)"
            )
        }
        let decimals = most < 3 ? ", with \(most) decimals, \(before).\(after.prefix(most))" : " \(before).\(after)0"
        throw TripError(
            .malformedValue,
            "\(text.quoted) can be read in two ways; write \(Int64(before + after) ?? 0) or\(decimals)")
    }

    /// That "100.5 JPY" and "1.234,567 EUR" have more decimals than the currency; nil where something else is wrong.
    private static func excess(_ run: ArraySlice<Unicode.Scalar>, _ currency: Currency, of text: String) -> TripError? {
        let isDigit = { (scalar: Unicode.Scalar) in (0x30...0x39).contains(scalar.value) }
        guard let mark = run.lastIndex(where: { !isDigit($0) }), run[mark] == "." || run[mark] == ",",
            !run[..<mark].contains(run[mark]), run.endIndex - mark - 1 > currency.digits,
            let units = minorUnits(run[..<(currency.digits == 0 ? mark : mark + 1 + currency.digits)], currency),
            units <= Limits.moneyMax
        else { return nil }
        let near = Money(max(1, units), currency).digits
        let most =
            currency.digits == 0
            ? "has decimals, and \(currency.code) has none" : "has more than \(currency.digits) decimals"
        return TripError(.malformedValue, "\(text.quoted) \(most); write \(near)")
    }

    /// The greatest number for one that has too many digits.
    private static func minorUnits(_ run: ArraySlice<Unicode.Scalar>, _ currency: Currency) -> Int64? {
        guard let (whole, decimals) = parts(run, digits: currency.digits) else { return nil }
        return Int64(whole + decimals + String(repeating: "0", count: currency.digits - decimals.utf8.count)) ?? .max
    }

    /// The digits of a number before its decimals, and those, which are at most so many; nil if it can't be read.
    static func parts(_ run: ArraySlice<Unicode.Scalar>, digits: Int) -> (whole: String, decimals: String)? {
        let isDigit = { (scalar: Unicode.Scalar) in (0x30...0x39).contains(scalar.value) }
        let parts = run.split(omittingEmptySubsequences: false) { !isDigit($0) }
        guard parts.allSatisfy({ !$0.isEmpty }), let last = parts.last else { return nil }
        let marks: [Unicode.Scalar] = run.filter { !isDigit($0) }.map { TextClasses.isSpace($0) ? " " : $0 }
        let isPoint = marks.last == "." || marks.last == ","
        let hasDecimals = isPoint && last.count <= digits && marks.count { $0 == marks.last } == 1
        let whole = hasDecimals ? parts.dropLast() : parts[...]
        // "1.234,567" groups by neither mark.
        guard Set(hasDecimals ? marks.dropLast() : marks[...]).count <= 1 else { return nil }
        guard whole.dropFirst().allSatisfy({ $0.count == 3 }), whole.count == 1 || (1...3).contains(whole[0].count)
        else {
            return nil
        }
        return (
            whole.joined().reduce(into: "") { $0.unicodeScalars.append($1) },
            hasDecimals ? last.reduce(into: "") { $0.unicodeScalars.append($1) } : ""
        )
    }

    private static func unreadable(_ text: String) -> TripError {
        TripError(.malformedValue, "\(text.quoted) is not an amount; write it like 84 EUR or 12.50 CHF")
    }

    /// "84.00", "-0.50", "1200" of a currency without decimals: the number for programs and tables.
    package var digits: String {
        let magnitude = String(minorUnits.magnitude)
        let padded = String(repeating: "0", count: max(0, currency.digits + 1 - magnitude.utf8.count)) + magnitude
        let sign = minorUnits < 0 ? "-" : ""
        guard currency.digits > 0 else { return sign + padded }
        return sign + padded.dropLast(currency.digits) + "." + padded.suffix(currency.digits)
    }

    /// "84.00 EUR": how people type it whatever the home currency is.
    package var typed: String { "\(digits) \(currency.code)" }

    /// "€84.00", "12.50 CHF", "€12 000.00" with a narrow space.
    package var words: String {
        let sign = minorUnits < 0 ? "−" : ""
        let digits = Self.grouped(Money(minorUnits < 0 ? -minorUnits : minorUnits, currency).digits)
        switch currency.code {
        case "EUR": return sign + "€" + digits
        case "GBP": return sign + "£" + digits
        default: return "\(sign)\(digits) \(currency.code)"
        }
    }

    /// From five digits before the point on, in groups of three. A space separates them, because a comma and a point mean
    /// different things to different readers; no line breaks at this one, and it is read again as it is shown.
    private static func grouped(_ digits: String) -> String {
        let whole = digits.prefix { $0 != "." }
        guard whole.count > 4 else { return digits }
        var text = ""
        for (place, digit) in whole.enumerated() {
            if place > 0, (whole.count - place).isMultiple(of: 3) { text.append("\u{202F}") }
            text.append(digit)
        }
        return text + digits.dropFirst(whole.count)
    }
}
