import Foundation
import Testing

/// What a command prints with `--json`.
enum JSONAnswer: Decodable, Hashable {
    case object([String: JSONAnswer])
    case array([JSONAnswer])
    case text(String)
    case number(Int64)
    case flag(Bool)
    case null

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let flag = try? container.decode(Bool.self) {
            self = .flag(flag)
        } else if let number = try? container.decode(Int64.self) {
            self = .number(number)
        } else if let text = try? container.decode(String.self) {
            self = .text(text)
        } else if let elements = try? container.decode([JSONAnswer].self) {
            self = .array(elements)
        } else {
            self = .object(try container.decode([String: JSONAnswer].self))
        }
    }

    /// A member of an object; null where there is none.
    subscript(key: String) -> JSONAnswer {
        guard case .object(let members) = self else { return .null }
        return members[key] ?? .null
    }

    /// The elements of an array; none of anything else.
    var elements: [JSONAnswer] {
        guard case .array(let elements) = self else { return [] }
        return elements
    }

    var text: String? {
        guard case .text(let text) = self else { return nil }
        return text
    }

    /// Every member of an object in it, however deep, by name.
    var allMembers: [(key: String, value: JSONAnswer)] {
        switch self {
        case .object(let members): members.flatMap { [($0.key, $0.value)] + $0.value.allMembers }
        case .array(let elements): elements.flatMap(\.allMembers)
        default: []
        }
    }
}

extension Product {
    /// What a reading command answers to a program.
    func json(_ arguments: String..., at location: SourceLocation = #_sourceLocation) async throws -> JSONAnswer {
        try await json(arguments, at: location)
    }

    func json(_ arguments: [String], at location: SourceLocation = #_sourceLocation) async throws -> JSONAnswer {
        let outcome = try await run(arguments + ["--json"])
        try #require(outcome.status == 0, "\(arguments): \(outcome.errors)", sourceLocation: location)
        return try JSONDecoder().decode(JSONAnswer.self, from: Data(outcome.output.utf8))
    }

    /// Runs a command that must succeed.
    @discardableResult
    func done(_ arguments: String..., at location: SourceLocation = #_sourceLocation) async throws -> String {
        let outcome = try await run(arguments)
        try #require(outcome.status == 0, "\(arguments): \(outcome.errors)", sourceLocation: location)
        return outcome.output
    }

    /// A free port, at which nobody listens.
    static func freePort() throws -> UInt16 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        try withUnsafeMutableBytes(of: &address) { bytes in
            let base = try #require(bytes.baseAddress).assumingMemoryBound(to: sockaddr.self)
            try #require(bind(descriptor, base, size) == 0 && getsockname(descriptor, base, &size) == 0)
        }
        return UInt16(bigEndian: address.sin_port)
    }
}

extension Product.Outcome {
    /// One line that says what is wrong, and nothing else.
    func isRefusal(saying part: String, status expected: Int32 = 1) -> Bool {
        status == expected && !isKilled && output.isEmpty && errorLines.count == 1 && errors.hasPrefix("caravan: ")
            && errors.contains(part)
    }

    /// What a failed expectation shows.
    var summary: Comment { "\(status): \(errors.isEmpty ? output : errors)" }
}
