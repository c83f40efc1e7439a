package import TripModel
package import TripService

/// What a page says of the place, the thing or the event that it is about, as an item holds it.
///
/// Data in JSON-LD counts before OpenGraph, and that before the page's own title and description. A page is never believed about its own
/// address: an item keeps the link that a person gave.
package struct LinkCard: Hashable, Sendable {
    /// Each as its field takes it.
    package let fields: [Field: String]
    /// Where one picture of it is.
    package let picture: WebAddress?

    /// - Parameters:
    ///   - page: at most `LinkLimits.bytes`.
    ///   - contentType: as the server names it; nil where it names none.
    ///   - address: where the page was found, after all redirects.
    /// - Throws: for what is no page, and for one that says nothing of itself.
    ///
    /// Complexity: O(n) in the page.
    package init(page: [UInt8], contentType: String?, address: WebAddress) throws(ServiceError) {
        let page = try LinkedPage(page, contentType: contentType)
        let thing = SchemaThing(in: page.data)
        var record = ListingRecord()
        if let thing { record.note(thing) }
        record.note(page)
        let hasTitle = record.has(.field(.title))
        // A record must have one, and this one is not kept.
        record.note(address.title, as: .field(.title))
        var shortened = 0
        var fields = try record.item(shortened: &shortened).fields
        if !hasTitle { fields[.title] = nil }
        if fields[.details] == fields[.title] { fields[.details] = nil }
        self.fields = fields.filter { Self.isTaken($0.value, by: $0.key) }
        picture =
            [
                thing?.picture,
                page["og:image:secure_url", "og:image", "og:image:url", "twitter:image", "twitter:image:src"],
            ]
            .lazy.compactMap { $0?.trimmed }.compactMap { address.resolving($0) }.first
        guard !self.fields.isEmpty || picture != nil else {
            throw ServiceError("the page has no details for programs; write them yourself")
        }
    }

    /// Whether an item may hold it: what breaks a rule is left out, and the rest of the card stays.
    private static func isTaken(_ value: String, by field: Field) -> Bool {
        let value = field.normalized(value)
        return (try? field.check(value)) != nil && (try? field.checkMeaning(value)) != nil
    }
}

extension LinkCard {
    /// What an item lacks of it. A title counts as lacking while it is the one that the link gave.
    package func lacking(in item: ItemView) -> [Field: String] {
        fields.filter { field, value in
            guard field == .title else { return item.fields[field] == nil }
            return item.isTitledByLink && value != item.title
        }
    }
}

extension ItemView {
    /// Whether its title is the one that its link gave it, and nobody proposed another.
    fileprivate var isTitledByLink: Bool {
        guard let link = fields[.link]?.value, titles.count == 1 else { return false }
        return NewItem(typed: link)?.title == title
    }

    /// Whether a page that its link leads to may say more of it.
    package var lacksDetails: Bool {
        fields[.link] != nil && !isRemoved && (fields[.details] == nil || photos.isEmpty || isTitledByLink)
    }
}

extension NewItem {
    /// The same with what it lacks of a card.
    package func completed(by card: LinkCard) -> NewItem {
        var item = self
        if let link = fields[.link], let title = card.fields[.title], NewItem(typed: link)?.title == item.title {
            item.title = title
            if item.fields[.title] != nil { item.fields[.title] = title }
        }
        for (field, value) in card.fields where field != .title && item.fields[field] == nil {
            item.fields[field] = value
        }
        return item
    }
}

extension ListingRecord {
    fileprivate mutating func note(_ thing: SchemaThing) {
        let texts: [(String?, ListingColumn)] = [
            (thing.title, .field(.title)), (thing.price, .field(.price)), (thing.host, .field(.host)),
            (thing.address, .field(.address)), (thing.dates, .field(.dates)), (thing.beds, .field(.beds)),
            (thing.bedrooms, .bedrooms), (thing.guests, .accommodates), (thing.kind?.rawValue, .field(.itemKind)),
        ]
        // Many programs write characters' references into their data, as they do in their pages.
        for (text, column) in texts { note(text.map(PlainText.withoutEntities), as: column) }
        note(thing.description, as: .description)
        note(thing.coordinates)
    }

    fileprivate mutating func note(_ page: LinkedPage) {
        note(page["og:title", "twitter:title"] ?? page.title, as: .field(.title))
        note(page["og:description", "twitter:description", "description"], as: .description)
        note(page.price, as: .field(.price))
        note(page.coordinates)
        let address = ["street-address", "postal-code", "locality", "region", "country-name"].compactMap { name in
            page["og:\(name)", "business:contact_data:\(name.replacing("-", with: "_"))"]?.trimmed
        }
        note(address.joined(separator: ", "), as: .field(.address))
    }

    private mutating func note(_ coordinates: (latitude: String, longitude: String)?) {
        note(coordinates?.latitude, as: .latitude)
        note(coordinates?.longitude, as: .longitude)
    }

    private mutating func note(_ text: String?, as column: ListingColumn) {
        if let text { note(text, as: column) }
    }
}

extension LinkedPage {
    /// "25 EUR".
    fileprivate var price: String? {
        guard let amount = self["product:price:amount", "og:price:amount"] else {
            return self["twitter:label1"]?.lowercased() == "price" ? self["twitter:data1"] : nil
        }
        return amount + (self["product:price:currency", "og:price:currency"].map { " \($0)" } ?? "")
    }

    fileprivate var coordinates: (latitude: String, longitude: String)? {
        if let latitude = self["place:location:latitude", "og:latitude"],
            let longitude = self["place:location:longitude", "og:longitude"]
        {
            return (latitude, longitude)
        }
        // "38.71;-9.14", "38.71, -9.14".
        let parts = self["geo.position", "icbm"]?.split { $0 == ";" || $0 == "," } ?? []
        return parts.count == 2 ? (String(parts[0]), String(parts[1])) : nil
    }
}
