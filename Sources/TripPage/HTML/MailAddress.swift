import TripExchange

/// A mail address in the plain form that people have: letters, digits and a few signs, and a host with a dot.
package struct MailAddress: Hashable, Sendable {
    package let text: String

    private static let localMax = 64
    private static let textMax = 254

    /// Nil for anything else. O(characters).
    package init?(_ text: String) {
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count == 2, text.utf8.count <= Self.textMax, (1...Self.localMax).contains(parts[0].utf8.count),
            Self.areWords(parts[0], of: Self.isLocal)
        else { return nil }
        let labels = parts[1].split(separator: ".", omittingEmptySubsequences: false)
        guard labels.count > 1, Self.areWords(parts[1], of: { Self.isAlphanumeric($0) || $0 == 0x2D }),
            labels.allSatisfy({ $0.first != "-" && $0.last != "-" }), (labels.last?.utf8.count ?? 0) > 1
        else { return nil }
        self.text = text
    }

    /// RFC 6068: the signs of an address can't begin a header.
    var link: String {
        "mailto:" + text.split(separator: "@").map { PercentEncoding.encode(String($0)) }.joined(separator: "@")
    }

    /// Whether dots part it into words, none of them empty.
    private static func areWords(_ text: Substring, of isPart: (UInt8) -> Bool) -> Bool {
        text.utf8.split(separator: 0x2E, omittingEmptySubsequences: false).allSatisfy { word in
            !word.isEmpty && word.allSatisfy(isPart)
        }
    }

    /// "_", "+", "-", "%" and "'" besides letters and digits.
    private static func isLocal(_ byte: UInt8) -> Bool {
        isAlphanumeric(byte) || [0x5F, 0x2B, 0x2D, 0x25, 0x27].contains(byte)
    }

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte & 0xDF)
    }
}
