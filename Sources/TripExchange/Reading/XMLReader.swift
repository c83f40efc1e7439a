import TripModel
import TripService

/// Reads the part of XML 1.0 that GPX and KML use, one token after the other: elements, attributes, text and CDATA.
///
/// A document type is refused. So no entity can be declared: nothing expands, and nothing outside the text is ever read
/// (CWE-611, CWE-776). Names lose their prefixes, for no two vocabularies that are read here share a name.
struct XMLReader {
    enum Token {
        case start(String, attributes: [String: String])
        case end(String)
        /// With its entities decoded; an element may hold several.
        case text(String)
    }

    private let bytes: ArraySlice<UInt8>
    private var place: Int
    /// The full names of the elements that are open.
    private var open: [String] = []
    /// The end of an element that was written as `<name/>`.
    private var pendingEnd: String?
    private var hasRoot = false

    init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        place = bytes.startIndex
    }

    /// The line that is read, from 1.
    var line: Int { 1 + bytes[..<min(place, bytes.endIndex)].count { $0 == 0x0A } }

    func problem(_ what: String) -> ServiceError { ServiceError("line \(line): \(what)") }

    /// The next token; nil at the end. O(n) in its bytes.
    mutating func next() throws(ServiceError) -> Token? {
        if let name = pendingEnd {
            pendingEnd = nil
            open.removeLast()
            return .end(Self.local(name))
        }
        while place < bytes.endIndex {
            guard bytes[place] == UInt8(ascii: "<") else {
                let text = try text()
                if !open.isEmpty { return .text(text) }
                guard text.isBlank else { throw problem("text is outside the root element") }
                continue
            }
            if takes("<!--") {
                try skip(past: "-->")
            } else if takes("<![CDATA[") {
                guard !open.isEmpty else { throw malformed }
                return .text(try upTo("]]>"))
            } else if takes("<!") {
                throw problem("it declares a document type, which is not read; remove the <!DOCTYPE …>")
            } else if takes("<?") {
                try instruction()
            } else if takes("</") {
                return try end()
            } else {
                return try start()
            }
        }
        guard open.isEmpty, hasRoot else { throw problem("the XML ends in the middle") }
        return nil
    }

    // MARK: - Elements

    private mutating func start() throws(ServiceError) -> Token {
        place += 1
        let name = try name()
        guard !open.isEmpty || !hasRoot else { throw problem("a second root element follows the first") }
        guard open.count < ExchangeLimits.depth else {
            throw problem("the XML is nested deeper than \(ExchangeLimits.depth) levels")
        }
        var attributes: [String: String] = [:]
        while true {
            let hasBlank = skipBlanks()
            if takes("/>") {
                pendingEnd = name
                break
            }
            if takes(">") { break }
            guard hasBlank else { throw malformed }
            guard attributes.count < ExchangeLimits.columns else {
                throw problem("an element has more than \(ExchangeLimits.columns) attributes")
            }
            let attribute = try self.name()
            skipBlanks()
            guard takes("=") else { throw malformed }
            skipBlanks()
            attributes[Self.local(attribute)] = try value()
        }
        hasRoot = true
        open.append(name)
        return .start(Self.local(name), attributes: attributes)
    }

    private mutating func end() throws(ServiceError) -> Token {
        let name = try name()
        skipBlanks()
        guard takes(">"), open.popLast() == name else {
            throw problem("“</\(name.displayed(limit: 40))>” closes no element")
        }
        return .end(Self.local(name))
    }

    private mutating func name() throws(ServiceError) -> String {
        let start = place
        while place < bytes.endIndex, Self.isName(bytes[place]) { place += 1 }
        guard place > start, place - start <= 256 else { throw malformed }
        return try decoded(bytes[start..<place])
    }

    /// Letters, digits and "-._:" of ASCII, and all that is beyond it.
    private static func isName(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x3A, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x80...: true
        default: false
        }
    }

    private mutating func value() throws(ServiceError) -> String {
        guard let quote = bytes[place...].first, quote == 0x22 || quote == 0x27 else { throw malformed }
        place += 1
        let start = place
        while place < bytes.endIndex, bytes[place] != quote, bytes[place] != UInt8(ascii: "<") { place += 1 }
        guard place < bytes.endIndex, bytes[place] == quote else { throw malformed }
        defer { place += 1 }
        return try withoutEntities(bytes[start..<place])
    }

    static func local(_ name: String) -> String { name.split(separator: ":").last.map(String.init) ?? name }

    // MARK: - What is no element

    /// "<?xml version="1.0" encoding="UTF-8"?>", and what programs add for programs.
    private mutating func instruction() throws(ServiceError) {
        let start = place
        try skip(past: "?>")
        let text = String(decoding: bytes[start..<place], as: UTF8.self).lowercased()
        guard text.hasPrefix("xml "), let found = text.firstRange(of: "encoding") else { return }
        let encoding = text[found.upperBound...].drop { !$0.isLetter }.prefix { $0 != "\"" && $0 != "'" }
        guard ["utf-8", "utf8", "us-ascii"].contains(encoding) else {
            throw problem("its encoding is \(String(encoding).displayed(limit: 20)); save it in UTF-8")
        }
    }

    private mutating func text() throws(ServiceError) -> String {
        let start = place
        while place < bytes.endIndex, bytes[place] != UInt8(ascii: "<") { place += 1 }
        return try withoutEntities(bytes[start..<place])
    }

    private mutating func upTo(_ mark: String) throws(ServiceError) -> String {
        let start = place
        try skip(past: mark)
        let text = bytes[start..<place - mark.utf8.count]
        try checkLength(text)
        return try decoded(text)
    }

    private mutating func skip(past mark: String) throws(ServiceError) {
        let mark = Array(mark.utf8)
        while place < bytes.endIndex {
            if bytes[place] == mark[0], bytes[place...].starts(with: mark) {
                place += mark.count
                return
            }
            place += 1
        }
        throw problem("the XML ends in the middle")
    }

    // MARK: - Characters

    private func checkLength(_ text: ArraySlice<UInt8>) throws(ServiceError) {
        guard text.count <= ExchangeLimits.fieldBytes else {
            throw problem("a text has more than \(ExchangeLimits.fieldBytes >> 10) KiB")
        }
    }

    /// The five entities that need no declaration, and characters by their numbers (section 4.6).
    private func withoutEntities(_ text: ArraySlice<UInt8>) throws(ServiceError) -> String {
        try checkLength(text)
        guard text.contains(UInt8(ascii: "&")) else { return try decoded(text) }
        var whole = ""
        var rest = text
        while let start = rest.firstIndex(of: UInt8(ascii: "&")) {
            whole += try decoded(rest[..<start])
            let name = rest[(start + 1)...].prefix(12).prefix { $0 != UInt8(ascii: ";") }
            guard name.endIndex < rest.endIndex, rest[name.endIndex] == UInt8(ascii: ";"),
                let character = PlainText.character(String(decoding: name, as: UTF8.self), named: Self.entities)
            else { throw problem("an “&” begins no entity of XML: write “&amp;”") }
            whole += character
            rest = rest[(name.endIndex + 1)...]
        }
        return whole + (try decoded(rest))
    }

    private static let entities = ["amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'"]

    private func decoded(_ text: ArraySlice<UInt8>) throws(ServiceError) -> String {
        guard let text = String(validating: text, as: UTF8.self) else {
            throw problem("it is not in UTF-8; save it in UTF-8")
        }
        // A line end is a line feed, however it was written (section 2.11).
        return text.utf8.contains(0x0D) ? text.replacing("\r\n", with: "\n").replacing("\r", with: "\n") : text
    }

    private mutating func takes(_ text: String) -> Bool {
        guard bytes[place...].starts(with: text.utf8) else { return false }
        place += text.utf8.count
        return true
    }

    @discardableResult
    private mutating func skipBlanks() -> Bool {
        let start = place
        while place < bytes.endIndex, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[place]) { place += 1 }
        return place > start
    }

    private var malformed: ServiceError {
        problem(place >= bytes.endIndex ? "the XML ends in the middle" : "this is not XML")
    }
}
