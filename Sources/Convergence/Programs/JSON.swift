/// A value of JSON (RFC 8259), for lines that programs exchange. Its numbers are whole and have 64 bits.
public enum JSON: Hashable, Sendable {
    /// `null`.
    case null
    /// `true` or `false`.
    case bool(Bool)
    /// A whole number.
    case integer(Int64)
    /// A string.
    case string(String)
    /// An array.
    case array([JSON])
    /// An object; no two members have one name.
    case object([String: JSON])

    /// The member of an object; nil where this is no object or has no such member.
    public subscript(name: String) -> JSON? {
        if case .object(let members) = self { members[name] } else { nil }
    }

    var text: String? { if case .string(let text) = self { text } else { nil } }
    var number: Int64? { if case .integer(let number) = self { number } else { nil } }
    var flag: Bool? { if case .bool(let flag) = self { flag } else { nil } }
    var elements: [JSON]? { if case .array(let elements) = self { elements } else { nil } }
    var members: [String: JSON]? { if case .object(let members) = self { members } else { nil } }
    /// Strings of an array; nil for anything else.
    var texts: [String]? {
        elements.flatMap { all in
            let texts = all.compactMap { $0.text }
            return texts.count == all.count ? texts : nil
        }
    }
}

extension JSON: CustomStringConvertible {
    /// On one line, without blanks, members in the order of their names: equal values are written alike.
    public var description: String {
        var line = ""
        write(to: &line)
        return line
    }

    private func write(to line: inout String) {
        switch self {
        case .null: line += "null"
        case .bool(let flag): line += flag ? "true" : "false"
        case .integer(let number): line += String(number)
        case .string(let text): Self.write(text, to: &line)
        case .array(let elements):
            line += "["
            for (index, element) in elements.enumerated() {
                if index > 0 { line += "," }
                element.write(to: &line)
            }
            line += "]"
        case .object(let members):
            line += "{"
            for (index, member) in members.sorted(by: { $0.key < $1.key }).enumerated() {
                if index > 0 { line += "," }
                Self.write(member.key, to: &line)
                line += ":"
                member.value.write(to: &line)
            }
            line += "}"
        }
    }

    private static func write(_ text: String, to line: inout String) {
        line += "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": line += "\\\""
            case "\\": line += "\\\\"
            case "\n": line += "\\n"
            case "\0"..."\u{1F}", "\u{2028}", "\u{2029}":
                let digits = String(scalar.value, radix: 16)
                line += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: line.unicodeScalars.append(scalar)
            }
        }
        line += "\""
    }
}

extension JSON: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral {
    public init(stringLiteral text: String) { self = .string(text) }
    public init(integerLiteral number: Int64) { self = .integer(number) }
    public init(booleanLiteral flag: Bool) { self = .bool(flag) }
}
