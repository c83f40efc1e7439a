import TripModel

/// What a person saw of what others did, by the order in which changes came to this node.
struct SeenChanges: Codable, Hashable {
    /// They saw every change before this index.
    private(set) var end: Int
    /// Of items that were seen since: the index before which their changes were seen.
    private var items: [ItemID: Int] = [:]

    /// More items that were seen one by one are not kept: then all counts as seen.
    static let itemsMax = 1_000

    init(end: Int) { self.end = end }

    /// Whether the change of an item at an index was seen.
    func holds(_ index: Int, of item: ItemID) -> Bool { index < max(end, items[item] ?? 0) }

    /// Notes that items were seen as they are.
    /// - Parameter now: the index of the next change.
    mutating func note(_ seen: [ItemID], now: Int) {
        for item in seen { items[item] = now }
        if items.count > Self.itemsMax { self = SeenChanges(end: now) }
    }
}

/// What others did to items: the index of the last change of each that a person may want to see.
///
/// Votes, answers and what people bring are not among it. They come often, and the faces of a card tell them.
struct TripNews {
    private(set) var latest: [ItemID: Int] = [:]

    /// The most items that are told: the latest. At most twice as many are kept.
    static let itemsMax = 1_000

    /// Takes in that somebody else's change did something to items that one may want to see. O(items), amortised.
    mutating func note(_ items: [ItemID], at index: Int) {
        for item in items { latest[item] = index }
        guard latest.count > Self.itemsMax * 2 else { return }
        let kept = latest.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(Self.itemsMax)
        latest = Dictionary(uniqueKeysWithValues: kept.map { ($0.key, $0.value) })
    }

    /// The items of which something was not seen, the latest first.
    func items(notIn seen: SeenChanges) -> [ItemID] {
        let unseen = latest.filter { !seen.holds($0.value, of: $0.key) }
        return unseen.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(Self.itemsMax).map(\.key)
    }

    /// Forgets what was seen.
    mutating func forget(_ seen: SeenChanges) { latest = latest.filter { !seen.holds($0.value, of: $0.key) } }
}

extension HistoryEntry {
    /// The items to which it did something that others may want to see.
    var itemsToSee: [ItemID] {
        events.compactMap { event in
            guard case .item(let item, _, let event, _) = event, event.isToSee else { return nil }
            return item
        }
    }
}

extension HistoryEntry {
    /// Whether photos came to an item, or went.
    var changesPhotos: Bool {
        events.contains { event in
            switch event {
            case .item(_, _, .attached, _), .item(_, _, .detached, _): true
            default: false
            }
        }
    }
}

extension ItemEvent {
    /// Whether it makes an item new to others. A removed item is not shown, so its removal is no news.
    fileprivate var isToSee: Bool {
        switch self {
        case .added, .edited, .noted, .restored, .counted, .commented, .recommented, .amenitiesChanged, .optionsChanged,
            .reopened,
            .attached:
            true
        case .removed, .voted, .unvoted, .claimed, .unclaimed, .answered, .unanswered, .uncommented, .moved,
            .detached, .replied, .sealedReply, .revealed, .closed:
            false
        }
    }
}
