/// How a page writes its characters.
enum PageCharset: Hashable, Sendable {
    case utf8
    /// What the Web means by ISO-8859-1, too (Encoding Standard, section 4.2).
    case windows1252
    /// One that is not read. Texts of it that are no UTF-8 are left out.
    case other

    init(label: String) {
        switch label.split(whereSeparator: \.isWhitespace).joined().lowercased() {
        case "utf-8", "utf8", "unicode-1-1-utf-8": self = .utf8
        case "windows-1252", "cp1252", "x-cp1252", "iso-8859-1", "iso8859-1", "iso_8859-1", "iso88591", "latin1", "l1",
            "us-ascii", "ascii":
            self = .windows1252
        default: self = .other
        }
    }

    /// The charset of "text/html; charset=utf-8"; nil where none is named. Of what is longer than 1,000 bytes, the beginning counts.
    init?(contentType: String) {
        let parameters = contentType.prefix(1_000).split(separator: ";").dropFirst()
        let found = parameters.lazy.compactMap { parameter -> String? in
            let parts = parameter.split(separator: "=", maxSplits: 1)
            guard parts.count == 2, parts[0].trimmingBlanks.lowercased() == "charset" else { return nil }
            return String(parts[1].filter { $0 != "\"" && $0 != "'" })
        }.first
        guard let found else { return nil }
        self.init(label: found)
    }

    /// A text; nil for one that cannot be read. Bytes that are no UTF-8 in a page of UTF-8 become U+FFFD.
    ///
    /// - Parameter charset: nil where none is named: then it is UTF-8 if it can be.
    static func text(_ bytes: ArraySlice<UInt8>, in charset: PageCharset?) -> String? {
        switch charset {
        case .utf8: String(decoding: bytes, as: UTF8.self)
        case .windows1252: latin(bytes)
        case .other: String(validating: bytes, as: UTF8.self)
        case nil: String(validating: bytes, as: UTF8.self) ?? latin(bytes)
        }
    }

    private static func latin(_ bytes: ArraySlice<UInt8>) -> String {
        var scalars = String.UnicodeScalarView()
        for byte in bytes {
            let value = (0x80...0x9F).contains(byte) ? high[Int(byte) - 0x80] : UInt32(byte)
            scalars.append(Unicode.Scalar(value) ?? "\u{FFFD}")
        }
        return String(scalars)
    }

    /// What bytes from 0x80 to 0x9F are in windows-1252.
    private static let high: [UInt32] = [
        0x20AC, 0x81, 0x201A, 0x192, 0x201E, 0x2026, 0x2020, 0x2021, 0x2C6, 0x2030, 0x160, 0x2039, 0x152, 0x8D, 0x17D,
        0x8F, 0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x2DC, 0x2122, 0x161, 0x203A, 0x153, 0x9D,
        0x17E, 0x178,
    ]
}

extension Substring {
    fileprivate var trimmingBlanks: Substring {
        var rest = drop(while: \.isWhitespace)
        while rest.last?.isWhitespace == true { rest = rest.dropLast() }
        return rest
    }
}
