/// What people copy out of map apps, understood: coordinates, and what they call the place.
///
/// Pure and of no table: a `geo:` URI (RFC 5870), links of Google, Apple, OpenStreetMap, OsmAnd, Bing and Waze that carry
/// coordinates, degrees with minutes and seconds, and plain pairs. Short links carry none, and are not followed.
package struct PlaceReading: Hashable, Sendable {
    /// "38.711,-9.143", as a place's field holds it; nil where none are written.
    package let coordinates: String?
    /// What the place is called there.
    package let name: String?

    package init(_ text: String) {
        let text = TextClasses.trimmed(text)
        if String(text.prefix(4)).foldedASCII == "geo:" {
            (coordinates, name) = Self.geo(text.dropFirst(4))
        } else if let address = WebAddress(text) {
            (coordinates, name) = Self.link(address)
        } else if let pair = Self.pair(text) ?? SexagesimalReader(text).coordinates {
            (coordinates, name) = (pair, nil)
        } else {
            // "Alfama, Lisbon": words alone are a name.
            let isName = text.unicodeScalars.contains { $0.properties.isAlphabetic }
            (coordinates, name) = (nil, isName ? text : nil)
        }
    }

    // MARK: - geo:

    /// "38.7,-9.1;u=35", and what Android adds: "0,0?q=38.7,-9.1(Casa)".
    private static func geo(_ text: Substring) -> (String?, String?) {
        let path = text.prefix { $0 != "?" }.prefix { $0 != ";" }
        let query = text.drop { $0 != "?" }.dropFirst().split(separator: "&")
        let sought = query.first { $0.hasPrefix("q=") }.map { WebAddress.decoded($0.dropFirst(2)) }
        let numbers = path.split(separator: ",").prefix(2).joined(separator: ",")
        guard let sought else { return (pair(numbers), nil) }
        let place = sought.prefix { $0 != "(" }
        let label = sought.dropFirst(place.count).drop { $0 == "(" }.prefix { $0 != ")" }
        if let found = pair(String(place)) { return (found, named(String(label))) }
        return (numbers == "0,0" ? nil : pair(numbers), named(sought))
    }

    // MARK: - Links

    private static func link(_ address: WebAddress) -> (String?, String?) {
        let segments = address.pathSegments.map { WebAddress.decoded($0) }
        let query = address.query
        let value = { (names: [String]) in
            names.lazy.compactMap { name in query.first { $0.name == name }?.value }.first
        }
        let name = segments.firstIndex(of: "place").flatMap { place in
            place + 1 < segments.count ? named(segments[place + 1]) : nil
        }
        let label = name ?? ["name", "q", "query", "address"].lazy.compactMap { value([$0]).flatMap(named) }.first
        if let marker = marker(in: address.text) { return (marker, label) }
        let pairs = ["coordinate", "ll", "sll", "q", "query", "pin", "daddr", "destination", "center", "cp", "near"]
        for found in pairs.compactMap({ value([$0]) }) {
            let text = found.hasPrefix("loc:") ? String(found.dropFirst(4)) : found
            if let pair = pair(text.replacing("~", with: ",")) { return (pair, label) }
        }
        for (latitude, longitude) in [("mlat", "mlon"), ("lat", "lon"), ("lat", "lng")] {
            if let latitude = value([latitude]), let longitude = value([longitude]),
                let pair = pair("\(latitude),\(longitude)")
            {
                return (pair, label)
            }
        }
        for segment in segments {
            let text = segment.hasPrefix("@") ? segment.dropFirst() : segment[...]
            if let pair = pair(text.split(separator: ",").prefix(2).joined(separator: ",")) { return (pair, label) }
        }
        // "#map=16/38.711/-9.143"
        let parts = address.fragment.prefix { $0 != "&" }.split(separator: "/")
        if parts.count == 3, let pair = pair("\(parts[1]),\(parts[2])") { return (pair, label) }
        return (nil, label)
    }

    /// Where Google marks the place itself, beside where its map is centred: "!3d38.711!4d-9.143".
    private static func marker(in text: String) -> String? {
        let parts = text.split(separator: "!")
        guard let latitude = parts.last(where: { $0.hasPrefix("3d") }),
            let longitude = parts.last(where: { $0.hasPrefix("4d") })
        else { return nil }
        return pair("\(latitude.dropFirst(2)),\(longitude.dropFirst(2).prefix { !"?#&/".contains($0) })")
    }

    /// A name that is no pair of numbers.
    private static func named(_ text: String) -> String? {
        let words = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        guard !words.isBlank, pair(words) == nil, !words.hasPrefix("@"), !words.hasPrefix("loc:"),
            words.unicodeScalars.count <= Limits.phraseCharacters
        else { return nil }
        return words
    }

    // MARK: - Pairs

    /// "38.7,-9.1" for whatever people paste who mean that: blanks around the comma or in its place, a plus, brackets, and
    /// "38,7; -9,1" of those who write a comma for the point. Nil for anything else, and for what is nowhere on Earth.
    static func pair(_ text: String) -> String? {
        let bare = TextClasses.trimmed(text).drop { "([".contains($0) }
        let inner = String(bare.reversed().drop { ")]".contains($0) }.reversed())
        let parts: [Substring] =
            if inner.contains(";") {
                inner.replacing(",", with: ".").split(separator: ";", omittingEmptySubsequences: false)
            } else if inner.contains(",") {
                inner.split(separator: ",", omittingEmptySubsequences: false)
            } else {
                inner.split(whereSeparator: \.isWhitespace)
            }
        guard parts.count == 2 else { return nil }
        let degrees = parts.map { part in
            var degrees = TextClasses.trimmed(String(part)).replacing("−", with: "-")
            if degrees.hasPrefix("+"), !degrees.hasPrefix("+-") { degrees.removeFirst() }
            return cut(degrees)
        }
        let pair = degrees.joined(separator: ",")
        return (try? Field.place.check(pair)) == nil ? nil : pair
    }

    /// The number with no more than 15 digits after its point: links carry more than a field holds.
    private static func cut(_ degrees: String) -> String {
        guard let point = degrees.firstIndex(of: ".") else { return degrees }
        return String(degrees[...point] + degrees[point...].dropFirst().prefix(15))
    }
}
