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
        let link = item.fields[.link].map { destination($0.value) }
        let lines = forms(of: title).map { title in
            "- \(box)\(count)" + (link.map { "[\(title)](<\($0)>)" } ?? title)
        }
        let quantity = box.isEmpty ? nil : isInline ? item.quantity : 1
        let isRead = { (line: String) -> Bool in
            guard let read = NewItem(pasted: line[...]), read.quantity == quantity else { return false }
            let words = item.title.split(whereSeparator: \.isWhitespace)
            return read.title == words.joined(separator: " ") && (link != nil || read.fields[.link] == nil)
        }
        var text = (lines.first(where: isRead) ?? lines[lines.count - 1]) + "\n"
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
        let scalars = Array(text.unicodeScalars)
        var escaped = String.UnicodeScalarView()
        for (place, scalar) in scalars.enumerated() {
            if isMarkup(scalars, at: place) { escaped.append("\\") }
            escaped.append(scalar)
        }
        return String(escaped)
    }

    private static func isMarkup(_ text: [Unicode.Scalar], at place: Int) -> Bool {
        switch text[place] {
        case "\\", "`", "*", "_", "[", "]", "<", ">", "|", "~": return true
        case "&":
            // An entity.
            let rest = text[(place + 1)...].drop { $0 == "#" || Character($0).isLetter || Character($0).isNumber }
            return rest.first == ";"
        case "#":
            // A heading, or the end of one.
            let isApart = { (scalar: Unicode.Scalar) in scalar == "#" || TextClasses.isSpace(scalar) }
            return place == 0 || isApart(text[place - 1]) && (place + 1 == text.count || isApart(text[place + 1]))
        default: return false
        }
    }

    /// A title as it is, and with backslashes before what an import may read as something else: a first or last word that counts
    /// ("3 towels", "towels ×2"), ticks, or is a unit ("kg rice", of which there are 2), and an address. The fewest come first.
    private static func forms(of title: String) -> [String] {
        let unlinked = title.replacing("://", with: "\\://").replacing("www.", with: "www\\.")
        return [title, unlinked].flatMap { text in
            let first = MarkdownText.guarded(text, atEnd: false)
            return [text, first, MarkdownText.guarded(text, atEnd: true), MarkdownText.guarded(first, atEnd: true)]
        }
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
