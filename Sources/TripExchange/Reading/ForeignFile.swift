import TripModel
import TripService

/// What is handed to an import and is not a list: programs, pages, packed files, settings. Read as lines, each would be
/// dozens of items that nobody meant.
enum ForeignFile {
    /// What can be read, for messages.
    private static let readable =
        "import reads CSV, JSON, iCalendar, GPX, KML, Markdown and text with an item on each line"

    /// Why the bytes are no list; nil where they may be one. O(n).
    static func problem(_ bytes: ArraySlice<UInt8>) -> ServiceError? {
        if bytes.starts(with: [0x50, 0x4B, 3, 4]) { return refusal("a packed file (KMZ, XLSX, ODS or ZIP)") }
        if bytes.starts(with: [0xFE, 0xFF]) || bytes.starts(with: [0xFF, 0xFE]) {
            return ServiceError("this text is in UTF-16; save it in UTF-8")
        }
        if bytes.contains(0) { return refusal("a binary file") }
        let text = bytes.drop { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
        if let markup = markup(text) { return refusal(markup) }
        if text.starts(with: "#!".utf8) { return refusal("a script") }
        if text.starts(with: "BEGIN:".utf8), !text.starts(with: "BEGIN:VCALENDAR".utf8) {
            let name = text.dropFirst(6).prefix { (0x41...0x5A).contains($0) }.prefix(20)
            return refusal("a \(String(decoding: name, as: UTF8.self)) file")
        }
        return nil
    }

    /// Why lines are no list, though they are text: half of them, and two at least, are records of a program. Those of a
    /// person are names and links.
    static func problem(inLines lines: [Substring]) -> ServiceError? {
        let texts = lines.lazy.filter { line in
            guard let first = line.first, !first.isWhitespace else { return false }
            // What stands behind a bullet is somebody's words.
            return !MarkdownText.isElement(line)
        }.prefix(1_000)
        let count = texts.count { isRecord($0) }
        return count >= 2 && count * 2 >= texts.count
            ? refusal("settings, a program or a table without column names") : nil
    }

    /// "root:x:0:0:root:/root:/bin/bash", "PATH=/usr/bin", "return 0;", "| a | b |".
    private static func isRecord(_ line: Substring) -> Bool {
        let line = line.prefix(2_000)
        if line.contains("://") { return false }
        if let last = line.last(where: { !$0.isWhitespace }), "{};".contains(last) { return true }
        let words = line.split(separator: ":", omittingEmptySubsequences: false)
        if words.count > 3, words.dropFirst().allSatisfy({ $0.first != " " }) { return true }
        if line.count(where: { $0 == "|" }) > 2 { return true }
        let name = line.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || "_-.".contains($0)) }
        return !name.isEmpty && line.dropFirst(name.count).first == "="
    }

    private static func refusal(_ what: String) -> ServiceError {
        ServiceError("this is \(what), not a list: \(readable)")
    }

    // MARK: - Markup

    /// What markup it is that cannot be read; nil for what can, and for what is no markup.
    private static func markup(_ text: ArraySlice<UInt8>) -> String? {
        guard isMarkup(text) else { return nil }
        let beginning = String(decoding: text.prefix(1_000), as: UTF8.self).lowercased()
        if beginning.hasPrefix("<!doctype html") || beginning.hasPrefix("<html") { return "a web page" }
        guard let root = rootName(text) else { return nil }
        if root.lowercased() == "html" { return "a web page" }
        return ["gpx", "kml"].contains(root) ? nil : "a file of markup (\(root.displayed(limit: 20)))"
    }

    /// "gpx" or "kml" where a text is markup of these, or of what cannot be read at all.
    static func rootElement(_ text: ArraySlice<UInt8>) -> String? { isMarkup(text) ? rootName(text) ?? "gpx" : nil }

    /// A link between angle brackets is none, and neither is "<3".
    private static func isMarkup(_ text: ArraySlice<UInt8>) -> Bool {
        guard text.first == UInt8(ascii: "<"), let next = text.dropFirst().first else { return false }
        let beginning = String(decoding: text.dropFirst().prefix(8), as: UTF8.self).lowercased()
        if ["http://", "https://", "www."].contains(where: beginning.hasPrefix) { return false }
        return next == UInt8(ascii: "?") || next == UInt8(ascii: "!") || Character(Unicode.Scalar(next)).isLetter
    }

    private static func rootName(_ text: ArraySlice<UInt8>) -> String? {
        var reader = XMLReader(text)
        while let token = try? reader.next() {
            if case .start(let name, _) = token { return name }
        }
        return nil
    }
}
