package import TripModel
package import TripService

/// What a file or a pasted text holds that can be added to a trip.
package struct ImportedList: Hashable, Sendable {
    /// An item, and where it stands: its number as the row, element or line that it is.
    package struct Entry: Hashable, Sendable {
        package let number: Int
        package let item: NewItem
        /// The part that it is in, by its place among `parts`; nil for none.
        package var part: Int?
    }

    /// A list within what is read: what a column, a heading or a folder names. Importing puts its entries into the trip's list
    /// of that title, which is made where there is none.
    package struct Part: Hashable, Sendable {
        package var title: String
        package var kind: ItemKind?
        package var note: String?

        package init(title: String, kind: ItemKind? = nil, note: String? = nil) {
            self.title = title
            self.kind = kind
            self.note = note
        }
    }

    /// What the whole calls itself; nil where it does not.
    package var name: String?
    /// What the whole says besides its items; nil where it says nothing. Importing writes it into the trip's note.
    package var note: String?
    /// What an entry is called in messages: "row", "element", "line".
    package let entryName: String
    package var entries: [Entry] = []
    package var parts: [Part] = []
    /// How many entries are hidden or removed where they come from, and were passed over.
    package var hiddenCount = 0
    /// How many lines, areas and unnamed points a map holds, which no item can be.
    package var shapeCount = 0
    /// How many texts are longer than fits, and end in "…".
    package var shortenedCount = 0
    /// How many quantities are beyond what an item can begin with.
    package var adjustedCount = 0
    /// How many texts are none of their field's values, and are left out.
    package var unreadCounts: [Field: Int] = [:]
    package var unreadCount: Int { unreadCounts.values.reduce(0, +) }
    /// The names of columns and members that hold something that no item keeps, in their order.
    package var ignoredColumns: [String] = []
    /// How many events repeat, of which only the first is an item.
    package var repeatingCount = 0
    /// How many events have times and last longer than a day, of which only the days are kept.
    package var longCount = 0
    /// The names of time zones that this machine doesn't know: their times are local times of wherever the items are.
    package var unknownZones: [String] = []

    /// Some of its entries, by their places, and in no list. The note stays where it is.
    package func keeping(_ places: [Int]) -> ImportedList {
        var kept = self
        kept.entries = places.map { Entry(number: entries[$0].number, item: entries[$0].item) }
        kept.parts = []
        kept.note = nil
        return kept
    }

    // MARK: - As it is read

    /// - Throws: where there are more than `ExchangeLimits.rows`.
    mutating func add(_ item: NewItem, number: Int, part: Int? = nil) throws(ServiceError) {
        guard entries.count < ExchangeLimits.rows else {
            throw ServiceError("more than \(ExchangeLimits.rows) \(entryName)s; import a part of them")
        }
        entries.append(Entry(number: number, item: item, part: part))
    }

    /// Adds what a record says, unless it is removed where it comes from.
    mutating func add(_ record: ListingRecord, number: Int, part: Int? = nil) throws(ServiceError) {
        if record.isRemoved {
            hiddenCount += 1
            return
        }
        var item = try record.item(shortened: &shortenedCount)
        item.quantity = adjusted(item.quantity)
        for field in record.unreadFields { unreadCounts[field, default: 0] += 1 }
        try add(item, number: number, part: part)
    }

    /// The part of a title, which is made where there is none yet.
    mutating func part(_ part: Part) throws(ServiceError) -> Int {
        if let known = parts.firstIndex(where: { $0.title.appearance == part.title.appearance }) { return known }
        return try newPart(part)
    }

    /// A further part, of whatever title.
    mutating func newPart(_ part: Part) throws(ServiceError) -> Int {
        guard parts.count < ExchangeLimits.lists else {
            throw ServiceError("more than \(ExchangeLimits.lists) lists; import a part of them")
        }
        parts.append(part)
        return parts.count - 1
    }

    /// A quantity that an item can begin with: one of a trip can be short (below 0) or have grown beyond what one step adds.
    mutating func adjusted(_ quantity: Int64?) -> Int64? {
        guard let quantity, !(1...Limits.quantityStep).contains(quantity) else { return quantity }
        adjustedCount += 1
        return quantity < 1 ? nil : Limits.quantityStep
    }
}
