/// Names and values of a form or a query, as `application/x-www-form-urlencoded` has them (WHATWG URL, section 5).
struct PostedFields: Sendable {
    /// In their order, decoded.
    let pairs: [(name: String, value: String)]

    private static let pairsMax = 2_000

    /// Nil where something in it is no text, or there are more than 2,000 pairs.
    init?(_ text: some StringProtocol) {
        var pairs: [(name: String, value: String)] = []
        for pair in text.split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard pairs.count < Self.pairsMax, let name = Self.decode(parts[0]),
                let value = parts.count > 1 ? Self.decode(parts[1]) : ""
            else { return nil }
            pairs.append((name, value))
        }
        self.pairs = pairs
    }

    /// The first value of a name.
    subscript(name: String) -> String? { pairs.first { $0.name == name }?.value }

    /// Undoes percent-encoding. Nil where that is malformed, or no UTF-8.
    static func decode(_ text: some StringProtocol, plusIsBlank: Bool = true) -> String? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count)
        var rest = text.utf8.makeIterator()
        while let byte = rest.next() {
            switch byte {
            case UInt8(ascii: "%"):
                guard let high = rest.next().flatMap(digit), let low = rest.next().flatMap(digit) else { return nil }
                bytes.append(high << 4 | low)
            case UInt8(ascii: "+") where plusIsBlank: bytes.append(UInt8(ascii: " "))
            default: bytes.append(byte)
            }
        }
        return String(validating: bytes, as: UTF8.self)
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x41 + 10
        case 0x61...0x66: byte - 0x61 + 10
        default: nil
        }
    }
}
