/// Where a link leads: to a page of ours, to a page of the web, to a place on a map. Nothing else is an address, so no
/// text that somebody wrote becomes a script.
package enum Link: Hashable, Sendable {
    case page(PagePath)
    /// An element of the page that is shown, by its id.
    case part(String)
    case web(WebAddress)
    /// RFC 5870; what a phone opens with its map.
    case place(latitude: Double, longitude: Double)

    var address: String {
        switch self {
        case .page(let path): path.text
        case .part(let id): "#" + PagePath.encoded(id)
        case .web(let address): address.text
        case .place(let latitude, let longitude): "geo:\(latitude),\(longitude)"
        }
    }
}

/// An address with http or https, as somebody wrote it.
package struct WebAddress: Hashable, Sendable {
    let text: String

    /// Nil for anything else.
    package init?(_ text: String) {
        let lowercased = text.prefix(8).lowercased()
        guard lowercased.hasPrefix("https://") || lowercased.hasPrefix("http://"),
            text.unicodeScalars.allSatisfy({ $0.value > 0x20 && $0.value != 0x7F })
        else { return nil }
        self.text = text
    }

    /// Where it leads, for people: "airbnb.com" of "https://www.airbnb.com/rooms/1".
    package var domain: String {
        let rest = text.drop { $0 != "/" }.dropFirst(2)
        let host = rest.prefix { !"/?#".contains($0) }.split(separator: "@").last ?? ""
        return String(host.hasPrefix("www.") ? host.dropFirst(4) : host)
    }
}

/// A path of the page's own, with its query.
package struct PagePath: Hashable, Sendable {
    let text: String

    /// - Parameters:
    ///   - segments: each is percent-encoded.
    ///   - query: names and values, percent-encoded; in this order.
    ///   - part: the id of an element of that page.
    package init(_ segments: [String], query: [(name: String, value: String)] = [], part: String? = nil) {
        let path = "/" + segments.map(Self.encoded).joined(separator: "/")
        let pairs = query.map { Self.encoded($0.name) + "=" + Self.encoded($0.value) }
        text =
            path + (pairs.isEmpty ? "" : "?" + pairs.joined(separator: "&"))
            + (part.map { "#" + Self.encoded($0) } ?? "")
    }

    /// As RFC 3986 has it: all but its unreserved characters.
    static func encoded(_ text: String) -> String {
        var encoded = ""
        for byte in text.utf8 {
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E:
                encoded.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                let digits = String(byte, radix: 16, uppercase: true)
                encoded += digits.count == 1 ? "%0" + digits : "%" + digits
            }
        }
        return encoded
    }
}
