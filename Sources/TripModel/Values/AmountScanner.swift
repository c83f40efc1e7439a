/// Finds the one number of a price, and the words around it.
struct AmountScanner {
    private let scalars: [Unicode.Scalar]
    /// What stands around the number, in lower case, signs of currencies apart from what they touch.
    private(set) var words: [String] = []

    /// Digits before the point.
    private static let digitsMax = 12

    init(_ text: String) { scalars = Array(text.foldedASCII.unicodeScalars) }

    /// The number in hundredths; nil where none or several are there, or it has more digits than a price.
    mutating func scan() -> Int64? {
        guard let start = scalars.firstIndex(where: Self.isDigit) else { return nil }
        var end = start
        while end < scalars.count, Self.isDigit(scalars[end]) || isSeparator(at: end) { end += 1 }
        guard !scalars[end...].contains(where: Self.isDigit), let amount = amount(scalars[start..<end]) else {
            return nil
        }
        words = split(scalars[..<start]) + split(scalars[end...])
        return amount
    }

    private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { (0x30...0x39).contains(scalar.value) }

    private static func isGroupMark(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "'" || scalar == "’" || TextClasses.isSpace(scalar)
    }

    /// A point or a comma with a digit after it; a blank or an apostrophe with exactly three.
    private func isSeparator(at place: Int) -> Bool {
        let after = scalars[(place + 1)...].prefix { Self.isDigit($0) }.count
        if scalars[place] == "." || scalars[place] == "," { return after > 0 }
        return Self.isGroupMark(scalars[place]) && after == 3
    }

    /// The last separator is a decimal one where one or two digits follow it; others part thousands.
    private func amount(_ run: ArraySlice<Unicode.Scalar>) -> Int64? {
        let parts = run.split(whereSeparator: { !Self.isDigit($0) }).map { part in
            part.reduce(into: "") { $0.unicodeScalars.append($1) }
        }
        guard let last = parts.last else { return nil }
        let hasDecimals = parts.count > 1 && last.utf8.count <= 2
        let whole = hasDecimals ? parts.dropLast() : parts[...]
        let marks: [Unicode.Scalar] = run.filter { !Self.isDigit($0) }.map { TextClasses.isSpace($0) ? " " : $0 }
        // "1.234,567" groups by neither mark: it is no price of a million.
        guard Set(hasDecimals ? marks.dropLast() : marks[...]).count <= 1 else { return nil }
        guard whole.dropFirst().allSatisfy({ $0.utf8.count == 3 }),
            parts.count == 1 || whole.count == 1 || (whole.first?.utf8.count ?? 0) <= 3
        else { return nil }
        let digits = whole.joined()
        guard digits.utf8.count <= Self.digitsMax, let units = Int64(digits) else { return nil }
        let cents = hasDecimals ? Int64(last).map { last.utf8.count == 1 ? $0 * 10 : $0 } ?? 0 : 0
        return units * 100 + cents
    }

    private func split(_ part: ArraySlice<Unicode.Scalar>) -> [String] {
        var words: [String] = []
        var word = ""
        let end = {
            if !word.isEmpty { words.append(word) }
            word = ""
        }
        for scalar in part {
            if "€£$¥₪₹₩₺₴₫฿/".unicodeScalars.contains(scalar) {
                end()
                words.append(String(scalar))
            } else if TextClasses.isSpace(scalar) || ",;:()".unicodeScalars.contains(scalar) {
                end()
            } else if scalar != "." {
                word.unicodeScalars.append(scalar)
            }
        }
        end()
        return words
    }
}
