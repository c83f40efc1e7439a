import TripExchange
package import TripModel

/// Where a link leads: to a page of ours, to a page of the web, to a mailbox, to a telephone, to a place on a map. Nothing else is an address, so no
/// text that somebody wrote becomes a script.
package enum Link: Hashable, Sendable {
    case page(PagePath)
    /// An element of the page that is shown, by its id.
    case part(String)
    case web(WebAddress)
    case mail(MailAddress)
    /// RFC 3966; what a phone calls.
    case phone(PhoneNumber)
    /// RFC 5870; what a phone opens with its map.
    case place(latitude: Double, longitude: Double)

    var address: String {
        switch self {
        case .page(let path): path.text
        case .part(let id): "#" + PercentEncoding.encode(id)
        case .web(let address): address.text
        case .mail(let address): address.link
        case .phone(let number): "tel:" + number.digits
        case .place(let latitude, let longitude): "geo:\(latitude),\(longitude)"
        }
    }
}

/// A telephone number: 3 to 15 digits (ITU-T E.164), after a plus if a country's code leads them.
package struct PhoneNumber: Hashable, Sendable {
    let digits: String

    /// Nil for a text that holds anything besides digits and what people put between them: it may be two numbers, or an extension.
    package init?(_ text: String) {
        let isInternational = text.hasPrefix("+")
        // "+44 (0)20": the zero is dialed only within the country.
        let rest = isInternational ? text.dropFirst().replacing("(0)", with: "", maxReplacements: 1) : text[...]
        let digits = rest.utf8.filter { (0x30...0x39).contains($0) }
        let others = " \u{A0}\u{202F}-‐‑–./()".unicodeScalars
        guard (3...15).contains(digits.count),
            rest.unicodeScalars.allSatisfy({ ("0"..."9").contains($0) || others.contains($0) })
        else { return nil }
        self.digits = (isInternational ? "+" : "") + String(decoding: digits, as: UTF8.self)
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
        let path = "/" + segments.map(PercentEncoding.encode).joined(separator: "/")
        let pairs = query.map { PercentEncoding.encode($0.name) + "=" + PercentEncoding.encode($0.value) }
        text =
            path + (pairs.isEmpty ? "" : "?" + pairs.joined(separator: "&"))
            + (part.map { "#" + PercentEncoding.encode($0) } ?? "")
    }
}
