import DeltaCRDT

/// A trip that is read while it changes: a replica, and beside it what a view needs, kept up to date at the cost of what
/// changed and not of what is there.
///
/// The first reading builds what a view needs, so a trip that is never read carries nothing. Readings are mutating only for that; they
/// change nothing that can be seen.
package struct LiveTrip: Sendable {
    /// What actions are checked against, and what is compared.
    package private(set) var replica: TripReplica
    /// The participants who are out, as the log tells: their votes count no more, and their names are marked.
    package var outside: Set<ParticipantID> {
        didSet { if outside != oldValue { names = nil } }
    }
    /// Those of them who may be kept.
    package var waiting: Set<ParticipantID> = [] {
        didSet { if waiting != oldValue { names = nil } }
    }
    /// The names in people's admissions, as they may be shown: for those who never said one in the trip.
    package var admittedNames: [ParticipantID: String] {
        didSet { if admittedNames != oldValue { names = nil } }
    }
    /// What sealed answers of the people here say, by commitment: nobody else knows.
    package var ownAnswers: [[UInt8]: RevealedAnswer] = [:]
    /// Nil before the first reading.
    private var index: ItemIndex?
    /// Nil until somebody reads, after something changed about people.
    private var names: DisplayNames?

    package init(
        _ replica: TripReplica = TripReplica(), outside: Set<ParticipantID> = [],
        admittedNames: [ParticipantID: String] = [:]
    ) {
        self.replica = replica
        self.outside = outside
        self.admittedNames = admittedNames
    }

    /// Applies a change whose past is already here.
    ///
    /// Complexity: as `TripReplica.apply`; for each item that it makes, O(log n + n / 512) in the items. After a change by
    /// somebody new or of a name, the next reading names everybody again: O(p log p) in the participants.
    /// - Returns: what it did, as people here see it; nil where it was applied before, or nobody can see that it did
    ///   anything.
    @discardableResult
    package mutating func apply(_ change: TripChange) -> HistoryEntry? {
        guard replica.isNew(change) else { return nil }
        let author = change.participant
        let before = person(author)
        let touched = index == nil ? [] : change.touchedItems
        let titles = touched.map { ($0, replica.state.items[$0]?.titlesToFind ?? []) }
        var events: [HistoryEvent]? = []
        _ = replica.apply(change, telling: &events)
        if index != nil {
            for id in change.madeItems { if let item = replica.state.items[id] { index?.insert(item) } }
        }
        for (id, old) in titles {
            if let item = replica.state.items[id] { index?.retitle(item, from: old, to: item.titlesToFind) }
        }
        if before != person(author) { names = nil }
        #if CHECK_INVARIANTS
        index?.checkInvariants(of: replica.state.items)
        #endif
        return change.entry(events)
    }

    private func person(_ id: ParticipantID) -> (Cause?, Text?) {
        (replica.state.firsts[id], replica.state.names[id]?.word)
    }

    // MARK: - Reading

    /// The whole trip. Complexity: O(n) in the size of the state.
    package var view: TripView {
        mutating get {
            let (index, names) = prepared()
            let longIDs = index.longIDs
            var items: [ItemView] = []
            var removed: [ItemView] = []
            var number = 0
            index.forEach { id in
                number += 1
                guard let state = replica.state.items[id] else { return }
                let shortID = longIDs[id] ?? id.leastShortID
                let item = ItemView(
                    state, in: replica.state, number: number, shortID: shortID, names: names, own: ownAnswers)
                if item.isRemoved { removed.append(item) } else { items.append(item) }
            }
            let lists = replica.state.lists(names)
            return TripView(
                title: FieldView(replica.state.title[.title], names: names),
                note: FieldView(replica.state.note, names: names), participants: names.participants, items: items,
                removedItems: removed, lists: lists.filter { !$0.isRemoved },
                removedLists: lists.filter(\.isRemoved), unlistedOrder: replica.state.unlistedOrder)
        }
    }

    /// The trip's title; nil before anybody has named it.
    package var title: FieldView? {
        mutating get { FieldView(replica.state.title[.title], names: prepared().names) }
    }

    /// What everybody writes on the trip as a whole.
    package var note: FieldView? {
        mutating get { FieldView(replica.state.note, names: prepared().names) }
    }

    /// The item, removed or not; nil where none was ever made. Complexity: in the size of the item, and O(log n + n / 512).
    package mutating func item(_ id: ItemID) -> ItemView? {
        guard let item = replica.state.items[id] else { return nil }
        let (index, names) = prepared()
        return ItemView(
            item, in: replica.state, number: index.number(of: item), shortID: index.shortID(of: id), names: names,
            own: ownAnswers)
    }

    /// The item's place among all that were ever made, from 1. Complexity: O(log n + n / 512).
    package mutating func number(of id: ItemID) -> Int? {
        guard let item = replica.state.items[id] else { return nil }
        return prepared().index.number(of: item)
    }

    /// Everybody who has acted, members first.
    package var participants: [ParticipantView] {
        mutating get { prepared().names.participants }
    }

    /// The same, and behind them those who were admitted and did nothing yet.
    package var everybody: [ParticipantView] {
        mutating get { prepared().names.everybody }
    }

    /// What to call everybody, as a value to read. Complexity: O(1).
    package var displayNames: DisplayNames {
        mutating get { prepared().names }
    }

    /// What to call somebody. Complexity: O(1).
    package mutating func displayName(of id: ParticipantID) -> String { prepared().names[id] }

    /// What somebody calls themselves; nil where they have not said. Complexity: O(1).
    package func givenName(of id: ParticipantID) -> String? { replica.state.names[id]?.word?.string }

    /// Builds what is missing.
    mutating func prepared() -> (index: ItemIndex, names: DisplayNames) {
        let index = index ?? ItemIndex(replica.state.items)
        let names =
            names
            ?? DisplayNames(
                replica.state, outside: outside, waiting: waiting, admittedNames: admittedNames)
        (self.index, self.names) = (index, names)
        return (index, names)
    }
}

extension TripReplica {
    /// The trip to read, where nobody is out. Complexity: O(n log n) in the size of the state.
    package var view: TripView {
        var trip = LiveTrip(self)
        return trip.view
    }
}

extension TripChange {
    /// The items that it makes, as far as they are its to make.
    fileprivate var madeItems: [ItemID] {
        content.operations.enumerated().compactMap { index, operation in
            guard case .add = operation else { return nil }
            return ItemID(change: hash, index: OperationIndex(index))
        }
    }

    /// The items of others that it does something to.
    fileprivate var touchedItems: Set<ItemID> {
        var touched: Set<ItemID> = []
        for case .item(.there(let operation), _) in content.operations where operation.change != hash {
            touched.insert(ItemID(operation: operation))
        }
        return touched
    }
}
