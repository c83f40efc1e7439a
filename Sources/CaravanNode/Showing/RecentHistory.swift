import TripModel

/// What happened last, for a page that shows a tail of it and is drawn often: reading all that ever happened folds every
/// change anew.
struct RecentHistory {
    /// By stamp, at most `entriesMax`, and fewer where they have many events.
    private var entries: [HistoryEntry] = []
    /// Of all entries together.
    private var eventCount = 0
    /// Of what found no room, the last.
    private var left: LamportTimestamp?

    static let entriesMax = 256
    /// As many are kept whatever is forgotten.
    static let entriesMin = 200

    /// The most events of all entries, but for one entry: a change of a few kilobytes may have 10,000.
    static let eventsMax = 65_536

    /// Whether what is left is all that there was, or enough.
    var isComplete: Bool {
        left == nil || entries.count >= Self.entriesMin || eventCount >= Self.eventsMax / 2
    }

    /// Takes in what a change did. Complexity: O(entriesMax).
    mutating func note(_ entry: HistoryEntry) {
        if let left, entry.stamp <= left { return }
        let place = entries.lastIndex { $0.stamp < entry.stamp }.map { $0 + 1 } ?? 0
        entries.insert(entry, at: place)
        eventCount += entry.events.count
        while entries.count > Self.entriesMax || eventCount > Self.eventsMax && entries.count > 1 {
            let first = entries.removeFirst()
            eventCount -= first.events.count
            left = first.stamp
        }
    }

    /// Takes out what a change did that counts no more. Complexity: O(entriesMax).
    mutating func forget(_ stamp: LamportTimestamp) {
        entries.removeAll { $0.stamp == stamp }
        eventCount = entries.reduce(0) { $0 + $1.events.count }
    }

    /// The last so many, oldest first.
    func last(_ count: Int) -> [HistoryEntry] { Array(entries.suffix(max(count, 0))) }
}
