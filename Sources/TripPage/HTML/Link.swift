import TripExchange
package import TripModel

/// Where a link leads: to a page of ours, to a page of the web, to a mailbox, to a place on a map. Nothing else is an address, so no
/// text that somebody wrote becomes a script.
package enum Link: Hashable, Sendable {
    case page(PagePath)
    /// An element of the page that is shown, by its id.
    case part(String)
    case web(WebAddress)
    case mail(MailAddress)
    /// RFC 5870; what a phone opens with its map.
    case place(latitude: Double, longitude: Double)

    var address: String {
        switch self {
        case .page(let path): path.text
        case .part(let id): "#" + PercentEncoding.encode(id)
        case .web(let address): address.text
        case .mail(let address): address.link
        case .place(let latitude, let longitude): "geo:\(latitude),\(longitude)"
        }
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
