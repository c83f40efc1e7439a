import TripModel

/// A trip in Markdown (CommonMark, and the task lists of GitHub): a list with a heading, what is to be brought with a box
/// to tick.
enum MarkdownDocument {
    static func write(_ trip: TripView) -> String {
        var text = "# \(escaped(trip.title?.value ?? "Untitled trip"))\n"
        if !trip.items.isEmpty { text += "\n" }
        for item in trip.items { text += entry(item) }
        return text
    }

    private static func entry(_ item: ItemView) -> String {
        let box = item.isDone ? "[x] " : item.quantity == nil ? "" : "[ ] "
        let count = item.quantity.map { $0 == 1 ? "" : "\($0) " } ?? ""
        let title = box.isEmpty && count.isEmpty ? escaped(item.title) : inline(item.title)
        let name = item.fields[.link].map { "[\(title)](<\(destination($0.value))>)" } ?? title
        var text = "- \(box)\(count)\(name)\n"
        for (field, value) in item.exportedFields where field != .link {
            // What is indented by a list's mark belongs to its element; a blank line would end it.
            let lines = value.split(separator: "\n").map(String.init)
            let further = lines.dropFirst().map { "  \n    " + escaped($0) }.joined()
            text += "  - \(field.name): \(inline(lines.first ?? ""))\(further)\n"
        }
        if !item.votes.isEmpty { text += "  - votes: \(inline(item.exportedVotes))\n" }
        return text
    }

    /// A line with a backslash before what could be read as markup; one that begins like a list would be one.
    private static func escaped(_ text: String) -> String {
        if let first = text.first, "-+=".contains(first) { return "\\" + inline(text) }
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
