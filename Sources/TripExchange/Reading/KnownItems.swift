package import TripModel
package import TripService

/// What tells items that are there: their links, and their titles with their places.
package struct KnownItems {
    /// Where something like an item is already.
    package enum Holder: Hashable, Sendable {
        /// An item of the trip.
        case trip(ItemID)
        /// The list that is read.
        case list
    }

    private struct Name: Hashable {
        let title: String
        let place: String?
        /// Of what is read, the part that it is in: a trip may have Soap on two lists.
        var part: Int?

        init(title: String, place: String?, part: Int? = nil) {
            self.title = title
            // "62.47, 6.15" and a link of a map are the place that they name.
            self.place = place.map { PlaceReading($0).coordinates ?? $0 }
            self.part = part
        }

        init(_ item: NewItem, part: Int? = nil) {
            self.init(title: item.title.appearance, place: item.fields[.place], part: part)
        }
    }

    private var links: [String: Holder] = [:]
    private var names: [Name: Holder] = [:]
    /// Those of items with no link.
    private var namesWithoutLink: [Name: Holder] = [:]
    /// Those of the trip, whatever their links and places.
    private var titles: [String: ItemID] = [:]

    /// O(n) in the trip's items. Expenses are left out, because a guest is shown no costs.
    package init(_ trip: TripView) {
        for item in trip.items where !item.isOfCosts {
            let links = item.values(of: .link)
            let place = item.fields[.place]?.value
            for link in links { self.links[Self.link(link)] = .trip(item.id) }
            for title in item.titles {
                titles[title.appearance] = item.id
                insert(Name(title: title.appearance, place: place), hasLink: !links.isEmpty, .trip(item.id))
            }
        }
    }

    /// Where something with the same link is, or with the same title and place where one of the two has no link; nil where
    /// nothing is. O(1).
    package func holder(of item: NewItem) -> Holder? { holder(of: item, in: nil) }

    /// - Parameter part: where in the list that is read it stands.
    private func holder(of item: NewItem, in part: Int?) -> Holder? {
        let name = Name(item)
        let listed = Name(item, part: part ?? -1)
        guard let link = item.fields[.link].map(Self.link) else { return names[name] ?? names[listed] }
        return links[link] ?? namesWithoutLink[name] ?? namesWithoutLink[listed]
    }

    /// Notes an item of the list. False, and nothing noted, where it is there already.
    mutating func insert(_ item: NewItem, in part: Int? = nil) -> Bool {
        guard holder(of: item, in: part) == nil else { return false }
        let link = item.fields[.link].map(Self.link)
        if let link { links[link] = .list }
        insert(Name(item, part: part ?? -1), hasLink: link != nil, .list)
        return true
    }

    private mutating func insert(_ name: Name, hasLink: Bool, _ holder: Holder) {
        names[name] = holder
        if !hasLink { namesWithoutLink[name] = holder }
    }

    private static let toldMax = 3

    /// What people are told of items that they add and a trip already had, by their links or titles: a place or another link
    /// doesn't hide that two have one name. Of costs nothing: the name of a card says nothing of an expense, and two dinners
    /// are two expenses. Nil where there is nothing to tell. O(n) in the trip's items.
    package static func sentence(of added: [NewItem], in trip: TripView) -> String? {
        let known = KnownItems(trip)
        var ids: Set<ItemID> = []
        for item in added where item.fields[.cost] == nil && item.fields[.payment] == nil {
            if case .trip(let id) = known.holder(of: item) {
                ids.insert(id)
            } else if let id = known.titles[item.title.appearance] {
                ids.insert(id)
            }
        }
        let had = trip.items.filter { ids.contains($0.id) }
        guard let first = had.first else { return nil }
        if added.count == 1 {
            return "The trip already had it\(first.title == added[0].title ? "" : " as \(first.title.quoted)")."
        }
        let named = had.prefix(toldMax).map(\.title.quoted).joined(separator: ", ")
        return "The trip already had \(named)\(had.count > toldMax ? " and \(had.count - toldMax) more" : "")."
    }

    /// A link without what leads to the same page with it and without it: the scheme, "www.", a last "/", and the part of
    /// the page.
    private static func link(_ text: String) -> String {
        guard let address = WebAddress(text.trimmed) else { return text }
        let rest = address.text.drop { $0 != "/" }.dropFirst(2).prefix { $0 != "#" }
        let path = rest.drop { !"/?".contains($0) }
        let key = address.domain.lowercased() + path
        return key.hasSuffix("/") ? String(key.dropLast()) : key
    }
}

extension ItemView {
    /// What is shown of a field and what was also proposed.
    fileprivate func values(of field: Field) -> [String] {
        fields[field].map { [$0.value] + $0.alternatives.map(\.value) } ?? []
    }
}
