import TripService

/// A value of JSON (RFC 8259) that came from outside.
indirect enum JSONText: Hashable, Sendable {
    case null
    case bool(Bool)
    /// As it was written.
    case number(String)
    case string(String)
    case array([JSONText])
    /// The first value of each name.
    case object([String: JSONText])

    /// Reads a whole text, within the bounds of `ExchangeLimits`: Foundation's reader has none on depth or on values, and
    /// no line in its errors.
    ///
    /// Complexity: O(n).
    /// - Throws: one line that says in which line something is wrong, and what.
    init(reading bytes: [UInt8]) throws(ServiceError) {
        self = try bytes.withUnsafeBufferPointer { buffer throws(ServiceError) in
            var reader = JSONReader(buffer)
            return try reader.whole()
        }
    }

    subscript(name: String) -> JSONText? {
        if case .object(let members) = self { members[name] } else { nil }
    }

    var array: [JSONText]? { if case .array(let values) = self { values } else { nil } }

    /// A string, a number as it was written, or "true" and "false"; nil for anything else.
    var text: String? {
        switch self {
        case .string(let text), .number(let text): text
        case .bool(let value): value ? "true" : "false"
        case .null, .array, .object: nil
        }
    }

    /// Whether it says something: neither null, nor false, nor empty.
    var isSaid: Bool {
        switch self {
        case .null, .bool(false), .string(""), .array([]), .object([:]): false
        default: true
        }
    }
}

/// Reads one value after the other; its recursion is as deep as `ExchangeLimits.depth`.
private struct JSONReader {
    private let bytes: UnsafeBufferPointer<UInt8>
    private var place: Int
    private var depth = 0
    private var values = 0

    init(_ bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes
        // The mark that some programs put before UTF-8.
        place = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    }

    mutating func whole() throws(ServiceError) -> JSONText {
        let value = try value()
        skipBlanks()
        guard place == bytes.count else { throw problem("there is text after the end of the JSON; delete it") }
        return value
    }

    private func problem(_ what: String) -> ServiceError {
        let line = 1 + bytes[..<min(place, bytes.count)].count { $0 == 0x0A }
        return ServiceError("line \(line): \(what)")
    }

    private var malformed: ServiceError {
        problem(
            place >= bytes.count ? "the JSON is truncated; save or copy all of it" : "this is not valid JSON")
    }

    private mutating func skipBlanks() {
        while place < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[place]) { place += 1 }
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard place < bytes.count, bytes[place] == byte else { return false }
        place += 1
        return true
    }

    private mutating func value() throws(ServiceError) -> JSONText {
        skipBlanks()
        values += 1
        guard values <= ExchangeLimits.values else {
            throw problem("the JSON has more than \(ExchangeLimits.values) values; import a part of it")
        }
        guard place < bytes.count else { throw malformed }
        switch bytes[place] {
        case UInt8(ascii: "{"): return try nested { reader throws(ServiceError) in try reader.object() }
        case UInt8(ascii: "["): return try nested { reader throws(ServiceError) in try reader.array() }
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        default: return .number(try number())
        }
    }

    private mutating func nested(
        _ read: (inout JSONReader) throws(ServiceError) -> JSONText
    ) throws(ServiceError) -> JSONText {
        guard depth < ExchangeLimits.depth else {
            throw problem("the JSON is nested more than \(ExchangeLimits.depth) levels deep")
        }
        depth += 1
        place += 1
        let value = try read(&self)
        depth -= 1
        return value
    }

    private mutating func object() throws(ServiceError) -> JSONText {
        var members: [String: JSONText] = [:]
        skipBlanks()
        if take(UInt8(ascii: "}")) { return .object([:]) }
        while true {
            skipBlanks()
            guard place < bytes.count, bytes[place] == UInt8(ascii: "\"") else { throw malformed }
            let name = try string()
            skipBlanks()
            guard take(UInt8(ascii: ":")) else { throw malformed }
            let value = try value()
            if members[name] == nil { members[name] = value }
            skipBlanks()
            if take(UInt8(ascii: "}")) { return .object(members) }
            guard take(UInt8(ascii: ",")) else { throw malformed }
        }
    }

    private mutating func array() throws(ServiceError) -> JSONText {
        var elements: [JSONText] = []
        skipBlanks()
        if take(UInt8(ascii: "]")) { return .array([]) }
        while true {
            elements.append(try value())
            skipBlanks()
            if take(UInt8(ascii: "]")) { return .array(elements) }
            guard take(UInt8(ascii: ",")) else { throw malformed }
        }
    }

    private mutating func word(_ word: String, _ value: JSONText) throws(ServiceError) -> JSONText {
        guard bytes[place...].starts(with: word.utf8) else { throw malformed }
        place += word.utf8.count
        return value
    }

    private mutating func digits() -> Int {
        let start = place
        while place < bytes.count, (0x30...0x39).contains(bytes[place]) { place += 1 }
        return place - start
    }

    private mutating func number() throws(ServiceError) -> String {
        let start = place
        _ = take(UInt8(ascii: "-"))
        if !take(UInt8(ascii: "0")) { guard digits() > 0 else { throw malformed } }
        if take(UInt8(ascii: ".")) { guard digits() > 0 else { throw malformed } }
        if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
            if !take(UInt8(ascii: "-")) { _ = take(UInt8(ascii: "+")) }
            guard digits() > 0 else { throw malformed }
        }
        guard place - start <= 64 else { throw problem("a number has more than 64 characters") }
        return String(decoding: bytes[start..<place], as: UTF8.self)
    }

    // MARK: - Strings

    private mutating func string() throws(ServiceError) -> String {
        place += 1
        var start = place
        var decoded: [UInt8] = []
        while true {
            guard place < bytes.count else { throw malformed }
            guard decoded.count + place - start <= ExchangeLimits.stringBytes else {
                throw problem("a text has more than \(ExchangeLimits.stringBytes >> 10) KiB")
            }
            switch bytes[place] {
            case UInt8(ascii: "\""):
                decoded += bytes[start..<place]
                guard let text = String(validating: decoded, as: UTF8.self) else {
                    throw problem("a text is not UTF-8")
                }
                place += 1
                return text
            case UInt8(ascii: "\\"):
                decoded += bytes[start..<place]
                place += 1
                decoded += try escaped()
                start = place
            case 0..<0x20: throw problem("a text contains an unescaped line break or control character")
            default: place += 1
            }
        }
    }

    /// What stands behind a backslash, in UTF-8.
    private mutating func escaped() throws(ServiceError) -> [UInt8] {
        guard place < bytes.count else { throw malformed }
        place += 1
        switch bytes[place - 1] {
        case UInt8(ascii: "n"): return [0x0A]
        case UInt8(ascii: "t"): return [0x09]
        case UInt8(ascii: "r"): return [0x0D]
        case UInt8(ascii: "b"): return [0x08]
        case UInt8(ascii: "f"): return [0x0C]
        case UInt8(ascii: "u"): return Array(String(try scalar()).utf8)
        case let byte where [0x22, 0x5C, 0x2F].contains(byte): return [byte]
        default: throw malformed
        }
    }

    /// A scalar in one or two units of UTF-16; half of a pair is U+FFFD, as browsers show it.
    private mutating func scalar() throws(ServiceError) -> Unicode.Scalar {
        let unit = try unit()
        guard (0xD800..<0xDC00).contains(unit), bytes[place...].starts(with: [0x5C, 0x75]) else {
            return Unicode.Scalar(unit) ?? "\u{FFFD}"
        }
        let start = place
        place += 2
        let second = try self.unit()
        guard (0xDC00..<0xE000).contains(second) else {
            place = start
            return "\u{FFFD}"
        }
        return Unicode.Scalar(0x10000 + (unit - 0xD800) << 10 + (second - 0xDC00)) ?? "\u{FFFD}"
    }

    private mutating func unit() throws(ServiceError) -> UInt32 {
        let digits = bytes[place...].prefix(4)
        guard digits.count == 4, digits.first != 0x2B, digits.first != 0x2D,
            let unit = UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
        else { throw malformed }
        place += 4
        return unit
    }
}
