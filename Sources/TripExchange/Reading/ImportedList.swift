package import TripService

/// What a file or a pasted text holds that can be added to a trip.
package struct ImportedList: Hashable, Sendable {
    /// An item, and where it stands: its number as the row, element or line that it is.
    package struct Entry: Hashable, Sendable {
        package let number: Int
        package let item: NewItem
    }

    /// What the list calls itself; nil where it does not.
    package var name: String?
    /// What an entry is called in messages: "row", "element", "line".
    package let entryName: String
    package var entries: [Entry] = []
    /// How many entries are hidden or removed where they come from, and were passed over.
    package var hiddenCount = 0
    /// How many texts are longer than fits, and end in "…".
    package var shortenedCount = 0

    /// Some of its entries, by their places.
    package func keeping(_ places: [Int]) -> ImportedList {
        var kept = self
        kept.entries = places.map { entries[$0] }
        return kept
    }
}
