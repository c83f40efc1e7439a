/// Text out of the little HTML that listings hold.
enum PlainText {
    /// The text with line breaks for `<br>` and `</p>`, and without any other tag. O(n).
    static func ofHTML(_ html: String) -> String {
        guard html.utf8.contains(where: { $0 == 0x3C || $0 == 0x26 }) else { return html }
        var text = ""
        var rest = Substring(html)
        while let start = rest.firstIndex(of: "<") {
            text += rest[..<start]
            rest = rest[start...]
            let tag = rest.dropFirst().prefix { $0 != ">" && $0 != "<" }
            let isTag = tag.first.map { $0.isLetter || $0 == "/" } ?? false
            guard isTag, tag.utf8.count <= tagBytes, tag.endIndex < rest.endIndex, rest[tag.endIndex] == ">" else {
                text += "<"
                rest = rest.dropFirst()
                continue
            }
            let name = tag.lowercased().prefix { $0 == "/" || $0.isLetter }
            if name == "br" || name == "/p" { text += "\n" }
            rest = rest[rest.index(after: tag.endIndex)...]
        }
        return withoutEntities(text + rest)
    }

    /// What is longer was meant as text.
    private static let tagBytes = 200

    /// The text with the characters that its entities stand for: those that every writer of HTML escapes. O(n).
    static func withoutEntities(_ text: String) -> String {
        guard text.utf8.contains(0x26) else { return text }
        var decoded = ""
        var rest = Substring(text)
        while let start = rest.firstIndex(of: "&") {
            decoded += rest[..<start]
            rest = rest[start...]
            if let (entity, character) = entities.first(where: { rest.hasPrefix($0.0) }) {
                decoded += character
                rest = rest.dropFirst(entity.count)
            } else {
                decoded += "&"
                rest = rest.dropFirst()
            }
        }
        return decoded + rest
    }

    private static let entities = [
        ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&#x27;", "'"),
        ("&nbsp;", " "),
    ]
}
