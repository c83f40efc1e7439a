/// A participant as people see them.
package struct ParticipantView: Codable, Hashable, Sendable {
    package let id: ParticipantID
    /// As they wrote it, or nil where they have not said.
    package let name: String?
    /// The name that nobody else in the trip is shown under: a second "Jie" is "Jie (2)", one who is out "Jie (out)",
    /// one who waits "Jie (waiting)".
    package let displayName: String
    package let isOut: Bool
    /// Whether the participant is out, and may be kept.
    package let isWaiting: Bool

    package init(id: ParticipantID, name: String?, displayName: String, isOut: Bool, isWaiting: Bool = false) {
        self.id = id
        self.name = name
        self.displayName = displayName
        self.isOut = isOut
        self.isWaiting = isWaiting
    }
}

/// A value that was proposed, and who wrote it.
package struct Proposal: Codable, Hashable, Sendable {
    package let value: String
    package let author: ParticipantID
    package let authorName: String

    package init(value: String, author: ParticipantID, authorName: String) {
        self.value = value
        self.author = author
        self.authorName = authorName
    }
}

/// What a field shows: the value that stands highest, and beside it the ones that were written at the same time, until
/// somebody picks one.
package struct FieldView: Codable, Hashable, Sendable {
    package let shown: Proposal
    /// Highest first, each value once.
    package let alternatives: [Proposal]

    package init(shown: Proposal, alternatives: [Proposal]) {
        self.shown = shown
        self.alternatives = alternatives
    }

    package var value: String { shown.value }
}

/// One participant's last word on an item.
package struct LastWord<Word: Codable & Hashable & Sendable>: Codable, Hashable, Sendable {
    package let participant: ParticipantID
    package let name: String
    package let word: Word
    /// Whether the participant is out: the word counts no more.
    package let isOut: Bool

    package init(participant: ParticipantID, name: String, word: Word, isOut: Bool) {
        self.participant = participant
        self.name = name
        self.word = word
        self.isOut = isOut
    }
}

package typealias VoteView = LastWord<Vote>

/// An item as people see it.
package struct ItemView: Codable, Hashable, Sendable {
    package let id: ItemID
    /// What the item is called in commands: 12 hexadecimal digits, more only where two items share those.
    package let shortID: String
    /// Its place among all items ever made, removed ones included, from 1: removing an item renumbers no other.
    package private(set) var number: Int
    package let isRemoved: Bool
    package internal(set) var fields: [Field: FieldView]
    /// In the order of the voters' names, by bytes.
    package let votes: [VoteView]
    /// The votes for less the votes against, of those who are in.
    package let tally: Int
    /// Nil where nobody has ever counted; below 0 where two took the last away at the same moment.
    package let quantity: Int64?
    package let addedBy: ParticipantID
    package let addedByName: String
    /// Whether the participant who added it waits.
    package let isWaiting: Bool
    /// Milliseconds since 1970 by the clock of the one who added it.
    package let addedAt: Int64
    /// Where the change that made it stands.
    package let added: LamportTimestamp
    /// Where the highest change that still shows in it stands.
    package let touched: LamportTimestamp
    package var sayings: ItemSayings
    package var photos: [PhotoView] { sayings.photos }

    package init(
        id: ItemID, shortID: String, number: Int, isRemoved: Bool, fields: [Field: FieldView], votes: [VoteView],
        tally: Int, quantity: Int64?, addedBy: ParticipantID, addedByName: String, addedAt: Int64,
        added: LamportTimestamp, touched: LamportTimestamp, sayings: ItemSayings = ItemSayings(),
        isWaiting: Bool = false
    ) {
        self.id = id
        self.shortID = shortID
        self.number = number
        self.isRemoved = isRemoved
        self.fields = fields
        self.votes = votes
        self.tally = tally
        self.quantity = quantity
        self.addedBy = addedBy
        self.addedByName = addedByName
        self.isWaiting = isWaiting
        self.addedAt = addedAt
        self.added = added
        self.touched = touched
        self.sayings = sayings
    }

    package var title: String { fields[.title]?.value ?? "" }
    package var isDone: Bool { fields[.done] != nil }
    /// Whether the group decided for it; who said so is the author of the field.
    package var isChosen: Bool { fields[.chosen] != nil }
    /// Nil where nobody said, and for a kind that this version does not know.
    package var kind: ItemKind? { fields[.itemKind].flatMap { ItemKind(rawValue: $0.value) } }
    package var dates: DateSpan? { fields[.dates].flatMap { DateSpan($0.value) } }
    /// Nil where there is none, and where it is a phrase that is not understood.
    package var price: Price? { fields[.price].flatMap { Price($0.value) } }

    /// Every title that is shown for the item.
    package var titles: [String] {
        guard let title = fields[.title] else { return [] }
        return [title.value] + title.alternatives.map(\.value)
    }

    /// The same item under the number that it has on one device (`ShownNumbers`).
    package func numbered(_ number: Int) -> ItemView {
        var item = self
        item.number = number
        return item
    }

    package func vote(of participant: ParticipantID) -> Vote? {
        votes.first { $0.participant == participant }?.word
    }

    package func attendance(of participant: ParticipantID) -> Attendance? {
        sayings.attendance.first { $0.participant == participant }?.word
    }
}

/// The orders in which a list can be read.
package enum ItemOrder: String, CaseIterable, Codable, Hashable, Sendable {
    /// Highest tally first, older first among equals.
    case votes
    /// As they were made.
    case order
    /// Last touched first, by causal order and not by anybody's clock.
    case recent
    /// What is free first; then the least that each pays, by currency; then prices that are not shared out; then what has none.
    case price
}

/// A trip to read: a pure function of the replica's state and of who is out, in sorted arrays, the same on every converged node.
package struct TripView: Codable, Hashable, Sendable {
    /// Nil before anybody has named the trip.
    package let title: FieldView?
    /// What everybody writes on the trip as a whole; nil where nothing is to be read.
    package let note: FieldView?
    /// Those who are in first, each part in the order in which they first acted.
    package let participants: [ParticipantView]
    /// The items that are there, in the order in which they were made.
    package internal(set) var items: [ItemView]
    /// The items that were removed, in the order in which they were made.
    package internal(set) var removedItems: [ItemView]
    /// The lists that are there, in the order in which they were made.
    package let lists: [ListView]
    package let removedLists: [ListView]
    /// What is in no list, in its order; nil where nobody changed that, and it is as it was made.
    package let unlistedOrder: [ItemID]?
    /// The group of the trip of which this is a part; nil if this is the whole.
    let whole: Group?

    package init(
        title: FieldView?, note: FieldView? = nil, participants: [ParticipantView], items: [ItemView],
        removedItems: [ItemView], lists: [ListView] = [], removedLists: [ListView] = [], unlistedOrder: [ItemID]? = nil,
        partOf whole: Group? = nil
    ) {
        self.title = title
        self.note = note
        self.participants = participants
        self.items = items
        self.removedItems = removedItems
        self.lists = lists
        self.removedLists = removedLists
        self.unlistedOrder = unlistedOrder
        self.whole = whole
    }

    /// The items that are there, in an order.
    package func items(sortedBy order: ItemOrder) -> [ItemView] {
        switch order {
        case .order: items
        case .votes: items.sorted { ($1.tally, $0.number) < ($0.tally, $1.number) }
        case .recent: items.sorted { ($1.touched, $1.number) < ($0.touched, $0.number) }
        case .price: itemsByPrice
        }
    }

    /// O(n log n) in the items: each price is read once.
    private var itemsByPrice: [ItemView] {
        let group = group
        return items.map { item -> (rank: Int, currency: String, hundredths: Int64, item: ItemView) in
            guard let price = item.price else {
                let word = item.fields[.price].map { TextClasses.trimmed($0.value).foldedASCII }
                return (word == "free" ? -1 : 2, "", 0, item)
            }
            if price.hundredths == 0 { return (-1, "", 0, item) }
            let each = group.each(of: item)
            return (each == nil ? 1 : 0, price.currency ?? "", each ?? price.hundredths, item)
        }.sorted {
            ($0.rank, Text($0.currency), $0.hundredths, $0.item.number)
                < ($1.rank, Text($1.currency), $1.hundredths, $1.item.number)
        }.map(\.item)
    }

    /// The item, removed or not. Complexity: O(n).
    package func item(_ id: ItemID) -> ItemView? {
        items.first { $0.id == id } ?? removedItems.first { $0.id == id }
    }

    package func participant(_ id: ParticipantID) -> ParticipantView? {
        participants.first { $0.id == id }
    }

    /// The name to show for a participant.
    package func displayName(of id: ParticipantID) -> String {
        participant(id)?.displayName ?? DisplayNames.unnamed
    }
}
