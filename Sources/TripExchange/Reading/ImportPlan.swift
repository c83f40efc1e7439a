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
        return Set(list.entries.indices.filter { known.holder(of: list.entries[$0].item) != nil })
    }

    /// The most bytes that the number of operations takes in a change's content.
    private static let countBytes = 10

    /// What an item takes in a change, checked against the rules by those who make changes.
    private static func contentBytes(of item: NewItem) throws(TripError) -> Int {
        let draft = ItemDraft(title: item.title, fields: item.fields, quantity: item.quantity)
        return try TripReplica().perform(.add([draft]), by: ParticipantID(high: 0, low: 0)).count
    }
}
