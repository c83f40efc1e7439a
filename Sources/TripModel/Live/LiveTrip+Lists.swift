import DeltaCRDT

// Lists, read while the trip changes.
extension LiveTrip {
    /// The list, removed or not; nil where none was ever made. Complexity: O(n log n) in all that was ever put into one.
    package mutating func list(_ id: ListID) -> ListView? { replica.state.list(id.operation, prepared().names) }

    /// The lists that are there, in the order in which they were made. O(n log n) in the lists.
    package var lists: [ListLabel] {
        replica.state.lists.values.filter { $0.existence.isEnabled }
            .sorted { $0.origin < $1.origin }
            .map { ListLabel(id: ListID(operation: $0.id), title: $0.title) }
    }

    /// Who goes, and for how long. O(n) in the items.
    package var group: Group {
        mutating get {
            let chosen = replica.state.items.all.filter { item in
                item.existence.isEnabled && item.fields[.chosen].contains { $0.text != nil }
            }
            let items = chosen.compactMap { item($0.id) }
            return TripView(title: nil, participants: participants, items: items, removedItems: []).group
        }
    }

    /// Finds the list that a person means: its title, whole, an exact one before those in another case, or the first digits of its
    /// id.
    ///
    /// Lists of the scope come before the others. Complexity: O(lists), and that of `list`.
    /// - Throws: `TripError` naming the candidates, or saying where to look.
    package mutating func resolve(
        list reference: String, in scope: ReferenceScope = .present
    ) throws(TripError) -> ListView {
        let name = try Reference.trimmed(reference, of: "list", listing: "caravan lists")
        let wanted = name.foldedASCII
        let all = replica.state.lists.values.sorted { $0.origin < $1.origin }
        for isRemoved in scope == .present ? [false, true] : [true, false] {
            let lists = all.filter { $0.existence.isEnabled != isRemoved }
            let exact = lists.filter { $0.title == name }
            let titled = exact.isEmpty ? lists.filter { $0.title.foldedASCII == wanted } : exact
            let found =
                titled.isEmpty && wanted.utf8.count >= 4
                ? lists.filter { ListID(operation: $0.id).digits.hasPrefix(wanted) } : titled
            if found.count > 1 {
                let names = found.prefix(4).map { "\($0.title.quoted) (\(ListID(operation: $0.id).leastShortID))" }
                throw TripError(
                    .ambiguousItem, "\(reference.quoted) could be \(names.joined(separator: " or ")); give an id")
            }
            if let one = found.first, let view = list(ListID(operation: one.id)) { return view }
        }
        guard let near = NearNames.nearest(to: reference, among: all.map(\.title)) else {
            throw TripError(
                .unknownItem,
                "there is no list \(reference.quoted); see `caravan lists`, or create one with `caravan lists new`")
        }
        throw TripError(
            .unknownItem, "there is no list \(reference.quoted); did you mean \(all[near].title.quoted)?")
    }
}
