extension ItemView {
    /// All that a search looks through, in lower case: what people wrote of it, other proposals among that, and the names
    /// beside it. No text that is searched for spans two of them.
    package var searchedText: String {
        let values = Field.allCases.filter { $0.kind != .flag }.compactMap { fields[$0] }
            .flatMap { [$0.value] + $0.alternatives.map(\.value) }
        return (values + [addedByName] + votes.map(\.name)).joined(separator: "\0").lowercased()
    }

    /// Whether one of the values at a field holds a text, in capitals or not; for an empty text, whether there is none.
    package func answers(_ text: String, at field: Field) -> Bool {
        guard let view = fields[field] else { return text.isEmpty }
        let wanted = text.lowercased()
        return !wanted.isEmpty
            && ([view.value] + view.alternatives.map(\.value)).contains { $0.lowercased().contains(wanted) }
    }
}

extension TripView {
    /// The trip with only some of its items, removed ones included, and with the lists that hold any of them. O(n).
    package func keeping(_ isKept: (ItemView) -> Bool) -> TripView {
        let (items, removed) = (items.filter(isKept), removedItems.filter(isKept))
        let kept = Set((items + removed).map(\.id))
        func parts(_ lists: [ListView]) -> [ListView] {
            lists.compactMap { list in
                let items = list.items.filter(kept.contains)
                guard !items.isEmpty else { return nil }
                return ListView(
                    id: list.id, fields: list.fields, items: items, isRemoved: list.isRemoved, addedBy: list.addedBy,
                    addedByName: list.addedByName)
            }
        }
        return TripView(
            title: title, participants: participants, items: items, removedItems: removed, lists: parts(lists),
            removedLists: parts(removedLists), unlistedOrder: unlistedOrder?.filter(kept.contains))
    }
}
