import TripModel
import TripService

/// One row or object of a listing, as it becomes an item.
struct ListingRecord {
    /// The first text of each column that says something.
    private var values: [ListingColumn: String] = [:]

    mutating func note(_ text: String, as column: ListingColumn) {
        if values[column] == nil, !text.isBlank { values[column] = text }
    }

    /// What is written in place of what was noted.
    mutating func replace(_ text: String, as column: ListingColumn) { values[column] = text.isBlank ? nil : text }

    /// More of what was noted or written.
    mutating func append(_ text: String, to column: ListingColumn) {
        if has(column) { values[column]?.append(text) } else { note(text, as: column) }
    }

    func has(_ column: ListingColumn) -> Bool { values[column] != nil }

    func text(_ column: ListingColumn) -> String? { values[column] }

    /// Whether it is removed where it comes from.
    var isRemoved: Bool { values[.removed].map(Self.isTrue) ?? false }

    /// The fields whose text is none of their values, and is left out: “maybe” of what is done, “two” of beds.
    var unreadFields: [Field] {
        var unread: [Field] = []
        if let done = values[.field(.done)], !Self.isTrue(done), !Self.isFalse(done) { unread.append(.done) }
        if let beds = values[.field(.beds)], Self.whole(beds) == nil, !Self.isZero(beds) { unread.append(.beds) }
        return unread
    }

    /// - Parameter shortened: counts the texts that are longer than fits.
    /// - Throws: what is wrong with it, in a few words.
    func item(shortened: inout Int) throws(ServiceError) -> NewItem {
        var texts: [Field: String] = [:]
        for field in Field.ofPlans { texts[field] = values[.field(field)] }
        texts[.done] = texts[.done].flatMap { Self.isTrue($0) ? Field.setValue : nil }
        texts[.beds] = texts[.beds].flatMap(Self.whole)
        texts[.link] = texts[.link] ?? listingLink
        if texts[.place]?.isWords == true, let words = texts.removeValue(forKey: .place) {
            texts.note(place: words.trimmed)
        }
        texts[.place] = texts[.place] ?? place
        texts[.rooms] = texts[.rooms] ?? rooms
        texts[.note] = texts[.note] ?? note
        texts[.details] = texts[.details] ?? values[.description].map(PlainText.ofHTML)
        if isAirbnb {
            // Inside Airbnb tells the price of a night.
            texts[.price] = texts[.price].map { "\($0.trimmed) a night" }
        }
        let title = texts[.title] ?? texts[.link].flatMap { WebAddress($0.trimmed)?.title } ?? texts[.note]
        guard let title else { throw ServiceError("neither a title nor a link; give one") }
        texts[.title] = title
        let fields = texts.reduce(into: [Field: String]()) { fields, entry in
            fields[entry.key] = Self.fitting(entry.value, entry.key, shortened: &shortened)
        }
        return NewItem(
            title: fields[.title] ?? "", fields: fields, quantity: try quantity, amenities: amenities)
    }

    private var isAirbnb: Bool { values[.hostID] != nil }

    private var listingLink: String? {
        guard isAirbnb, let id = values[.listingID]?.trimmed, id.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        return "https://www.airbnb.com/rooms/\(id)"
    }

    private var place: String? {
        guard let latitude = values[.latitude], let longitude = values[.longitude] else { return nil }
        return "\(latitude.trimmed),\(longitude.trimmed)"
    }

    /// "2 bedrooms, for 4".
    private var rooms: String? {
        let parts = [
            number(.bedrooms).map { $0 == "1" ? "1 bedroom" : "\($0) bedrooms" },
            number(.accommodates).map { "for \($0)" },
        ]
        let said = parts.compactMap(\.self)
        return said.isEmpty ? nil : said.joined(separator: ", ")
    }

    /// A whole number above nothing, which some tables write as "2.0".
    private func number(_ column: ListingColumn) -> String? {
        values[column].flatMap(Self.whole)
    }

    private static func whole(_ text: String) -> String? {
        let text = text.trimmed
        guard let number = Int(text.hasSuffix(".0") ? String(text.dropLast(2)) : text), number > 0 else { return nil }
        return String(number)
    }

    private var note: String? {
        let parts = [values[.roomType], values[.neighbourhood]].compactMap { $0?.trimmed }
        return parts.isEmpty ? nil : parts.joined(separator: " · ")
    }

    private var quantity: Int64? {
        get throws(ServiceError) {
            guard let text = values[.quantity]?.trimmed else { return nil }
            guard let quantity = Int64(text) else {
                throw ServiceError("the quantity \(text.quoted) is not a whole number")
            }
            return quantity
        }
    }

    /// Those of listings are in brackets and quotation marks: `["Wifi", "Hot water"]`.
    private var amenities: [String] {
        guard let text = values[.amenities] else { return [] }
        let words = text.split(separator: ",").map { word in
            word.filter { !"[]{}\"“”".contains($0) }.displayed().trimmed
        }
        return Array(
            words.filter { !$0.isBlank && $0.unicodeScalars.count <= Limits.amenityCharacters }
                .prefix(Limits.wordsPerOperation))
    }

    private static func isTrue(_ text: String) -> Bool {
        ["true", "yes", "x", "1", "✓"].contains(text.trimmed.lowercased())
    }

    private static func isFalse(_ text: String) -> Bool {
        ["false", "no", "0", "-", "✗"].contains(text.trimmed.lowercased())
    }

    private static func isZero(_ text: String) -> Bool { ["0", "0.0"].contains(text.trimmed) }

    /// A text as its field takes it: on one line where that has one, without what turns the writing direction, cut where it
    /// is too long. Links and places are left as they are, for half of one is none.
    private static func fitting(_ text: String, _ field: Field, shortened: inout Int) -> String {
        guard [.heading, .phrase, .prose].contains(field.kind) else { return text.trimmed }
        let shown = field.kind == .prose ? prose(text).trimmed : text.displayed().trimmed
        let most = field.kind.charactersMax
        guard shown.utf8.count > most, shown.unicodeScalars.count > most else { return shown }
        shortened += 1
        return shown.displayed(limit: most - 1, keepsLines: true)
    }

    /// The note of a whole listing as a trip takes it; nil where it says nothing.
    static func note(_ text: String, shortened: inout Int) -> String? {
        let note = prose(text.replacing("\r\n", with: "\n")).trimmed
        guard !note.isBlank else { return nil }
        guard note.unicodeScalars.count > Limits.noteCharacters else { return note }
        shortened += 1
        return String(note.unicodeScalars.prefix(Limits.noteCharacters - 1)) + "…"
    }

    /// The text with blanks for the control characters that prose may not hold.
    private static func prose(_ text: String) -> String {
        let isForbidden = { (scalar: Unicode.Scalar) in
            TextClasses.isControl(scalar) && !["\n", "\r", "\t"].contains(scalar)
        }
        guard text.unicodeScalars.contains(where: isForbidden) else { return text }
        return String(String.UnicodeScalarView(text.unicodeScalars.map { isForbidden($0) ? " " : $0 }))
    }
}

extension String {
    /// Whether it is what a place is called, and not where that is.
    fileprivate var isWords: Bool {
        let reading = PlaceReading(self)
        return WebAddress(trimmed) == nil && reading.coordinates == nil && reading.name != nil
    }

    /// Without white space at its ends.
    var trimmed: String {
        guard let first = unicodeScalars.first, let last = unicodeScalars.last,
            TextClasses.isSpace(first) || TextClasses.isSpace(last)
        else { return self }
        return TextClasses.trimmed(self)
    }
}
