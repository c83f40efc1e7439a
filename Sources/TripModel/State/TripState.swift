import DeltaCRDT

/// The state of a trip: a fold over changes, each of which comes after its past.
struct TripState: Hashable, Sendable {
    /// The writes of the trip's title that no other has replaced, as a title's are.
    var title = Registers()
    /// What everybody writes on the trip as a whole.
    var note = Note()
    /// Every item ever made.
    var items = ItemTable()
    /// Every list ever made.
    var lists: [OperationID: ListState] = [:]
    /// In which order the items of lists stand.
    var order = ListOrder()
    /// The comments, by the operations that made them.
    var comments: [OperationID: CommentPlace] = [:]
    /// The first change of each participant, wherever they stand in the order that extends causality.
    private(set) var firsts: [ParticipantID: Cause] = [:]
    /// What each participant calls themselves.
    var names = Ballot<Text>()
    /// How many changes of each participant say something that a newer version knows.
    private(set) var unknownCounts: [ParticipantID: Int] = [:]

    /// Notes that a participant made a change.
    mutating func meet(_ change: TripChange) {
        let author = change.participant
        if change.content.hasUnknown { unknownCounts[author, default: 0] += 1 }
        if let first = firsts[author], first.stamp <= change.stamp { return }
        firsts[author] = change.cause
    }

    /// Whether the item was ever made.
    func knows(_ item: ItemID) -> Bool { items.contains(item) }

    /// Whether the list is there: made, and not removed.
    func holds(list: OperationID) -> Bool { lists[list]?.existence.isEnabled ?? false }

    /// The list that an item is in; nil where it is in none, or in one that was removed.
    func list(of item: ItemState) -> ListState? {
        guard let list = item.extras.value?.placement?.list, holds(list: list) else { return nil }
        return lists[list]
    }

    /// Whether the item is there: made, and not removed.
    func holds(_ item: ItemID) -> Bool { items[item]?.existence.isEnabled ?? false }
}
