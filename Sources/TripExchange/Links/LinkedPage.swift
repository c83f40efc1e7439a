import TripModel
import TripService

/// What a page says of itself to programs, as it says it: its title, its meta elements, and its data in JSON-LD.
struct LinkedPage {
    private(set) var title: String?
    /// The first value of each name, in lower case.
    private var metas: [String: String] = [:]
    /// What its scripts of JSON-LD hold. One that is no JSON is left out.
    private(set) var data: [JSONText] = []

    /// - Parameter contentType: as the server names it; nil where it names none.
    /// - Throws: for what is no page.
    ///
    /// Complexity: O(n) in the bytes.
    init(_ bytes: [UInt8], contentType: String?) throws(ServiceError) {
        guard bytes.count <= LinkLimits.bytes else {
            throw ServiceError("the page is larger than \(LinkLimits.bytes >> 20) MB")
        }
        let type = contentType.map { $0.prefix { $0 != ";" && $0 != " " }.lowercased() } ?? ""
        guard ["", "text/html", "application/xhtml+xml"].contains(type) else {
            throw ServiceError("the link leads to a file (\(type.displayed(limit: 60))), not to a page")
        }
        let elements = Self.elements(of: bytes)
        let charset =
            contentType.flatMap(PageCharset.init(contentType:))
            ?? (bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? .utf8 : elements.lazy.compactMap(Self.charset).first)
        var scriptBytes = 0
        for element in elements {
            switch element.name {
            case .title: title = title ?? Self.text(element.content, charset)
            case .meta: note(element, charset)
            case .script:
                scriptBytes += element.content.count
                guard scriptBytes <= LinkLimits.scriptBytes, let data = Self.data(element.content, charset) else {
                    continue
                }
                self.data.append(data)
            }
        }
    }

    /// The first of these metas that says something.
    subscript(names: String...) -> String? {
        names.lazy.compactMap { metas[$0] }.first { !$0.isBlank }
    }

    // MARK: - Elements

    /// Those that say something of the page, as many as are looked at.
    private static func elements(of bytes: [UInt8]) -> [HTMLScanner.Element] {
        var scanner = HTMLScanner(bytes[...])
        var elements: [HTMLScanner.Element] = []
        var scripts = 0
        while elements.count < LinkLimits.tags, let element = scanner.next() {
            switch element.name {
            case .title, .meta: elements.append(element)
            case .script:
                let type = String(decoding: element.attributes["type"] ?? [], as: UTF8.self).lowercased()
                guard scripts < LinkLimits.scripts, type.trimmed.hasPrefix("application/ld+json") else { continue }
                scripts += 1
                elements.append(element)
            }
        }
        return elements
    }

    /// What a meta says of the page's charset.
    private static func charset(_ element: HTMLScanner.Element) -> PageCharset? {
        let attribute = { (name: String) in
            element.attributes[name].map { String(decoding: $0.prefix(1_000), as: UTF8.self) }
        }
        if let label = attribute("charset"), element.name == .meta {
            // Who can read this far reads ASCII: a page that says UTF-16 here is in UTF-8 (HTML, section 13.2.3.2).
            return label.lowercased().hasPrefix("utf-16") ? .utf8 : PageCharset(label: label)
        }
        guard attribute("http-equiv")?.lowercased() == "content-type" else { return nil }
        return attribute("content").flatMap(PageCharset.init(contentType:))
    }

    private mutating func note(_ element: HTMLScanner.Element, _ charset: PageCharset?) {
        guard let content = element.attributes["content"], let text = Self.text(content, charset) else { return }
        for attribute in ["property", "name", "itemprop"] {
            guard let bytes = element.attributes[attribute], bytes.count <= 64 else { continue }
            let name = String(decoding: bytes, as: UTF8.self).lowercased().trimmed
            if metas[name] == nil { metas[name] = text }
        }
    }

    /// A text with the characters that its references stand for, and one blank for all white space between words. What is longer than `LinkLimits.textBytes` is cut.
    private static func text(_ bytes: ArraySlice<UInt8>, _ charset: PageCharset?) -> String? {
        var part = bytes.prefix(LinkLimits.textBytes)
        // Not within a character of UTF-8.
        if part.count < bytes.count { while let last = part.last, last >= 0x80 { part.removeLast() } }
        return PageCharset.text(part, in: charset).map { text in
            PlainText.withoutEntities(text).split(whereSeparator: \.isWhitespace).joined(separator: " ")
        }
    }

    /// A script's data; nil for what is no JSON.
    private static func data(_ script: ArraySlice<UInt8>, _ charset: PageCharset?) -> JSONText? {
        guard let text = PageCharset.text(script, in: charset) else { return nil }
        // Line breaks within texts, which JSON forbids, are common. Between its tokens, blanks are the same.
        let bytes = text.utf8.map { $0 < 0x20 ? 0x20 : $0 }
        return try? JSONText(reading: Array(Self.unwrapped(bytes)))
    }

    /// The object or array in a script, without the comments, marks of CDATA and semicolons that tools put around it.
    private static func unwrapped(_ bytes: [UInt8]) -> ArraySlice<UInt8> {
        let isArray = bytes.first { $0 != 0x20 } == UInt8(ascii: "[")
        guard let start = bytes.firstIndex(of: UInt8(ascii: isArray ? "[" : "{")),
            let end = bytes.lastIndex(of: UInt8(ascii: isArray ? "]" : "}")), start < end
        else { return [] }
        return bytes[start...end]
    }
}
