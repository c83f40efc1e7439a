package import TripModel
package import TripService

/// What an import adds to a trip, in as few changes as their bounds allow.
package struct ImportPlan: Hashable, Sendable {
    /// The items of each change, in their order.
    package private(set) var changes: [[NewItem]] = []
    /// How many entries are there already, and are passed over.
    package private(set) var knownCount = 0

    /// How many items are added.
    package var itemCount: Int { changes.reduce(0) { $0 + $1.count } }

    /// - Parameter addingAll: whether entries are added that are there already: those with a link that an item has, or with
    ///   an item's title and place where one of the two has no link.
    /// - Throws: one line that names the entry that the trip's rules refuse. Nothing of the list is to be added then.
    package init(_ list: ImportedList, into trip: TripView, addingAll: Bool = false) throws(ServiceError) {
        var known = KnownItems(trip)
        var bytes = 0
        for entry in list.entries {
            let size: Int
            do { size = try Self.contentBytes(of: entry.item) } catch {
                throw ServiceError("\(list.entryName) \(entry.number): \(error.message)")
            }
            if !known.insert(entry.item), !addingAll {
                knownCount += 1
                continue
            }
            if changes.isEmpty || bytes + size > Limits.contentBytes - Self.countBytes
                || changes[changes.count - 1].count >= Limits.operationsPerChange
            {
                changes.append([])
                bytes = 0
            }
            changes[changes.count - 1].append(entry.item)
            bytes += size
        }
    }

    /// Which entries of a list are there already, by their places in it. O(n) in the list and the trip.
    package static func knownPlaces(of list: ImportedList, in trip: TripView) -> Set<Int> {
        let known = KnownItems(trip)
        return Set(list.entries.indices.filter { known.contains(list.entries[$0].item) })
    }

    /// The most bytes that the number of operations takes in a change's content.
    private static let countBytes = 10

    /// What an item takes in a change, checked against the rules by those who make changes.
    private static func contentBytes(of item: NewItem) throws(TripError) -> Int {
        let draft = ItemDraft(title: item.title, fields: item.fields, quantity: item.quantity)
        return try TripReplica().perform(.add([draft]), by: ParticipantID(high: 0, low: 0)).count
    }
}

/// What tells items that are there: their links, and their titles with their places.
private struct KnownItems {
    private struct Name: Hashable {
        let title: String
        let place: String?

        init(title: String, place: String?) {
            self.title = title
            self.place = place
        }

        init(_ item: NewItem) { self.init(title: item.title.appearance, place: item.fields[.place]) }
    }

    private var links: Set<String> = []
    private var names: Set<Name> = []
    /// Those of items with no link.
    private var namesWithoutLink: Set<Name> = []

    init(_ trip: TripView) {
        for item in trip.items {
            let links = item.values(of: .link)
            let place = item.fields[.place]?.value
            self.links.formUnion(links.map(Self.link))
            for title in item.titles { insert(Name(title: title.appearance, place: place), hasLink: !links.isEmpty) }
        }
    }

    func contains(_ item: NewItem) -> Bool {
        let name = Name(item)
        guard let link = item.fields[.link].map(Self.link) else { return names.contains(name) }
        return links.contains(link) || namesWithoutLink.contains(name)
    }

    /// Notes an item. False, and nothing noted, where it is there already.
    mutating func insert(_ item: NewItem) -> Bool {
        guard !contains(item) else { return false }
        let link = item.fields[.link].map(Self.link)
        if let link { links.insert(link) }
        insert(Name(item), hasLink: link != nil)
        return true
    }

    private mutating func insert(_ name: Name, hasLink: Bool) {
        names.insert(name)
        if !hasLink { namesWithoutLink.insert(name) }
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
