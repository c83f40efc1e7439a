/// Who goes on a trip and for how long: what prices are shared out by, and whose votes and answers are waited for.
package struct Group: Codable, Hashable, Sendable {
    /// Those who are in, in the trip's order.
    package let members: [ParticipantView]
    /// Those who are out: items may still name them.
    package let gone: [ParticipantView]
    /// Of the dates that were chosen; nil where none were.
    package let nights: Int?

    package init(members: [ParticipantView], gone: [ParticipantView] = [], nights: Int?) {
        self.members = members
        self.gone = gone
        self.nights = nights
    }

    /// - Parameter participants: members and others.
    init(_ participants: [ParticipantView], nights: Int?) {
        self.init(members: participants.filter { !$0.isOut }, gone: participants.filter(\.isOut), nights: nights)
    }

    /// Those who have not voted on an item. O(members and votes).
    package func waiting(for item: ItemView) -> [ParticipantView] { members(beside: item.votes) }

    /// Those who have not answered whether they are going. O(members and answers).
    package func unanswered(for item: ItemView) -> [ParticipantView] { members(beside: item.sayings.attendance) }

    private func members<Word>(beside words: [LastWord<Word>]) -> [ParticipantView] {
        let spoke = Set(words.map(\.participant))
        return members.filter { !spoke.contains($0.id) }
    }

    /// What each person pays for an item, in hundredths: for its own nights, or else the trip's. Nil where its price does not
    /// say enough.
    package func each(of item: ItemView) -> Int64? { item.each(people: members.count, nights: nights) }
}

extension ItemView {
    /// What each of so many people pays, in hundredths: for its own nights, or else those of the trip.
    package func each(people: Int, nights: Int?) -> Int64? {
        price?.each(people: max(1, people), nights: self.nights(ofTrip: nights))
    }

    /// Its own nights, or else those of the trip.
    package func nights(ofTrip nights: Int?) -> Int? {
        dates.map(\.nights).flatMap { $0 > 0 ? $0 : nil } ?? nights
    }
}

extension TripView {
    /// O(n) in the items. Of a part of a trip, that of the whole.
    package var group: Group {
        if let whole { return whole }
        let chosen = items.filter { $0.kind == .dates && $0.isChosen }.compactMap { $0.dates?.nights }.filter { $0 > 0 }
        // Of several that were chosen the first says nothing more than another.
        return Group(participants, nights: Set(chosen).count == 1 ? chosen.first : nil)
    }

    /// The chosen items of kind `dates`, if they differ; then none of them gives the trip its days. O(n) in the items.
    package var rivalDates: [ItemView] {
        let chosen = items.filter { $0.kind == .dates && $0.isChosen && $0.dates != nil }
        return Set(chosen.map(\.dates)).count > 1 ? chosen : []
    }

    /// The items of a list that are there, in its order. O(n).
    package func items(of list: ListView) -> [ItemView] {
        var found = Dictionary(uniqueKeysWithValues: list.items.map { ($0, ItemView?.none) })
        for item in items where found[item.id] != nil { found[item.id] = item }
        return list.items.compactMap { found[$0] ?? nil }
    }

    /// The items that are in no list, in their order. O(n).
    package var unlistedItems: [ItemView] {
        let unlisted = items.filter { $0.sayings.list == nil }
        guard let unlistedOrder else { return unlisted }
        let ranks = Dictionary(uniqueKeysWithValues: unlistedOrder.enumerated().map { ($1, $0) })
        return unlisted.sorted { (ranks[$0.id] ?? .max, $0.number) < (ranks[$1.id] ?? .max, $1.number) }
    }

    /// The items as they were made, but those in no list among themselves in their order: each list tells its own. O(n log n).
    package var itemsAsOrdered: [ItemView] {
        guard unlistedOrder != nil else { return items }
        var unlisted = unlistedItems.makeIterator()
        return items.map { $0.sayings.list == nil ? unlisted.next() ?? $0 : $0 }
    }
}
