/// An address with http or https, as somebody wrote it.
package struct WebAddress: Hashable, Sendable {
    package let text: String

    /// Nil for anything else.
    package init?(_ text: String) {
        let lowercased = text.prefix(8).lowercased()
        guard lowercased.hasPrefix("https://") || lowercased.hasPrefix("http://"),
            text.unicodeScalars.allSatisfy({ $0.value > 0x20 && $0.value != 0x7F })
        else { return nil }
        self.text = text
    }

    /// What somebody typed or pasted who means an address: also between angle brackets, and beginning with "www.".
    package init?(typed text: String) {
        var text = text[...]
        if text.first == "<", text.last == ">" { text = text.dropFirst().dropLast() }
        let rest = text.lowercased().hasPrefix("www.") ? text.dropFirst(4).split(separator: "/")[...].first ?? "" : ""
        let isBare = rest.contains(".") && rest.first != "." && rest.last != "."
        self.init(isBare ? "https://\(text)" : String(text))
    }

    /// A link without its scheme, completed: "example.org/casa" leads to "https://example.org/casa". What has a scheme of its
    /// own, or is no name of a host, stays as it is.
    static func completed(_ link: String) -> String {
        let host = link.prefix { !"/?#:".contains($0) }
        let port = link.dropFirst(host.count).prefix { !"/?#".contains($0) }.dropFirst()
        let labels = host.split(separator: ".", omittingEmptySubsequences: false)
        let isHost =
            labels.count > 1
            && labels.allSatisfy { label in
                !label.isEmpty && label.allSatisfy { $0.isLetter || $0.isNumber || $0 == "-" }
            }
        guard isHost, labels.last?.allSatisfy(\.isLetter) ?? false, (labels.last?.count ?? 0) > 1,
            port.utf8.allSatisfy({ (0x30...0x39).contains($0) })
        else { return link }
        return "https://\(link)"
    }

    /// Where it leads, for people: "airbnb.com" of "https://www.airbnb.com/rooms/1".
    package var domain: String {
        let host = afterScheme.prefix { !"/?#".contains($0) }.split(separator: "@").last ?? ""
        return String(host.hasPrefix("www.") ? host.dropFirst(4) : host)
    }

    /// What a link is called where nobody gave it a name: "airbnb.com: casa do rio".
    package var title: String {
        let segments = pathSegments.map(Self.words).filter { !$0.isBlank }
        // A number alone says nothing: the word before it stands with it.
        let isNumber = segments.last?.utf8.allSatisfy { (0x30...0x39).contains($0) } ?? false
        let name = segments.suffix(isNumber ? 2 : 1).joined(separator: " ")
        let title = name.isEmpty ? domain : "\(domain): \(name)"
        return title.displayed(limit: Limits.titleCharacters - 1)
    }

    /// The same without what tells a site who shared it and where: it would go to everybody in the trip.
    package var withoutTracking: WebAddress {
        let (head, rest) = (text.prefix { !"?#".contains($0) }, text.drop { !"?#".contains($0) })
        guard rest.first == "?" else { return self }
        let pairs = rest.dropFirst().prefix { $0 != "#" }
        let kept = pairs.split(separator: "&", omittingEmptySubsequences: false).filter { pair in
            let name = Self.decoded(pair.prefix { $0 != "=" }).foldedASCII
            return !name.hasPrefix("utm_") && !Self.trackers.contains(name)
        }
        let query = kept.isEmpty ? "" : "?" + kept.joined(separator: "&")
        return WebAddress(String(head) + query + String(rest.drop { $0 != "#" })) ?? self
    }

    private static let trackers: Set<String> = [
        "fbclid", "gclid", "igshid", "igsh", "mc_cid", "mc_eid", "msclkid", "source_impression_id",
        "federated_search_id",
        "previous_page_section_name", "unique_share_id",
    ]

    /// The days that a link of a booking site asks for, as "arrival..departure"; nil where it asks for none.
    package var stayDates: String? {
        let query = query
        let value = { (names: [String]) in query.first { names.contains($0.name) }?.value }
        guard let arrival = value(["check_in", "checkin"]), let departure = value(["check_out", "checkout"]) else {
            return nil
        }
        return DateSpan(typed: "\(arrival)..\(departure)")?.text
    }

    // MARK: - Parts

    private var afterScheme: Substring { text.drop { $0 != "/" }.dropFirst(2) }

    /// As written, percent-encoded.
    var pathSegments: [Substring] {
        afterScheme.drop { !"/?#".contains($0) }.prefix { !"?#".contains($0) }.split(separator: "/")
    }

    /// Names and values, decoded.
    var query: [(name: String, value: String)] {
        text.prefix { $0 != "#" }.drop { $0 != "?" }.dropFirst().split(separator: "&").map { pair in
            let name = pair.prefix { $0 != "=" }
            return (Self.decoded(name).foldedASCII, Self.decoded(pair.dropFirst(name.count + 1)))
        }
    }

    /// What stands after "#", as written.
    var fragment: Substring { text.drop { $0 != "#" }.dropFirst() }

    /// A part of an address without percent-encoding, its pluses as blanks. What is no UTF-8 becomes replacement marks.
    static func decoded(_ part: some StringProtocol) -> String {
        var bytes: [UInt8] = []
        var rest = Array(part.utf8)[...]
        while let byte = rest.popFirst() {
            if byte == 0x25, rest.count >= 2,
                let decoded = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
            {
                bytes.append(decoded)
                rest.removeFirst(2)
            } else {
                bytes.append(byte == 0x2B ? 0x20 : byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The words of a segment of a path, without a file's ending.
    private static func words(_ segment: Substring) -> String {
        var text = decoded(segment)
        for ending in [".html", ".htm", ".php", ".aspx"] where text.lowercased().hasSuffix(ending) {
            text.removeLast(ending.count)
        }
        return text.split { $0.isWhitespace || $0 == "-" || $0 == "_" }.joined(separator: " ")
    }
}
