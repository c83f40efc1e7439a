import TripModel
import TripService

/// The little Markdown (CommonMark 0.31) that lists are written in, line by line.
enum MarkdownText {
    // MARK: - Kinds of lines

    /// "Packing" of "## Packing", and how many signs stand before it; nil for any other line.
    static func heading(_ line: Substring) -> (title: String, level: Int)? {
        let text = line.drop { $0 == "#" }
        guard text.startIndex != line.startIndex, text.first == " " else { return nil }
        var title = text.trimming
        let closing = title.reversed().prefix { $0 == "#" }.count
        if closing > 0, title.dropLast(closing).last == " " { title = String(title.dropLast(closing)) }
        title = plain(title).displayed().trimmed
        return title.isBlank ? nil : (title, line.count - text.count)
    }

    /// Whether a line underlines the one before it as the title of the whole.
    static func isUnderline(_ line: Substring) -> Bool {
        let text = line.trimming
        return text.utf8.count >= 3 && text.allSatisfy { $0 == "=" }
    }

    /// A line that can be underlined.
    static func titleLine(_ line: Substring) -> String? {
        guard line.first?.isWhitespace == false, !isElement(line), !isRule(line) else { return nil }
        let title = plain(line.trimming).displayed().trimmed
        return title.isBlank ? nil : title
    }

    /// "---", "* * *": a line that only divides.
    static func isRule(_ line: Substring) -> Bool {
        let signs = line.filter { !$0.isWhitespace }
        guard signs.count >= 3, let first = signs.first, "-*_=~".contains(first) else { return false }
        return signs.allSatisfy { $0 == first }
    }

    /// Whether a line is an element of a list.
    static func isElement(_ line: Substring) -> Bool {
        let word = line.drop(while: \.isWhitespace).prefix { !$0.isWhitespace }
        let digits = word.prefix { $0.isASCII && $0.isNumber }
        return ["-", "*", "+"].contains(word) || !digits.isEmpty && [".", ")"].contains(word.dropFirst(digits.count))
    }

    /// "price" and "80 EUR" of "  - price: 80 EUR", where it is a field's name.
    static func field(_ line: Substring) -> (name: String, value: String)? {
        let text = line.drop(while: \.isWhitespace)
        guard line.count - text.count >= 2 || line.first == "\t", let bullet = text.first, "-*+".contains(bullet),
            text.dropFirst().first == " ", let colon = text.firstIndex(of: ":")
        else { return nil }
        let name = text[..<colon].dropFirst(2).trimming
        guard OwnDescription.isLabel(name) else { return nil }
        return (name, plain(text[text.index(after: colon)...].trimming))
    }

    /// A further line of a field's text.
    static func continuation(_ line: Substring) -> String? {
        guard line.hasPrefix("    "), !isElement(line) else { return nil }
        let text = line.trimming
        return text == "\\" ? "" : plain(text)
    }

    // MARK: - Within a line

    /// The text without backslashes before signs of Markdown, and with the characters that entities stand for. O(n).
    static func plain(_ text: String) -> String {
        guard text.utf8.contains(where: { $0 == 0x5C || $0 == 0x26 }) else { return text }
        var plain = ""
        var rest = text[...]
        while let mark = rest.firstIndex(where: { $0 == "\\" || $0 == "&" }) {
            plain += rest[..<mark]
            rest = rest[mark...]
            if let (character, length) = PlainText.entity(rest) {
                plain += character
                rest = rest.dropFirst(length)
            } else if rest.first == "\\", let next = rest.dropFirst().first, isSign(next) {
                plain.append(next)
                rest = rest.dropFirst(2)
            } else {
                plain.append(rest.removeFirst())
            }
        }
        return plain + rest
    }

    /// Whether a word at an end of a title may be read as how many there are, as a unit behind that, or as a box to tick.
    private static func isCounting(_ word: Substring) -> Bool {
        if ["☐", "☑"].contains(word) || NewItem.units.contains(String(word)) { return true }
        return !word.isEmpty && word.count <= 5
            && word.lowercased().allSatisfy { $0.isASCII && $0.isNumber || $0 == "x" || $0 == "×" }
    }

    /// A title with a backslash before its first or its last word, if that may count or tick. Markdown shows this backslash.
    static func guarded(_ title: String, atEnd: Bool) -> String {
        let words = title.split(whereSeparator: \.isWhitespace)
        guard let word = atEnd ? words.last : words.first, isCounting(word) else { return title }
        return String(title[..<word.startIndex]) + "\\" + String(title[word.startIndex...])
    }

    /// The title without those backslashes.
    static func unguarded(_ title: String) -> String {
        var words = title.split(separator: " ", omittingEmptySubsequences: false)
        for place in Set([0, words.count - 1]) where words[place].first == "\\" {
            if isCounting(words[place].dropFirst()) { words[place].removeFirst() }
        }
        return words.joined(separator: " ")
    }

    private static func isSign(_ character: Character) -> Bool {
        guard let byte = character.asciiValue else { return false }
        return (0x21...0x7E).contains(byte) && !character.isLetter && !character.isNumber
    }

    /// "Nice" and its link of "[Nice](https://a.b)", or of `<https://a.b>`, with what stands around it; nil where there is
    /// none. What leads nowhere on the web is left out.
    static func linked(_ text: String) -> (title: String, link: String?)? {
        guard let start = unescaped("[", in: text[...]), let close = unescaped("]", in: text[start...]),
            text[close...].hasPrefix("](")
        else { return nil }
        let target = text[close...].dropFirst(2)
        let end: String.Index?
        var destination: Substring
        if target.first == "<" {
            let inner = target.dropFirst().prefix { $0 != ">" }
            destination = inner
            end = text[inner.endIndex...].hasPrefix(">)") ? text.index(inner.endIndex, offsetBy: 2) : nil
        } else {
            var depth = 1
            let inner = target.prefix {
                depth += $0 == "(" ? 1 : $0 == ")" ? -1 : 0
                return depth > 0
            }
            // A title may stand behind the address.
            destination = inner.prefix { !$0.isWhitespace }
            end = inner.endIndex < text.endIndex ? text.index(after: inner.endIndex) : nil
        }
        guard let end else { return nil }
        let label = text[text.index(after: start)..<close]
        let title = [text[..<start], label, text[end...]].map(\.trimming).filter { !$0.isEmpty }.joined(separator: " ")
        return (title, WebAddress(typed: String(destination))?.text)
    }

    private static func unescaped(_ mark: Character, in text: Substring) -> String.Index? {
        var isEscaped = false
        return text.indices.first { index in
            defer { isEscaped = text[index] == "\\" && !isEscaped }
            return text[index] == mark && !isEscaped
        }
    }
}

extension Substring {
    /// Without white space at its ends.
    var trimming: String { String(self).trimmed }
}
