import TripModel

/// A JSON value (RFC 8259) that is written in one form: keys sorted by bytes, two spaces of indentation, UTF-8.
package indirect enum JSONValue: Hashable, Sendable {
    case bool(Bool)
    case integer(Int64)
    case string(String)
    case array([JSONValue])
    /// A nil member is left out.
    case object([String: JSONValue?])

    /// The text, with no line end after it. Complexity: O(n log n) in its size.
    package var text: String {
        var bytes: [UInt8] = []
        write(to: &bytes, depth: 0)
        return String(decoding: bytes, as: UTF8.self)
    }

    private func write(to bytes: inout [UInt8], depth: Int) {
        switch self {
        case .bool(let value): bytes += (value ? "true" : "false").utf8
        case .integer(let value): bytes += String(value).utf8
        case .string(let value): Self.write(value, to: &bytes)
        case .array(let values):
            Self.write(values, brackets: "[]", to: &bytes, depth: depth) { value, bytes in
                value.write(to: &bytes, depth: depth + 1)
            }
        case .object(let members):
            let present = members.compactMapValues { $0 }.sorted {
                $0.key.utf8.lexicographicallyPrecedes($1.key.utf8)
            }
            Self.write(present, brackets: "{}", to: &bytes, depth: depth) { member, bytes in
                Self.write(member.key, to: &bytes)
                bytes += ": ".utf8
                member.value.write(to: &bytes, depth: depth + 1)
            }
        }
    }

    private static func write<Element>(
        _ elements: [Element], brackets: String, to bytes: inout [UInt8], depth: Int,
        _ body: (Element, inout [UInt8]) -> Void
    ) {
        bytes.append(brackets.utf8[brackets.utf8.startIndex])
        for (index, element) in elements.enumerated() {
            bytes += (index == 0 ? "\n" : ",\n").utf8
            bytes += repeatElement(0x20, count: 2 * (depth + 1))
            body(element, &bytes)
        }
        if !elements.isEmpty {
            bytes.append(0x0A)
            bytes += repeatElement(0x20, count: 2 * depth)
        }
        bytes += brackets.utf8.suffix(1)
    }

    /// Escapes what RFC 8259 demands, and besides what is dangerous where JSON is pasted into a terminal or a script:
    /// the other control characters, the two separators, and the overrides of direction.
    private static func write(_ string: String, to bytes: inout [UInt8]) {
        bytes.append(0x22)
        for scalar in string.unicodeScalars {
            switch scalar {
            case "\"": bytes += "\\\"".utf8
            case "\\": bytes += "\\\\".utf8
            case "\n": bytes += "\\n".utf8
            case "\t": bytes += "\\t".utf8
            case "\r": bytes += "\\r".utf8
            case _ where TextClasses.isControl(scalar) || TextClasses.isDirectionOverride(scalar):
                let digits = String(scalar.value, radix: 16)
                bytes += ("\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits).utf8
            default: bytes += String(scalar).utf8
            }
        }
        bytes.append(0x22)
    }
}
