package import TripModel

/// What comes back for a request.
package enum TripAnswer: Codable, Hashable, Sendable {
    /// Something was done with items.
    case done(Receipt)
    case trip(TripView)
    case item(ItemView)
    case items([ItemView])
    case history(HistoryView)
    case members(MembersView)
    case member(MemberView)
    case status(StatusView)
    case invite(InviteView)
    case invites([InviteView])
    case removed(RemovalReceipt)
}

/// What was done with items, durable now.
package struct Receipt: Codable, Hashable, Sendable {
    package enum Act: String, Codable, Hashable, Sendable {
        case added, edited, removed, restored, votedFor, votedAgainst, unvoted, counted
    }

    /// An item as it stands after the act.
    package struct Item: Codable, Hashable, Sendable {
        package let number: Int
        package let title: String
        package let shortID: String
        package let quantity: Int64?

        package init(_ item: ItemView) {
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

    package init(_ act: Act, _ items: [ItemView], unchanged: [ItemView] = []) {
        self.act = act
        self.items = items.map(Item.init)
        self.unchanged = unchanged.map(Item.init)
    }
}

/// Somebody was taken out, or left.
package struct RemovalReceipt: Codable, Hashable, Sendable {
    package let name: String
    /// Whether the one who asked left.
    package let isLeaving: Bool
    /// Whether invites were open, which the removal closed.
    package let closedInvites: Bool

    package init(name: String, isLeaving: Bool, closedInvites: Bool) {
        self.name = name
        self.isLeaving = isLeaving
        self.closedInvites = closedInvites
    }
}
