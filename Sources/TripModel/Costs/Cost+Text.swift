extension Cost {
    /// The cost in its one form, for the field's value: `CHF 5000 @ 0.9512 EUR by ID:5000 for parts ID:2 ID:1`, with
    /// amounts in minor units, and without numbers in an equal split.
    package var text: String {
        var words = [amount.currency.code, String(amount.minorUnits)]
        if let rate { words += ["@", rate.digits, rate.currency.code] }
        words += ["by"] + payers.map { "\($0.person):\($0.number)" } + ["for", way.rawValue]
        words += shares.map { way == .equally ? $0.person.description : "\($0.person):\($0.number)" }
        return words.joined(separator: " ")
    }

    /// Reads what `text` wrote; nil for anything else, other forms of the same cost among that. Linear in the text.
    package init?(_ text: String) {
        guard text.utf8.count <= Limits.costCharacters else { return nil }
        // By bytes: a search for characters is most of the cost of reading a change.
        var words = text.utf8.split(separator: 0x20, omittingEmptySubsequences: false).map(Substring.init)[...]
        guard let currency = words.popFirst().flatMap({ Currency(code: String($0)) }),
            let amount = words.popFirst().flatMap({ Int64($0) })
        else { return nil }
        var rate: ExchangeRate?
        if words.first == "@" {
            words.removeFirst()
            guard let digits = words.popFirst(), let other = words.popFirst().flatMap({ Currency(code: String($0)) }),
                let read = ExchangeRate(String(digits), to: other)
            else { return nil }
            rate = read
        }
        guard words.popFirst() == "by", let middle = words.firstIndex(of: "for") else { return nil }
        let payers = words[..<middle].compactMap(Self.share)
        guard payers.count == middle - words.startIndex else { return nil }
        words = words[(middle + 1)...]
        guard let way = words.popFirst().flatMap({ Way(rawValue: String($0)) }) else { return nil }
        let shares = words.compactMap { word in
            way == .equally ? ParticipantID(String(word)).map { Share($0, 1) } : Self.share(word)
        }
        guard shares.count == words.count,
            let cost = try? Cost(Money(amount, currency), rate: rate, payers: payers, way, shares),
            cost.text.utf8.elementsEqual(text.utf8)
        else { return nil }
        self = cost
    }

    private static func share(_ word: Substring) -> Share? {
        let parts = word.utf8.split(separator: 0x3A, omittingEmptySubsequences: false).map(Substring.init)
        guard parts.count == 2, let person = ParticipantID(String(parts[0])), let number = Int64(parts[1]) else {
            return nil
        }
        return Share(person, number)
    }
}
