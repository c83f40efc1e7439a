extension JSON {
    /// Why a text is not a value, and at which byte.
    public struct Malformed: Error, Sendable, CustomStringConvertible {
        /// From 0.
        public let byte: Int
        let reason: String

        public var description: String { "\(reason) at byte \(byte)" }
    }

    /// Reads one value and nothing behind it. At most 64 values lie in one another, so that no text is too deep. O(bytes).
    public init(parsing text: some StringProtocol) throws(Malformed) {
        var reader = Reader(bytes: Array(text.utf8))
        self = try reader.value(depth: 0)
        reader.skipBlanks()
        if reader.place < reader.bytes.count { throw reader.malformed("something follows the value") }
    }
}

extension JSON {
    private struct Reader {
        let bytes: [UInt8]
        var place = 0

        static let depthMax = 64

        func malformed(_ reason: String) -> Malformed { Malformed(byte: place, reason: reason) }

        private var next: UInt8? { place < bytes.count ? bytes[place] : nil }

        mutating func skipBlanks() {
            while let byte = next, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D { place += 1 }
        }

        private mutating func take(_ byte: UInt8, _ name: String) throws(Malformed) {
            guard next == byte else { throw malformed("expected \(name)") }
            place += 1
        }

        mutating func value(depth: Int) throws(Malformed) -> JSON {
            guard depth < Self.depthMax else { throw malformed("more than \(Self.depthMax) values in one another") }
            skipBlanks()
            switch next {
            case UInt8(ascii: "{"): return try object(depth)
            case UInt8(ascii: "["): return try array(depth)
            case UInt8(ascii: "\""): return .string(try string())
            case UInt8(ascii: "t"): return try word("true", .bool(true))
            case UInt8(ascii: "f"): return try word("false", .bool(false))
            case UInt8(ascii: "n"): return try word("null", .null)
            case UInt8(ascii: "-"), .some(UInt8(ascii: "0")...UInt8(ascii: "9")): return try number()
            default: throw malformed("expected a value")
            }
        }

        private mutating func word(_ word: String, _ value: JSON) throws(Malformed) -> JSON {
            guard bytes[place...].starts(with: word.utf8) else { throw malformed("expected a value") }
            place += word.utf8.count
            return value
        }

        private mutating func object(_ depth: Int) throws(Malformed) -> JSON {
            place += 1
            var members: [String: JSON] = [:]
            skipBlanks()
            if next == UInt8(ascii: "}") {
                place += 1
                return .object(members)
            }
            while true {
                skipBlanks()
                let name = try string()
                skipBlanks()
                try take(UInt8(ascii: ":"), "“:”")
                guard members.updateValue(try value(depth: depth + 1), forKey: name) == nil else {
                    throw malformed("the member \(name.prefix(40)) is there twice")
                }
                skipBlanks()
                if next == UInt8(ascii: ",") {
                    place += 1
                } else {
                    try take(UInt8(ascii: "}"), "“,” or “}”")
                    return .object(members)
                }
            }
        }

        private mutating func array(_ depth: Int) throws(Malformed) -> JSON {
            place += 1
            var elements: [JSON] = []
            skipBlanks()
            if next == UInt8(ascii: "]") {
                place += 1
                return .array(elements)
            }
            while true {
                elements.append(try value(depth: depth + 1))
                skipBlanks()
                if next == UInt8(ascii: ",") {
                    place += 1
                } else {
                    try take(UInt8(ascii: "]"), "“,” or “]”")
                    return .array(elements)
                }
            }
        }

        /// A whole number; one with a fraction or an exponent is refused, for no two programs print it alike.
        private mutating func number() throws(Malformed) -> JSON {
            let start = place
            while let byte = next, byte == UInt8(ascii: "-") || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) {
                place += 1
            }
            let digits = String(decoding: bytes[start..<place], as: UTF8.self)
            if next == UInt8(ascii: "."), place + 1 < bytes.count, bytes[place + 1] == UInt8(ascii: "0") {
                // 3.0 is 3, as languages with one kind of number print it.
                place += 2
                while next == UInt8(ascii: "0") { place += 1 }
            }
            let isFraction = next.map { ".eE0123456789".utf8.contains($0) } ?? false
            guard let number = Int64(digits), !isFraction else { throw malformed("expected a whole number of 64 bits") }
            return .integer(number)
        }

        private mutating func string() throws(Malformed) -> String {
            try take(UInt8(ascii: "\""), "a string")
            var text: [UInt8] = []
            while let byte = next, byte != UInt8(ascii: "\"") {
                guard byte >= 0x20 else { throw malformed("a control character in a string") }
                place += 1
                if byte == UInt8(ascii: "\\") { try escape(to: &text) } else { text.append(byte) }
            }
            try take(UInt8(ascii: "\""), "the end of a string")
            return String(decoding: text, as: UTF8.self)
        }

        private mutating func escape(to text: inout [UInt8]) throws(Malformed) {
            let letter = next
            place += 1
            switch letter {
            case UInt8(ascii: "n"): text.append(0x0A)
            case UInt8(ascii: "t"): text.append(0x09)
            case UInt8(ascii: "r"): text.append(0x0D)
            case UInt8(ascii: "b"): text.append(0x08)
            case UInt8(ascii: "f"): text.append(0x0C)
            case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(letter ?? 0)
            case UInt8(ascii: "u"):
                var unit = try hexadecimal()
                if (0xD800..<0xDC00).contains(unit), bytes[place...].starts(with: "\\u".utf8) {
                    place += 2
                    let low = try hexadecimal()
                    guard (0xDC00..<0xE000).contains(low) else { throw malformed("half a surrogate pair") }
                    unit = 0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00)
                }
                guard let scalar = Unicode.Scalar(unit) else { throw malformed("half a surrogate pair") }
                text += Array(String(scalar).utf8)
            default: throw malformed("an unknown escape")
            }
        }

        private mutating func hexadecimal() throws(Malformed) -> UInt32 {
            let end = min(place + 4, bytes.count)
            let digits = String(decoding: bytes[place..<end], as: UTF8.self)
            guard digits.utf8.count == 4, let unit = UInt32(digits, radix: 16), !digits.hasPrefix("+") else {
                throw malformed("expected four hexadecimal digits")
            }
            place = end
            return unit
        }
    }
}
