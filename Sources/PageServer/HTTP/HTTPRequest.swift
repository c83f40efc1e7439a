import NIOHTTP1

/// A request as it came, its address and form decoded.
struct HTTPRequest: Sendable {
    let method: HTTPMethod
    /// The path's segments, decoded: ["t", "b4e7", "stream"] of "/t/b4e7/stream". A last "/" makes an empty one.
    let path: [String]
    /// As it came, without "?"; empty for none.
    let query: String
    let headers: HTTPHeaders
    var body: [UInt8] = []

    /// Nil where the address is none of ours: not a path, not decodable, or with a control character in it, which no header
    /// of an answer may hold.
    init?(_ head: HTTPRequestHead) {
        guard head.uri.utf8.first == UInt8(ascii: "/") else { return nil }
        let parts = head.uri.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        var path: [String] = []
        for segment in parts[0].dropFirst().split(separator: "/", omittingEmptySubsequences: false) {
            guard let decoded = PostedFields.decode(segment, plusIsBlank: false),
                decoded.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F })
            else { return nil }
            path.append(decoded)
        }
        self.path = path
        query = parts.count > 1 ? String(parts[1]) : ""
        method = head.method
        headers = head.headers
    }

    /// The one value of a header; nil where there is none, or more than one.
    func header(_ name: String) -> String? {
        let values = headers[name]
        return values.count == 1 ? values[0] : nil
    }

    /// How many cookies of one name are looked at.
    static let cookiesMax = 16

    /// The values of all cookies of a name. Another server of this host can plant one: cookies know no ports.
    func cookies(_ name: String) -> [String] {
        var values: [String] = []
        for header in headers["cookie"] {
            for pair in header.split(separator: ";") where values.count < Self.cookiesMax {
                let parts = pair.split(separator: "=", maxSplits: 1).map { $0.trimming { $0 == " " } }
                if parts.count == 2, parts[0] == name { values.append(String(parts[1])) }
            }
        }
        return values
    }

    /// The form that was posted; nil where the body is none.
    var form: PostedFields? {
        guard let type = header("content-type"),
            type.split(separator: ";").first?.lowercased() == "application/x-www-form-urlencoded"
        else { return nil }
        return PostedFields(String(decoding: body, as: UTF8.self))
    }
}

extension Substring {
    fileprivate func trimming(_ isBlank: (Character) -> Bool) -> Substring {
        var trimmed = drop(while: isBlank)
        while let last = trimmed.last, isBlank(last) { trimmed.removeLast() }
        return trimmed
    }
}
