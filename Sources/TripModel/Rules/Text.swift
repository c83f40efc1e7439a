/// A text that is equal to another one only where every byte is.
///
/// `String` calls texts equal that differ in bytes but not in Unicode's canonical form; replicas must agree on bytes.
struct Text: Codable, Hashable, Sendable {
    let string: String

    init(_ string: String) {
        self.string = string
    }

    static func == (left: Text, right: Text) -> Bool {
        left.string.utf8.elementsEqual(right.string.utf8)
    }

    func hash(into hasher: inout Hasher) {
        for byte in string.utf8 { hasher.combine(byte) }
        hasher.combine(string.utf8.count)
    }
}

extension Text: Comparable {
    static func < (left: Text, right: Text) -> Bool {
        left.string.utf8.lexicographicallyPrecedes(right.string.utf8)
    }
}

extension String {
    /// The text with A to Z in lower case: a fold that no Unicode table can change.
    var foldedASCII: String {
        String(decoding: utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
    }

    /// The text as it looks at a glance: what shows nothing is left out, white space is one blank, and A to Z is in lower
    /// case. Texts that differ in nothing else are told apart by more than themselves.
    package var appearance: String {
        var shown = UnicodeScalarView()
        for scalar in unicodeScalars {
            if TextClasses.isSpace(scalar) {
                if shown.last != " " { shown.append(" ") }
            } else if !TextClasses.isInvisible(scalar) {
                shown.append(scalar)
            }
        }
        return TextClasses.trimmed(String(shown)).foldedASCII
    }

    /// The same, with the letters of every script in lower case: to find what a person named. A newer table of Unicode may fold more, so
    /// nothing that replicas agree on depends on it.
    package var caselessAppearance: String { lowercased().appearance }
}
