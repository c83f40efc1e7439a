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
    /// The trip with some of its items alone, removed ones included. O(n).
    package func keeping(_ isKept: (ItemView) -> Bool) -> TripView {
        let (items, removed) = (items.filter(isKept), removedItems.filter(isKept))
        let kept = Set((items + removed).map(\.id))
        func part(_ list: ListView) -> ListView {
            ListView(
                id: list.id, fields: list.fields, items: list.items.filter(kept.contains), isRemoved: list.isRemoved,
                addedBy: list.addedBy, addedByName: list.addedByName)
        }
        return TripView(
            title: title, participants: participants, items: items, removedItems: removed, lists: lists.map(part),
            removedLists: removedLists.map(part), unlistedOrder: unlistedOrder?.filter(kept.contains))
    }
}
