package import TripModel

/// What comes back for a request.
package enum TripAnswer: Codable, Hashable, Sendable {
    /// Something was done with items.
    case done(Receipt)
    case trip(TripView)
    /// What everybody writes on the trip as a whole; nil where nothing is written.
    case note(FieldView?)
    /// Those who write in notes now.
    case writers([WriterView])
    /// - Parameter group: by which its price is shared out.
    case item(ItemView, of: Group)
    case items([ItemView])
    /// Nil where it is not here yet: only others have it.
    case picture(PictureFile?)
    case history(HistoryView)
    case members(MembersView)
    case member(MemberView)
    /// A device of the person here was ended.
    case deviceRemoved(DeviceReceipt)
    /// Somebody who waited is in again.
    case kept(name: String)
    /// The invite that stays open.
    case inviteKept(InviteView)
    case status(StatusView)
    case mailboxes([MailboxView])
    case invite(InviteView)
    case invites([InviteView])
    case removed(RemovalReceipt)
    /// Something was done with a list.
    case list(ListReceipt)
    /// The trip, or its person, is called so now.
    case renamed(String)
    case own(OwnView)
    case feeds([Feed])
    /// A wish list, as it is now.
    case wishes([Wish])
    /// What was done with a wish list.
    case wished(WishReceipt)
    /// The numbers under which rows are shown.
    case numbers([Int])
    case meanings([ShownLists.Meaning])
    /// A sealed file was made or taken in.
    case bundle(BundleReceipt)
    /// What was taken back, as the history tells it.
    case undone(HistoryView, WishReceipt = WishReceipt())
}

/// A device of the person here that was removed.
package struct DeviceReceipt: Codable, Hashable, Sendable {
    package let name: String
    /// In hexadecimal digits.
    package let id: String
    /// Whether invites were open that it may know, and are revoked now.
    package let closedInvites: Bool
    /// The names of members whose open invites it may know, and only they, or members above them, can revoke.
    package let openers: [String]

    package init(name: String, id: String, closedInvites: Bool, openers: [String]) {
        self.name = name
        self.id = id
        self.closedInvites = closedInvites
        self.openers = openers
    }
}

/// What was done with a wish list, durable now.
package struct WishReceipt: Codable, Hashable, Sendable {
    package let added: [Wish]
    package let removed: [Wish]

    package init(added: [Wish] = [], removed: [Wish] = []) {
        self.added = added
        self.removed = removed
    }
}

/// What was done with items, durable now.
package struct Receipt: Codable, Hashable, Sendable {
    package enum Act: String, CaseIterable, Codable, Hashable, Sendable {
        case added, edited, removed, restored, votedFor, votedAgainst, votedIfNeedBe, unvoted, counted, claimed
        case unclaimed, commented, uncommented, moved, done, undone, chosen, unchosen, attached, detached
        case planned, unplanned, going, maybeGoing, notGoing, unanswered, replied, unreplied, optionsChanged
    }

    /// An item as it stands after the act.
    package struct Item: Codable, Hashable, Sendable {
        package let number: Int
        package let title: String
        package let shortID: String
        package let quantity: Int64?
        package let dates: String?
        package let isQuestion: Bool
        /// What an expense or a payment says of money.
        package let cost: String?

        /// How many of it its receiver brings; nil where that is not told.
        package let claimed: Int64?

        package init(_ item: ItemView, claimedBy person: ParticipantID? = nil) {
            claimed = item.sayings.claims.first { $0.participant == person }?.word
            cost = item.isOfCosts ? item.costText : nil
            dates = item.fields[.dates]?.value
            isQuestion = item.question != nil
            number = item.number
            title = item.title
            shortID = item.shortID
            quantity = item.quantity
        }
    }

    package let act: Act
    package let items: [Item]
    /// Those of which it was so already, and nothing was written.
    package let unchanged: [Item]
    /// The texts of the comments that were deleted.
    package let comments: [String]
    /// Who has to keep the person here before others see it; nil where others see it.
    package let waitsFor: String?
    /// How many photos were attached; nil for other acts, and from a node that is too old to count them.
    package var photos: Int?

    package init(
        _ act: Act, _ items: [ItemView], unchanged: [ItemView] = [], comments: [String] = [], waitsFor: String? = nil,
        for person: ParticipantID? = nil
    ) {
        self.act = act
        self.comments = comments
        self.waitsFor = waitsFor
        self.items = items.map { Item($0, claimedBy: person) }
        self.unchanged = unchanged.map { Item($0, claimedBy: person) }
    }

    /// The same items after another act: of several acts in a row, the one that names them all.
    package func of(_ act: Act) -> Receipt { Receipt(act, items + unchanged, waitsFor) }

    private init(_ act: Act, _ items: [Item], _ waitsFor: String?) {
        (self.act, self.items, self.waitsFor, unchanged, comments) = (act, items, waitsFor, [], [])
    }
}

/// What a sealed file held, durable now.
package struct BundleReceipt: Codable, Hashable, Sendable {
    /// How many changes are in it.
    package let changes: Int
    /// How many of them were new here; nil for one that was made.
    package let newChanges: Int?
    /// Who made it.
    package let author: String

    package init(changes: Int, newChanges: Int?, author: String) {
        self.changes = changes
        self.newChanges = newChanges
        self.author = author
    }
}

/// What was done with a list, durable now.
package struct ListReceipt: Codable, Hashable, Sendable {
    package enum Act: String, Codable, Hashable, Sendable {
        case added, edited, removed, restored
    }

    package let act: Act
    package let list: ListView

    package init(_ act: Act, _ list: ListView) {
        self.act = act
        self.list = list
    }
}

/// Somebody was removed, or left.
package struct RemovalReceipt: Codable, Hashable, Sendable {
    package let name: String
    /// Whether the one who asked left.
    package let isLeaving: Bool
    /// Whether it ended open invites: the author's own, and those of people below the author.
    package let closedInvites: Bool
    /// The members whose invites stay open, although the removed person may know them; nil from a node that is too old to tell.
    package let openers: [String]?
    /// How many items of theirs were removed with them, and how many photos of theirs from other items.
    package var items = 0
    package var photos = 0

    package init(name: String, isLeaving: Bool, closedInvites: Bool, openers: [String] = []) {
        self.name = name
        self.isLeaving = isLeaving
        self.closedInvites = closedInvites
        self.openers = openers
    }
}
