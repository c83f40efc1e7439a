extension ItemView {
    /// All that a search looks through, in lower case: what people wrote of it, other proposals among that, days and amounts also as
    /// they are shown, a question's options likewise, its amenities, its comments, and the names beside it. No word that is searched
    /// for spans two of them.
    package var searchedText: String {
        let values = Field.allCases.filter { ![.flag, .person, .question].contains($0.kind) }.flatMap(searchedTexts)
        let options =
            sayings.options + (question.map { question in sayings.options.map { question.words(of: $0) } } ?? [])
        let comments = sayings.comments.map(\.text)
        let names = [addedByName] + votes.map(\.name)
        return (values + options + sayings.amenities + comments + names).joined(separator: "\0").lowercased()
    }

    /// Whether one of the values at a field holds a text, in capitals or not; for an empty text, whether there is none.
    package func answers(_ text: String, at field: Field) -> Bool {
        guard fields[field] != nil else { return text.isEmpty }
        let wanted = text.lowercased()
        return !wanted.isEmpty && searchedTexts(of: field).contains { $0.lowercased().contains(wanted) }
    }

    /// The values at a field, each also as it is shown.
    private func searchedTexts(of field: Field) -> [String] {
        guard let view = fields[field] else { return [] }
        let values = [view.value] + view.alternatives.map(\.value)
        return [.dates, .day, .cost].contains(field.kind) ? values + values.map { field.words(of: $0) } : values
    }
}

extension String {
    /// The words of a text that is searched for, in lower case. What has each of them somewhere is found.
    package var searchedWords: [String] { lowercased().split(whereSeparator: \.isWhitespace).map(String.init) }
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
            title: title, note: note, participants: participants, items: items, removedItems: removed,
            lists: parts(lists), removedLists: parts(removedLists),
            unlistedOrder: unlistedOrder?.filter(kept.contains), partOf: group)
    }
}

extension TripView {
    /// The same, and one of its removed items among those that are there, in its place. O(n).
    package func listing(_ item: ItemView) -> TripView {
        var view = self
        view.removedItems.removeAll { $0.id == item.id }
        view.items.insert(item, at: view.items.firstIndex { $0.number > item.number } ?? view.items.endIndex)
        return view
    }
}

extension TripView {
    /// A list that is there, as `LiveTrip.resolve(list:)` finds it.
    /// - Parameter takesBeginning: whether the beginning of a title names a list, too.
    package func list(named reference: String, takesBeginning: Bool = false) throws(TripError) -> ListView {
        let name = try Reference.trimmed(reference, of: "list", listing: "caravan lists")
        let wanted = name.foldedASCII
        let appearance = name.appearance
        let tests: [(ListView) -> Bool] = [
            { $0.title == name }, { $0.title.foldedASCII == wanted },
            { takesBeginning && $0.title.appearance == appearance },
            { takesBeginning && $0.title.appearance.hasPrefix(appearance) },
            { wanted.utf8.count >= 4 && $0.id.digits.hasPrefix(wanted) },
        ]
        let found = tests.lazy.map { test in self.lists.filter(test) }.first { !$0.isEmpty } ?? []
        if found.count == 1 { return found[0] }
        guard found.isEmpty else {
            let names = found.prefix(4).map { "\($0.title.quoted) (\($0.shortID))" }.joined(separator: " or ")
            throw TripError(.ambiguousItem, "\(reference.quoted) could be \(names); give an id")
        }
        let near = NearNames.nearest(reference, among: lists.map(\.title))
        throw TripError(
            .unknownItem,
            "there is no list \(reference.quoted); "
                + (near.map { "did you mean \($0.quoted)?" } ?? "see `caravan lists`"))
    }
}

extension TripView {
    /// The first so many items in an order, and how many are left out; all of them if no number is given. O(n log n).
    package func first(
        _ count: Int?, sortedBy order: ItemOrder, includingRemoved: Bool = false
    ) -> (part: TripView, leftOut: Int) {
        guard let count else { return (self, 0) }
        let ordered = order == .order ? unlistedItems + lists.flatMap { items(of: $0) } : items(sortedBy: order)
        let all = ordered + (includingRemoved ? removedItems : [])
        guard all.count > count else { return (self, 0) }
        let kept = Set(all.prefix(count).map(\.id))
        return (keeping { kept.contains($0.id) }, all.count - count)
    }
}

/// Which items somebody looks for.
package struct ItemFilter: Codable, Hashable, Sendable {
    /// That a field holds a text, as `ItemView.answers(_:at:)` says.
    package struct Condition: Codable, Hashable, Sendable {
        package let field: Field
        package let text: String

        package init(field: Field, text: String) {
            self.field = field
            self.text = text
        }
    }

    /// Words that an item mentions anywhere, whatever their case and their order; empty for all items.
    private let text: String
    private let conditions: [Condition]
    /// Only the items of this list; nil for all.
    private let list: ListID?
    /// Only what this person has to do; nil for all.
    private let doer: ParticipantID?
    private let includesRemoved: Bool

    package init(
        text: String = "", conditions: [Condition] = [], list: ListID? = nil, toDoBy doer: ParticipantID? = nil,
        includingRemoved: Bool = false
    ) {
        self.list = list
        self.doer = doer
        self.text = text
        self.conditions = conditions
        includesRemoved = includingRemoved
    }

    fileprivate var words: [String] { text.searchedWords }

    /// - Parameters:
    ///   - group: which names assignees.
    ///   - words: `words`, which are the same for all items.
    fileprivate func keeps(_ item: ItemView, of group: Group, mentioning words: [String]) -> Bool {
        (includesRemoved || !item.isRemoved) && conditions.allSatisfy { item.answers($0.text, at: $0.field) }
            && (list == nil || item.sayings.list?.id == list) && doer.map(item.isTask) ?? true
            && (words.isEmpty || Self.does(item, mention: words, of: group))
    }

    private static func does(_ item: ItemView, mention words: [String], of group: Group) -> Bool {
        let proposals = item.fields[.assignee].map { [$0.shown] + $0.alternatives } ?? []
        let assignees = proposals.map { Field.assignee.words(of: $0.value, group.name).lowercased() }
        let text = ([item.searchedText] + assignees).joined(separator: "\0")
        return words.allSatisfy { text.contains($0) }
    }
}

extension TripView {
    /// The trip with only the items that a filter keeps. O(n).
    package func keeping(_ filter: ItemFilter) -> TripView {
        let (group, words) = (group, filter.words)
        return keeping { filter.keeps($0, of: group, mentioning: words) }
    }
}

extension TripView {
    /// The trip with its items under other numbers. O(n).
    package func numbering(_ number: (ItemView) -> Int) -> TripView {
        let numbered = { (item: ItemView) in item.numbered(number(item)) }
        return TripView(
            title: title, note: note, participants: participants, items: items.map(numbered),
            removedItems: removedItems.map(numbered), lists: lists, removedLists: removedLists,
            unlistedOrder: unlistedOrder, partOf: whole)
    }
}
