import TripModel

extension TripPage {
    /// Text that somebody wrote, in which each web address is a link. The link shows the whole address, so it leads where
    /// it says. O(characters).
    static func prose(_ text: String) -> HTML {
        var pieces: [HTML] = []
        var plain = text.startIndex
        for word in text.split(whereSeparator: \.isWhitespace) {
            guard let range = addressRange(in: word), let address = WebAddress(String(word[range])) else { continue }
            pieces.append(.text(String(text[plain..<range.lowerBound])))
            pieces.append(tag(.a, .href(.web(address)), .plain(.rel, "noopener noreferrer")) { address.text })
            plain = range.upperBound
        }
        pieces.append(.text(String(text[plain...])))
        return .group(pieces)
    }

    /// The address in a word, without what surrounds it: "(see https://a.b/c)." has "https://a.b/c".
    private static func addressRange(in word: Substring) -> Range<Substring.Index>? {
        let start = word.indices.first { index in
            let scheme = word[index...].prefix(8).lowercased()
            return scheme == "https://" || scheme.hasPrefix("http://")
        }
        guard let start else { return nil }
        let closing = ".,;:!?>]\"'’”»" + (word[start...].contains("(") ? "" : ")")
        guard let last = word[start...].lastIndex(where: { !closing.contains($0) }),
            word[last] != "/" || word[start...last].count > 8
        else { return nil }
        return start..<word.index(after: last)
    }
}
