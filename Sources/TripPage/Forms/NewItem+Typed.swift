import TripModel
import TripService

extension NewItem {
    /// An item of what somebody typed or pasted into the one box: a name, a link, or a name beside a link. A link alone is
    /// called by its domain and the last words of its path. Nil for a blank.
    init?(typed text: String) {
        let words = text.split(whereSeparator: \.isWhitespace)
        guard !words.isEmpty, !text.isBlank else { return nil }
        let links = words.filter { WebAddress(String($0)) != nil }
        guard links.count == 1, let link = links.first, let address = WebAddress(String(link)) else {
            self.init(title: words.joined(separator: " "))
            return
        }
        let rest = words.filter { $0 != link }.joined(separator: " ")
        self.init(title: rest.isBlank ? address.title : rest, fields: [.link: String(link)])
    }

    /// An item of one line of a list: "3 towels", "towels ×3", "- [ ] towels". Nil for a blank line.
    init?(line: Substring) {
        var words = line.split(whereSeparator: \.isWhitespace).map(String.init)
        if let first = words.first, Self.bullets.contains(first) { words.removeFirst() }
        var isDone = false
        if words.starts(with: ["[", "]"]) {
            words.removeFirst(2)
        } else if let first = words.first?.lowercased(), ["[]", "[x]", "☐", "☑"].contains(first) {
            isDone = first == "[x]" || first == "☑"
            words.removeFirst()
        }
        var quantity: Int64 = 1
        if words.count > 1, let count = Self.count(words[0], isMarked: false) {
            quantity = count
            words.removeFirst()
            if words.count > 1, ["x", "×"].contains(words[0].lowercased()) { words.removeFirst() }
        } else if words.count > 1, let count = Self.count(words[words.count - 1], isMarked: true) {
            quantity = count
            words.removeLast()
        }
        let title = words.joined(separator: " ")
        guard !title.isBlank else { return nil }
        self.init(title: title, fields: isDone ? [.done: Field.doneValue] : [:], quantity: quantity)
    }

    private static let bullets: Set<String> = ["-", "*", "•", "–", "+"]

    /// "3", "3x", "×3": a number of at most three digits, with a sign that it counts where that is asked for.
    private static func count(_ word: String, isMarked: Bool) -> Int64? {
        var digits = Substring(word.lowercased())
        var hasMark = false
        for mark in ["x", "×"] where digits.hasPrefix(mark) || digits.hasSuffix(mark) {
            digits = digits.hasPrefix(mark) ? digits.dropFirst() : digits.dropLast()
            hasMark = true
        }
        guard hasMark || !isMarked, (1...3).contains(digits.utf8.count),
            digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let count = Int64(digits), count > 0
        else { return nil }
        return count
    }
}

extension WebAddress {
    /// What a link is called where nobody gave it a name: "airbnb.com: casa do rio".
    var title: String {
        let path = text.drop { $0 != "/" }.dropFirst(2).drop { !"/?#".contains($0) }.prefix { !"?#".contains($0) }
        let segments = path.split(separator: "/").map { Self.words($0) }.filter { !$0.isBlank }
        // A number alone says nothing: the word before it stands with it.
        let isNumber = segments.last?.utf8.allSatisfy { (0x30...0x39).contains($0) } ?? false
        let name = segments.suffix(isNumber ? 2 : 1).joined(separator: " ")
        let title = name.isEmpty ? domain : "\(domain): \(name)"
        return title.displayed(limit: Limits.titleCharacters - 1)
    }

    /// The words of a segment of a path, decoded, without a file's ending.
    private static func words(_ segment: Substring) -> String {
        var bytes: [UInt8] = []
        var rest = Array(segment.utf8)[...]
        while let byte = rest.popFirst() {
            if byte == 0x25, rest.count >= 2,
                let decoded = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
            {
                bytes.append(decoded)
                rest.removeFirst(2)
            } else {
                bytes.append([0x2D, 0x5F, 0x2B].contains(byte) ? 0x20 : byte)
            }
        }
        var text = String(decoding: bytes, as: UTF8.self)
        for ending in [".html", ".htm", ".php", ".aspx"] where text.lowercased().hasSuffix(ending) {
            text.removeLast(ending.count)
        }
        return text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
}
