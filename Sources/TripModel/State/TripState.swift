import DeltaCRDT

/// The replicated state of a trip, and of any delta to it, under one causal context.
///
/// A delta has an entry for every item of which it brings or covers anything; so to join it is to join these.
struct TripState: Hashable, Sendable {
    /// Every operation seen, those of removes included, which leave nothing alive.
    var context = CausalContext()
    /// The writes of the trip's title that no other has superseded.
    var title = DotFun<Written>()
    /// Every item ever made.
    var items = ItemTable()
    /// The first change of each participant, wherever they stand in the order that extends causality.
    var firsts: [ParticipantID: Cause] = [:]
    /// What each participant calls themselves.
    var names: [ParticipantID: Name] = [:]

    /// Joins another state or a delta. Complexity: in the size of a small `other`, not in that of this state.
    mutating func merge(_ other: TripState) {
        title.merge(other.title, context: context, otherContext: other.context)
        other.items.forEach { id, item in
            items.make(id) { $0.merge(item, context: context, otherContext: other.context) }
        }
        context.merge(other.context)
        for cause in other.firsts.values { meet(cause) }
        for (id, name) in other.names { names[id, default: name].merge(name) }
    }

    /// Notes that a participant made a change.
    mutating func meet(_ cause: Cause) {
        if let first = firsts[cause.participant], first.stamp <= cause.stamp { return }
        firsts[cause.participant] = cause
    }

    /// The writes that are alive at a field, highest first.
    func writes(at field: Field, of item: ItemID) -> [Written] {
        items[item]?[field].entries.map(\.value).sortedHighestFirst() ?? []
    }

    /// Whether the item was ever made.
    func knows(_ item: ItemID) -> Bool { items.contains(item) }

    /// Whether the item is there: made, and not removed.
    func holds(_ item: ItemID) -> Bool { !(items[item]?.existence.isEmpty ?? true) }
}

extension [Written] {
    /// Highest stamp first. Two writes at one place never share a change, save for a liar's: then by their bytes.
    func sortedHighestFirst() -> [Written] {
        count < 2 ? self : sorted { ($1.stamp, $0.text) < ($0.stamp, $1.text) }
    }

    /// The texts that differ, each where it stands highest: the first is shown, the others beside it.
    func distinct() -> [Written] {
        var seen: Set<Text> = []
        return filter { seen.insert($0.text).inserted }
    }
}
