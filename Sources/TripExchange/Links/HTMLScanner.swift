/// Finds the elements of an HTML page that say what it is about: `meta`, `title` and `script`.
///
/// It makes no tree, so nothing is as deep as a page is nested. It follows the states of HTML's tokenizer (HTML, section 13.2.5) as far
/// as they tell tags from comments, scripts and values of attributes. Whatever is not closed ends with the page.
///
/// Complexity: each byte is read a fixed number of times.
struct HTMLScanner {
    enum Name: String { case meta, title, script }

    struct Element {
        let name: Name
        /// The first value of each name, as it is written; at most `LinkLimits.attributes`.
        let attributes: [String: ArraySlice<UInt8>]
        /// What stands between the tags of a title and of a script.
        let content: ArraySlice<UInt8>
    }

    private let bytes: ArraySlice<UInt8>
    private var place: Int

    init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        place = bytes.startIndex
    }

    /// The next element; nil at the end.
    mutating func next() -> Element? {
        while goes(to: UInt8(ascii: "<")) {
            place += 1
            guard place < bytes.endIndex else { return nil }
            switch bytes[place] {
            case UInt8(ascii: "!"): skipDeclaration()
            case UInt8(ascii: "?"): goes(to: Self.tagEnd)
            case UInt8(ascii: "/"):
                place += 1
                if isLetter(at: place) { _ = tag() } else { goes(to: Self.tagEnd) }
            default:
                guard isLetter(at: place) else { continue }
                guard let tag = tag() else { return nil }
                let content = Self.textElements.contains(tag.name) ? text(of: tag.name) : bytes[place..<place]
                if let name = Name(rawValue: tag.name) {
                    return Element(name: name, attributes: tag.attributes, content: content)
                }
            }
        }
        return nil
    }

    private static let tagEnd = UInt8(ascii: ">")

    /// Elements whose content is text, whatever it looks like.
    private static let textElements: Set<String> = [
        "script", "style", "title", "textarea", "xmp", "iframe", "noembed", "noframes",
    ]

    /// The longest name of an element or attribute that is looked at.
    private static let nameBytes = 64

    // MARK: - Tags

    /// A tag from its name on; nil where it is not closed. Attributes are kept of elements that are looked for.
    private mutating func tag() -> (name: String, attributes: [String: ArraySlice<UInt8>])? {
        let name = name { Self.isSpace($0) || $0 == UInt8(ascii: "/") || $0 == Self.tagEnd }
        let isWanted = Name(rawValue: name) != nil
        var attributes: [String: ArraySlice<UInt8>] = [:]
        while place < bytes.endIndex {
            let byte = bytes[place]
            if byte == Self.tagEnd {
                place += 1
                return (name, attributes)
            }
            if Self.isSpace(byte) || byte == UInt8(ascii: "/") {
                place += 1
                continue
            }
            let (attribute, value) = attribute(isWanted: isWanted)
            guard isWanted, attributes.count < LinkLimits.attributes, attributes[attribute] == nil else { continue }
            attributes[attribute] = value
        }
        return nil
    }

    private mutating func attribute(isWanted: Bool) -> (name: String, value: ArraySlice<UInt8>) {
        let start = place
        // A "=" that nothing stands before begins a name.
        let name = name(isWanted: isWanted) { byte in
            Self.isSpace(byte) || byte == UInt8(ascii: "/") || byte == Self.tagEnd || byte == UInt8(ascii: "=")
        }
        if place == start { place += 1 }
        skipSpaces()
        guard place < bytes.endIndex, bytes[place] == UInt8(ascii: "=") else { return (name, []) }
        place += 1
        skipSpaces()
        guard place < bytes.endIndex else { return (name, []) }
        let quote = bytes[place]
        guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
            let start = place
            while place < bytes.endIndex, !Self.isSpace(bytes[place]), bytes[place] != Self.tagEnd { place += 1 }
            return (name, bytes[start..<place])
        }
        place += 1
        let valueStart = place
        goes(to: quote)
        let value = bytes[valueStart..<place]
        if place < bytes.endIndex { place += 1 }
        return (name, value)
    }

    /// A name in lower case, up to a byte that ends it; empty for one that is too long or not wanted.
    private mutating func name(isWanted: Bool = true, until isEnd: (UInt8) -> Bool) -> String {
        let start = place
        while place < bytes.endIndex, !isEnd(bytes[place]) { place += 1 }
        guard isWanted, place - start <= Self.nameBytes else { return "" }
        return String(decoding: bytes[start..<place].map(Self.lowercased), as: UTF8.self)
    }

    /// What stands before the end tag of an element, or up to the end of the page.
    private mutating func text(of name: String) -> ArraySlice<UInt8> {
        let start = place
        while goes(to: UInt8(ascii: "<")) {
            let after = place + 2 + name.utf8.count
            let isEnd =
                place + 1 < bytes.endIndex && bytes[place + 1] == UInt8(ascii: "/")
                && bytes[(place + 2)...].prefix(name.utf8.count).map(Self.lowercased).elementsEqual(name.utf8)
                && (after >= bytes.endIndex || Self.isSpace(bytes[after]) || bytes[after] == Self.tagEnd
                    || bytes[after] == UInt8(ascii: "/"))
            if isEnd { return bytes[start..<place] }
            place += 1
        }
        return bytes[start...]
    }

    // MARK: - What is no tag

    /// A comment, a document type or what is taken for a comment.
    private mutating func skipDeclaration() {
        guard bytes[place...].starts(with: "!--".utf8) else {
            goes(to: Self.tagEnd)
            return
        }
        // The dashes that open a comment may close it: "<!-->".
        let start = place + 1
        let hasDashes = { (bytes: ArraySlice<UInt8>, end: Int) in
            bytes[end - 1] == UInt8(ascii: "-") && bytes[end - 2] == UInt8(ascii: "-")
        }
        place = start + 2
        while goes(to: Self.tagEnd) {
            if hasDashes(bytes, place) { return }
            if place > start + 4, bytes[place - 1] == UInt8(ascii: "!"), hasDashes(bytes, place - 1) { return }
            place += 1
        }
    }

    /// Moves to a byte, or to the end where there is none: false.
    @discardableResult
    private mutating func goes(to byte: UInt8) -> Bool {
        while place < bytes.endIndex {
            if bytes[place] == byte { return true }
            place += 1
        }
        return false
    }

    private mutating func skipSpaces() {
        while place < bytes.endIndex, Self.isSpace(bytes[place]) { place += 1 }
    }

    private func isLetter(at place: Int) -> Bool {
        place < bytes.endIndex && (0x61...0x7A).contains(Self.lowercased(bytes[place]))
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x20, 0x09, 0x0A, 0x0C, 0x0D: true
        default: false
        }
    }

    private static func lowercased(_ byte: UInt8) -> UInt8 { (0x41...0x5A).contains(byte) ? byte | 0x20 : byte }
}
