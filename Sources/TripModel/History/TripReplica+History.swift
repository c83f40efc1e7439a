extension TripReplica {
    /// The effects of changes, oldest first, in the one order that extends causality: the same on every node that holds them, in
    /// whichever order they arrived. The code of `apply` folds them again in that order.
    ///
    /// Complexity: O(n log n) in their number, and linear in their bytes.
    /// - Parameters:
    ///   - changes: of the trip's content, each with its past among them.
    ///   - others: the log's membership entries, which are put between them by stamp.
    package static func history(
        of changes: some Sequence<TripChange>, and others: some Sequence<HistoryEntry> = []
    ) -> [HistoryEntry] {
        var replica = TripReplica()
        var entries = Array(others)
        for change in changes.sorted(by: { $0.stamp < $1.stamp }) {
            var events: [HistoryEvent]? = []
            if replica.apply(change, telling: &events), let entry = change.entry(events) { entries.append(entry) }
        }
        return entries.sorted { ($0.stamp, $0.participant) < ($1.stamp, $1.participant) }
    }
}

extension TripChange {
    /// The change as people hear of it; nil where it did nothing that they can see.
    func entry(_ events: [HistoryEvent]?) -> HistoryEntry? {
        // That something was taken back says nothing where nobody can see what: a wish is its author's own.
        guard let events, events.contains(where: { $0 != .undid }) else { return nil }
        return HistoryEntry(participant: participant, stamp: stamp, wallTime: wallTime, events: events)
    }
}
