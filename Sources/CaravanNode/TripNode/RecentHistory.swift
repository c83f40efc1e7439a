import TripModel

/// What happened last, for a page that shows a tail of it and is drawn often: reading all that ever happened folds every
/// change anew.
struct RecentHistory {
    /// By stamp, at most `entriesMax`.
    private var entries: [HistoryEntry] = []

    static let entriesMax = 256

    /// Takes in what a change did. Complexity: O(entriesMax).
    mutating func note(_ entry: HistoryEntry) {
        let isFull = entries.count == Self.entriesMax
        if isFull, let first = entries.first, entry.stamp < first.stamp { return }
        if isFull { entries.removeFirst() }
        let place = entries.lastIndex { $0.stamp < entry.stamp }.map { $0 + 1 } ?? 0
        entries.insert(entry, at: place)
    }

    /// The last so many, oldest first.
    func last(_ count: Int) -> [HistoryEntry] { Array(entries.suffix(max(count, 0))) }
}
