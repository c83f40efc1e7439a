/// Invite links in texts that people write.
package enum InviteText {
    static let scheme = "caravan:"
    /// Shorter ones are words of a text, such as the name of a command.
    private static let lengthMin = 40

    /// The first link in a text; nil if there is none. O(characters).
    package static func link(in text: String) -> String? {
        let words = text.split(whereSeparator: \.isWhitespace)
        return words.lazy.compactMap { range(in: $0).map { String(text[$0]) } }.first
    }

    /// The link in a word, without what surrounds it.
    static func range(in word: Substring) -> Range<Substring.Index>? {
        guard let start = word.indices.first(where: { word[$0...].hasPrefix(scheme) }) else { return nil }
        let rest = word[word.index(start, offsetBy: scheme.count)...]
        let end = rest.firstIndex { !("a"..."z").contains($0) && !("2"..."7").contains($0) } ?? rest.endIndex
        return word.distance(from: start, to: end) < lengthMin ? nil : start..<end
    }
}
