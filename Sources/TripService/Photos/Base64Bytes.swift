/// Bytes that are one text in JSON: base64url without padding (RFC 4648, section 5).
package struct Base64Bytes: Hashable, Sendable {
    package let bytes: [UInt8]

    package init(_ bytes: [UInt8]) { self.bytes = bytes }

    private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
    private static let values: [UInt8?] = (0...255).map { byte in
        digits.firstIndex(of: UInt8(byte)).map { UInt8($0) }
    }

    package var text: String {
        String(unsafeUninitializedCapacity: (bytes.count * 4 + 2) / 3) { text in
            var (count, word, bits) = (0, 0, 0)
            for byte in bytes {
                word = word << 8 | Int(byte)
                bits += 8
                while bits >= 6 {
                    bits -= 6
                    text[count] = Self.digits[word >> bits & 63]
                    count += 1
                }
                word &= 63
            }
            guard bits > 0 else { return count }
            text[count] = Self.digits[word << (6 - bits) & 63]
            return count + 1
        }
    }

    /// Nil for what is no such text.
    package init?(_ text: String) {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count / 4 * 3 + 2)
        var (word, bits) = (0, 0)
        for digit in text.utf8 {
            guard let value = Self.values[Int(digit)] else { return nil }
            word = word << 6 | Int(value)
            bits += 6
            guard bits >= 8 else { continue }
            bits -= 8
            bytes.append(UInt8(truncatingIfNeeded: word >> bits))
            word &= (1 << bits) - 1
        }
        // One form for any bytes.
        guard bits < 6, word == 0 else { return nil }
        self.bytes = bytes
    }
}

extension Base64Bytes: Codable {
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let bytes = Base64Bytes(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "no base64url")
        }
        self = bytes
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}
