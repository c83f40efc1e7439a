import DeltaCRDT

extension TripView {
    /// The view with these items as they stand now, or new ones behind all others. O(n) in the items, which are copied and
    /// not read.
    ///
    /// - Returns: nil if more than these items changed: an item was made before others that are here, or by somebody who is not among the
    ///   participants, or two items begin alike. Then the trip must be read again.
    package func replacing(_ changed: [ItemView]) -> TripView? {
        var (items, removed) = (items, removedItems)
        // Where something stands in a list is said by the whole trip.
        for item in changed {
            let old = items.place(ofNumber: item.number).map { items[$0] }
            guard (old?.sayings.placed, old?.sayings.list) == (item.sayings.placed, item.sayings.list),
                old != nil && !item.isRemoved || item.sayings.list == nil && unlistedOrder == nil
            else { return nil }
        }
        for item in changed {
            let last = max(items.last?.number ?? 0, removed.last?.number ?? 0)
            let (place, removedPlace) = (items.place(ofNumber: item.number), removed.place(ofNumber: item.number))
            if place.map({ items[$0].id == item.id && items[$0].shortID == item.shortID }) ?? false {
                items.put(item, at: place, isThere: !item.isRemoved)
                removed.put(item, at: nil, isThere: item.isRemoved)
            } else if removedPlace.map({ removed[$0].id == item.id && removed[$0].shortID == item.shortID }) ?? false {
                removed.put(item, at: removedPlace, isThere: item.isRemoved)
                items.put(item, at: nil, isThere: !item.isRemoved)
            } else if item.number == last + 1, item.shortID.utf8.count == ItemID.shownDigits,
                participant(item.addedBy) != nil
            {
                if item.isRemoved { removed.append(item) } else { items.append(item) }
            } else {
                return nil
            }
        }
        return TripView(
            title: title, note: note, participants: participants, items: items, removedItems: removed, lists: lists,
            removedLists: removedLists, unlistedOrder: unlistedOrder)
    }

    /// The view with another note of the trip. O(1).
    package func replacing(note: FieldView?) -> TripView {
        TripView(
            title: title, note: note, participants: participants, items: items, removedItems: removedItems,
            lists: lists, removedLists: removedLists, unlistedOrder: unlistedOrder)
    }
}

extension [ItemView] {
    /// Where the item of a number stands, in an array by number. O(log n).
    fileprivate func place(ofNumber number: Int) -> Int? {
        let place = firstPlace(notBefore: number)
        return place < count && self[place].number == number ? place : nil
    }

    private func firstPlace(notBefore number: Int) -> Int { partitioningIndex { $0.number >= number } }

    /// Puts an item at its place, in place of how it stood at `place`; or takes that away.
    fileprivate mutating func put(_ item: ItemView, at place: Int?, isThere: Bool) {
        switch (place, isThere) {
        case (let place?, true): self[place] = item
        case (let place?, false): remove(at: place)
        case (nil, true): insert(item, at: firstPlace(notBefore: item.number))
        case (nil, false): break
        }
    }
}
