/// A price as data, read from what somebody wrote at the field: an amount, a currency, and per what it is.
///
/// The field stays a phrase, so every version shows it; what is not understood is no price, and nothing but a phrase.
package struct Price: Hashable, Sendable {
    /// What the amount is paid for. Not every price says it.
    package enum Per: String, CaseIterable, Hashable, Sendable {
        /// Of a night, by the whole group.
        case night
        /// Of a person, for the whole stay.
        case person
        case personAndNight = "person and night"
        /// For the whole group and stay.
        case all
    }

    /// In hundredths of the currency: 8,000 of "80 EUR".
    package let hundredths: Int64
    /// The code of ISO 4217, or the sign where that may mean several: "$", "kr". Nil where none is written.
    package let currency: String?
    package let per: Per?
    /// What else is written, in lower case: "a week". Prices with other words are not compared, and not shared out.
    package let remark: String

    /// Reads "80 EUR/night", "€1.200,50 in all", "$25 pp", "1 200 kr"; nil where no number or several stand in it.
    ///
    /// Complexity: linear in the text.
    package init?(_ text: String) {
        var scanner = AmountScanner(text)
        guard let hundredths = scanner.scan() else { return nil }
        var words = scanner.words
        currency = Self.takeCurrency(from: &words)
        per = Self.takeUnit(from: &words)
        remark = words.joined(separator: " ")
        self.hundredths = hundredths
    }

    /// Whether the first number of a text has a minus before it: at the beginning, or right before the number or its currency. A dash
    /// elsewhere is none: "mid-June: 80", "80-90 EUR".
    static func isBelowZero(_ text: String) -> Bool {
        let isMinus = { (character: Character) in "-−".contains(character) }
        let isSign = { (character: Character) in "€£$¥₪₹₩₺₴₫฿".contains(character) }
        let trimmed = TextClasses.trimmed(text)
        let head = trimmed.prefix { !("0"..."9").contains($0) }
        guard head.count < trimmed.count else { return false }
        if let first = head.first, isMinus(first), head.dropFirst().allSatisfy({ $0 == " " || isSign($0) }) {
            return true
        }
        let before = head.reversed().drop(while: isSign)
        guard let last = before.first, isMinus(last) else { return false }
        return before.dropFirst().first.map { $0 == " " || isSign($0) } ?? true
    }

    /// "80", "1200.50": the amount for programs.
    package var amount: String { Self.digits(hundredths) }

    /// Whether it is more or less than another: the same currency for the same thing.
    package func isComparable(with other: Price) -> Bool {
        (currency, per, remark) == (other.currency, other.per, other.remark)
    }

    /// What each person pays, in hundredths: the half rounded up. Nil where the price does not say for what it is, and
    /// where it is of a night and nobody said how many.
    /// - Parameters:
    ///   - people: at least 1.
    ///   - nights: at least 1, or nil where that is not known.
    package func each(people: Int, nights: Int?) -> Int64? {
        guard people > 0, remark.isEmpty, let per else { return nil }
        switch per {
        case .person: return hundredths
        case .all: return Self.part(hundredths, of: people)
        case .personAndNight: return nights.map { hundredths * Int64($0) }
        case .night: return nights.map { Self.part(hundredths * Int64($0), of: people) }
        }
    }

    /// "€30", "CHF 12.50", "30 kr".
    package func shown(_ hundredths: Int64) -> String {
        let digits = Self.digits(hundredths)
        switch currency {
        case nil: return digits
        case "EUR": return "€" + digits
        case "GBP": return "£" + digits
        case "$": return "$" + digits
        case let currency?: return "\(digits) \(currency)"
        }
    }

    private static func part(_ sum: Int64, of people: Int) -> Int64 { (2 * sum + Int64(people)) / (2 * Int64(people)) }

    /// "30", "12.50": hundredths for programs.
    package static func digits(_ hundredths: Int64) -> String {
        let cents = hundredths % 100
        return "\(hundredths / 100)" + (cents == 0 ? "" : cents < 10 ? ".0\(cents)" : ".\(cents)")
    }

    // MARK: - Words

    /// Codes of ISO 4217 that travellers meet. Others stay a remark: three letters may be anything.
    private static let codes: Set<String> = [
        "aed", "ars", "aud", "bgn", "brl", "cad", "chf", "clp", "cny", "cop", "czk", "dkk", "egp", "eur", "gbp", "hkd",
        "huf", "idr", "ils", "inr", "isk", "jpy", "kes", "krw", "mad", "mxn", "myr", "nok", "nzd", "php", "pln", "ron",
        "rsd", "sek", "sgd", "thb", "try", "twd", "uah", "usd", "vnd", "zar",
    ]

    private static let signs: [String: String] = [
        "€": "EUR", "£": "GBP", "₪": "ILS", "₹": "INR", "₩": "KRW", "₺": "TRY", "₴": "UAH", "₫": "VND", "฿": "THB",
        "zł": "PLN", "kč": "CZK", "$": "$", "¥": "¥", "kr": "kr", "euro": "EUR", "euros": "EUR",
    ]

    private static func takeCurrency(from words: inout [String]) -> String? {
        for (place, word) in words.enumerated() {
            guard let found = signs[word] ?? (codes.contains(word) ? word.uppercased() : nil) else { continue }
            words.remove(at: place)
            return found
        }
        return nil
    }

    private static let nightWords: Set<String> = ["night", "nights", "nightly", "pn"]
    private static let personWords: Set<String> = ["person", "pp", "head", "each", "pers", "guest", "adult"]
    private static let bothWords: Set<String> = ["pppn", "pnpp"]
    private static let allWords: Set<String> = ["total", "all", "group", "altogether", "everyone", "everybody"]
    private static let fillers: Set<String> = ["a", "an", "per", "the", "for", "in", "and", "of", "/"]

    /// Takes the words that say per what the price is; none where others stand beside them that are not known.
    private static func takeUnit(from words: inout [String]) -> Per? {
        let telling = words.filter { !fillers.contains($0) }
        guard !telling.isEmpty else {
            words = []
            return nil
        }
        let known = telling.allSatisfy {
            nightWords.contains($0) || personWords.contains($0) || bothWords.contains($0) || allWords.contains($0)
        }
        guard known else { return nil }
        let isNightly = telling.contains { nightWords.contains($0) || bothWords.contains($0) }
        let isPersonal = telling.contains { personWords.contains($0) || bothWords.contains($0) }
        let isWhole = telling.contains { allWords.contains($0) }
        let unit: Per?
        switch (isNightly, isPersonal, isWhole) {
        // "Per night for all" is per night.
        case (true, false, _): unit = .night
        case (true, true, false): unit = .personAndNight
        case (false, true, false): unit = .person
        case (false, false, true): unit = .all
        default: unit = nil
        }
        if unit != nil { words = [] }
        return unit
    }
}
