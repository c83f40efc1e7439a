import Foundation

/// Something that must not be found, and the forms in which it could be.
struct Marker {
    let what: String
    private let forms: [(name: String, bytes: Data)]

    init(_ what: String, text: String) {
        self.init(
            what, Data(text.utf8),
            [
                ("UTF-16, little", text.data(using: .utf16LittleEndian)),
                ("UTF-16, big", text.data(using: .utf16BigEndian)),
            ])
    }

    init(_ what: String, bytes: [UInt8]) { self.init(what, Data(bytes), []) }

    private init(_ what: String, _ raw: Data, _ more: [(String, Data?)]) {
        self.what = what
        var forms: [(String, Data?)] = [("bytes", raw), ("bytes, reversed", Data(raw.reversed()))] + more
        for (name, bytes) in [("hex", raw), ("hex, reversed", Data(raw.reversed()))] {
            let hex = bytes.map { String(format: "%02x", $0) }.joined()
            forms += [(name, Data(hex.utf8)), (name + ", capitals", Data(hex.uppercased().utf8))]
        }
        // However many bytes stand before it, one of these is the same in every encoding that holds it.
        for skipped in 0..<3 {
            let group = raw.dropFirst(skipped).prefix((raw.count - skipped) / 3 * 3)
            let base64 = Data(group).base64EncodedString()
            forms.append(("base 64 at \(skipped)", Data(base64.utf8)))
            let url = base64.replacingOccurrences(of: "+", with: "-").replacingOccurrences(of: "/", with: "_")
            forms.append(("base 64 for URLs at \(skipped)", Data(url.utf8)))
        }
        for skipped in 0..<5 {
            let base32 = Base32Text.encode(raw.dropFirst(skipped).prefix((raw.count - skipped) / 5 * 5))
            forms += [
                ("base 32 at \(skipped)", Data(base32.utf8)),
                ("base 32 at \(skipped), capitals", Data(base32.uppercased().utf8)),
            ]
        }
        // What is shorter is found by chance.
        self.forms = forms.compactMap { name, bytes in bytes.flatMap { $0.count >= 6 ? (name, $0) : nil } }
    }

    /// The forms in which it is there.
    func forms(in haystack: Data) -> [String] { forms.filter { haystack.range(of: $0.bytes) != nil }.map(\.name) }

    /// Every form of it, for a search to be tried on.
    var samples: [Data] { forms.map(\.bytes) }
}

/// RFC 4648's base 32 without padding, written for the tests.
enum Base32Text {
    private static let alphabet = Array("abcdefghijklmnopqrstuvwxyz234567")

    static func encode(_ bytes: some Sequence<UInt8>) -> String {
        let bits = bytes.flatMap { byte in (0..<8).map { byte >> (7 - $0) & 1 } }
        return String(
            stride(from: 0, to: bits.count, by: 5).map { start in
                let group = bits[start..<min(start + 5, bits.count)]
                return alphabet[group.reduce(0) { $0 << 1 | Int($1) } << (5 - group.count)]
            })
    }

    static func decode(_ text: some StringProtocol) -> [UInt8] {
        let bits = text.lowercased().compactMap { alphabet.firstIndex(of: $0) }
            .flatMap { value in (0..<5).map { UInt8(value >> (4 - $0) & 1) } }
        return stride(from: 0, through: bits.count - 8, by: 8).map { bits[$0..<$0 + 8].reduce(0) { $0 << 1 | $1 } }
    }
}
