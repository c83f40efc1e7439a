/// A secret that is a text.
protocol SecretText: Hashable, Sendable, Codable {
    var text: String { get }

    /// Reads what somebody sent; nil for what cannot be one.
    init?(_ text: String)
}

extension SecretText {
    /// Compares all bytes, so that the time it takes tells nothing of where they differ.
    static func == (left: Self, right: Self) -> Bool {
        left.text.utf8.count == right.text.utf8.count
            && zip(left.text.utf8, right.text.utf8).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }

    init(from decoder: any Decoder) throws {
        guard let secret = Self(try decoder.singleValueContainer().decode(String.self)) else {
            throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: "no secret"))
        }
        self = secret
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}

/// A secret that lets somebody in, or names a session: 128 random bits, as 32 hexadecimal digits.
struct Token: SecretText {
    let text: String

    init() {
        var generator = SystemRandomNumberGenerator()
        text = [generator.next(), generator.next()].map { (word: UInt64) in
            let digits = String(word, radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
    }

    init?(_ text: String) {
        guard text.utf8.count == 32, text.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) })
        else { return nil }
        self.text = text
    }
}

/// Tokens that let in whoever shows one, each once and for a time. Moments are milliseconds since 1970.
struct OneTimeTokens: Sendable {
    private var open: [(token: Token, expires: Int64)] = []

    private static let openMax = 16

    /// Makes one. Where 16 are open, the oldest goes.
    mutating func issue(at now: Int64, lifetime: Int64) -> Token {
        prune(now)
        if open.count == Self.openMax { open.removeFirst() }
        let token = Token()
        open.append((token, now + lifetime))
        return token
    }

    /// Uses one up. False where it was never issued, is used, or ended.
    mutating func use(_ token: Token, at now: Int64) -> Bool {
        prune(now)
        // All are compared, whichever it is.
        var found: Int?
        for (place, entry) in open.enumerated() where entry.token == token { found = place }
        guard let found else { return false }
        open.remove(at: found)
        return true
    }

    private mutating func prune(_ now: Int64) { open.removeAll { $0.expires <= now } }
}
