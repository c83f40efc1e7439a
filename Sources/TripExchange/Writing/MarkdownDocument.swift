import TripModel
import TripService

/// A trip in Markdown (CommonMark, and the task lists of GitHub): its title underlined, its note below that, each list under a
/// heading, what is to be brought with a box to tick.
enum MarkdownDocument {
    static func write(_ trip: TripView) -> String {
        let title = escaped(trip.title?.value ?? "Untitled trip")
        // A heading with "#" names a list.
        var text = "\(title)\n\(String(repeating: "=", count: min(max(title.count, 3), 72)))\n"
        if let note = trip.note { text += "\n" + line(.note, note.value) }
        for (list, items) in trip.exportedParts {
            if let list {
                text += "\n## \(escaped(list.title))\n"
                text += list.fields.keys.contains(.itemKind) || list.fields.keys.contains(.note) ? "\n" : ""
                for field in [Field.itemKind, .note] { text += line(field, list.fields[field]?.value ?? "") }
            }
            if !items.isEmpty { text += "\n" }
            for item in items { text += entry(item) }
        }
        return text
    }

    private static func entry(_ item: ItemView) -> String {
        // Three digits are read as how many there are.
        let isInline = item.quantity.map { (1...999).contains($0) } ?? false
        let box = item.quantity == nil ? "" : item.isDone ? "[x] " : "[ ] "
        let count = isInline ? item.quantity.map { $0 == 1 ? "" : "\($0) " } ?? "" : ""
        let title = box.isEmpty && count.isEmpty ? escaped(item.title) : inline(item.title)
        let name = item.fields[.link].map { "[\(unread(title))](<\(destination($0.value))>)" } ?? unread(title)
        var text = "- \(box)\(count)\(name)\n"
        if item.isDone, box.isEmpty { text += line(.done, Field.setValue) }
        for (field, value) in item.exportedFields where field != .link { text += line(field, value) }
        for (label, value) in item.exportedFacts where label != OwnDescription.list {
            if label != OwnDescription.quantity || !isInline { text += "  - \(label): \(inline(value))\n" }
        }
        return text
    }

    private static func line(_ field: Field, _ value: String) -> String {
        guard !value.isEmpty else { return "" }
        // What is indented by a list's mark belongs to its element; a blank line would end it, so it is a break alone.
        let lines = value.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let further = lines.dropFirst().map { $0.isBlank ? "  \n    \\" : "  \n    " + escaped($0) }.joined()
        return "  - \(field.name): \(inline(lines[0]))\(further)\n"
    }

    /// A line with a backslash before what could be read as markup; one that begins like a list would be one.
    private static func escaped(_ text: String) -> String {
        let blanks = text.prefix(while: \.isWhitespace)
        if !blanks.isEmpty { return String(blanks) + escaped(String(text.dropFirst(blanks.count))) }
        if let first = text.first, "-+={".contains(first) { return "\\" + inline(text) }
        // What begins so is another form.
        for mark in ["BEGIN:", "caravan:"] where text.hasPrefix(mark) {
            return String(mark.dropLast()) + "\\:" + inline(String(text.dropFirst(mark.count)))
        }
        let number = text.prefix { $0.isASCII && $0.isNumber }
        guard !number.isEmpty, let mark = text.dropFirst(number.count).first, ".)".contains(mark) else {
            return inline(text)
        }
        return number + "\\" + inline(String(text.dropFirst(number.count)))
    }

    private static func inline(_ text: String) -> String {
        var escaped = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if special.contains(scalar) { escaped.append("\\") }
            escaped.append(scalar)
        }
        return String(escaped)
    }

    private static let special: Set<Unicode.Scalar> = [
        "\\", "`", "*", "_", "[", "]", "<", ">", "#", "|", "~", "&", "!",
    ]

    /// A title whose first or last word counts ("3 towels", "towels ×2"), ticks, or is a unit ("kg rice", of which there are 2), or that
    /// holds an address, with an entity in place of what would be read so.
    private static func unread(_ title: String) -> String {
        var title = title.replacing("://", with: "&#58;//").replacing("www.", with: "www&#46;")
        let words = title.split(whereSeparator: \.isWhitespace)
        for word in words.count > 1 ? [words[words.count - 1], words[0]] : words
        where isRead(word, isAlone: words.count == 1) {
            guard let scalar = word.unicodeScalars.first else { continue }
            title.unicodeScalars.replaceSubrange(
                word.startIndex..<word.unicodeScalars.index(after: word.startIndex),
                with: "&#\(scalar.value);".unicodeScalars)
        }
        return title
    }

    private static func isRead(_ word: Substring, isAlone: Bool) -> Bool {
        if ["☐", "☑", "•", "–"].contains(word) || NewItem.units.contains(String(word)) { return true }
        let digits = word.filter { $0.isASCII && $0.isNumber }
        // "000", of which there are 10.
        if isAlone { return digits.count == 3 && digits.count == word.count }
        return digits.count <= 3
            && word.lowercased().allSatisfy { $0.isASCII && $0.isNumber || $0 == "x" || $0 == "×" }
    }

    /// A link between angle brackets, which it cannot hold itself.
    private static func destination(_ link: String) -> String {
        var destination = ""
        for character in link {
            switch character {
            case "<", ">", "\\": destination += PercentEncoding.encode(String(character))
            default: destination.append(character)
            }
        }
        return destination
    }
}
