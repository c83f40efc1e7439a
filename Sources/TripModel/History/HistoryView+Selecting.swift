extension HistoryView {
    /// The last changes, at most so many.
    package func last(_ count: Int) -> HistoryView { HistoryView(entries: entries.suffix(count), names: names) }

    package func keeping(_ isKept: (HistoryEntry) -> Bool) -> HistoryView {
        HistoryView(entries: entries.filter(isKept), names: names)
    }

    /// What people read: see `joiningNotes()` of entries.
    package func joiningNotes() -> HistoryView { HistoryView(entries: entries.joiningNotes(), names: names) }

    /// What was done to one item, without what the same changes did besides.
    package func concerning(_ item: ItemID) -> HistoryView {
        let entries = entries.compactMap { entry -> HistoryEntry? in
            let events = entry.events.filter { event in
                if case .item(item, _, _, _) = event { true } else { false }
            }
            guard !events.isEmpty else { return nil }
            return HistoryEntry(
                participant: entry.participant, stamp: entry.stamp, wallTime: entry.wallTime, events: events)
        }
        return HistoryView(entries: entries, names: names)
    }
}
