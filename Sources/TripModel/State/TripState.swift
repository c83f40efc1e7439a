import DeltaCRDT

/// The state of a trip under one causal context: a fold over changes, each of which comes after its past.
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

    /// Notes that a participant made a change.
    mutating func meet(_ cause: Cause) {
        if let first = firsts[cause.participant], first.stamp <= cause.stamp { return }
        firsts[cause.participant] = cause
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
