import DeltaCRDT

/// The replicated state of a trip, and of any delta to it: stores of dots under one causal context, and registers and
/// counters with one writer each.
///
/// Removing an item covers the dots of its existence alone; its fields, votes and quantity stay, so that what makes it
/// exist again makes it exist whole.
struct TripState: Hashable, Sendable {
    /// Every operation seen, those of removes included, which leave nothing alive.
    var context = CausalContext()
    /// The operations that hold an item up, each with the stamp of its change.
    var existence = DotMap<ItemID, DotFun<Stamp>>()
    /// The writes at each field that no other write has superseded.
    var fields = DotMap<FieldKey, DotFun<Written>>()
    /// The same for the trip's title.
    var title = DotFun<Written>()

    /// Every item ever made. What is made once is made alike everywhere.
    var origins: [ItemID: Origin] = [:]
    /// The last word of each participant on each item; nil is a vote taken back.
    var votes: [ItemID: [ParticipantID: Latest<Vote?>]] = [:]
    /// How many of each item, counted by branch: a branch's operations come in order, once.
    var quantities: [ItemID: PNCounter] = [:]
    var people: [ParticipantID: Person] = [:]

    /// Joins another state or a delta. Complexity: in the size of a small `other`, not in that of this state.
    mutating func merge(_ other: TripState) {
        existence.merge(other.existence, context: context, otherContext: other.context)
        fields.merge(other.fields, context: context, otherContext: other.context)
        title.merge(other.title, context: context, otherContext: other.context)
        context.merge(other.context)
        for (item, origin) in other.origins { origins[item] = origin }
        for (item, entries) in other.votes {
            for (participant, entry) in entries {
                votes[item, default: [:]][participant, default: entry].merge(entry)
            }
        }
        for (item, counter) in other.quantities { quantities[item, default: PNCounter()].merge(counter) }
        for (id, person) in other.people { people[id, default: person].merge(person) }
    }

    /// The writes that are alive at a field, highest first.
    func writes(at field: Field, of item: ItemID) -> [Written] {
        fields[FieldKey(item: item, field: field)].entries.map(\.value).sortedHighestFirst()
    }

    /// Whether the item is there: made, and not removed.
    func holds(_ item: ItemID) -> Bool { existence.contains(item) }
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
