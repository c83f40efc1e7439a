package import Attachments

/// An item to be added: its fields, how many of it, and photos.
package struct ItemDraft: Hashable, Sendable {
    package var fields: [Field: String]
    /// From 1 to `Limits.quantityStep`, or nil where it does not matter how many.
    package var quantity: Int64?
    /// At most `Limits.amenitiesPerOperation`.
    package var amenities: [String]
    package var photos: [PhotoManifest]

    package init(
        title: String, fields: [Field: String] = [:], quantity: Int64? = nil, amenities: [String] = [],
        photos: [PhotoManifest] = []
    ) {
        self.fields = fields
        self.fields[.title] = title
        self.quantity = quantity
        self.amenities = amenities
        self.photos = photos
    }
}

/// Lists and comments are named as items are: by the operation that made them.
package typealias ListID = ItemID
package typealias CommentID = ItemID

/// Where items are moved to.
package enum Destination: Hashable, Sendable {
    /// The end of a list; nil for no list.
    case end(of: ListID?)
    case before(ItemID)
    case behind(ItemID)
}

/// What a participant does. One action is one change, however many items it touches.
package enum TripAction: Hashable, Sendable {
    /// Names the trip.
    case setTitle(String)
    /// Names the participant who acts.
    case setName(String)
    /// Adds items, to the end of a list or to none.
    case add([ItemDraft], to: ListID? = nil)
    /// Writes fields of one item; nil clears one. To pick one of several proposed values is to write it.
    ///
    /// Of a field for which `shown` says what its writer was shown, other values stay beside what is written: who began to
    /// write before they came buries nothing unseen. Of other fields all that can be shown is replaced.
    case edit(ItemID, [Field: String?], shown: [Field: [String]] = [:])
    case remove([ItemID])
    case restore([ItemID])
    /// Removes items, and photos of other items, together.
    case removeContributions([ItemID], photos: [ItemID: [PhotoID]])
    /// Votes for or against items; nil takes the vote back. Where that is the participant's vote already, nothing is written.
    case vote([ItemID], Vote?)
    /// Sets a flag of several items, or clears it, in one change.
    case mark([ItemID], Field, Bool)
    /// Adds to a quantity, or takes from it.
    case changeQuantity(ItemID, by: Int64)
    /// Says that the participant brings so many of an item, from 1 to `Limits.quantityStep`; nil takes that back.
    case claim([ItemID], Int64?)
    case changeAmenities(ItemID, added: [String], removed: [String])
    case comment(ItemID, String)
    /// Takes away comments of the participant's own.
    case removeComments([CommentID])

    /// Makes a list of a title and perhaps a kind, with items in it.
    case addList(title: String, kind: ItemKind?, [ItemDraft])
    /// Writes a list's title, note or kind, as an item's fields are written.
    case editList(ListID, [Field: String?])
    /// Removes lists; what is in them stays in the trip.
    case removeLists([ListID])
    case restoreLists([ListID])
    /// Puts items one behind the other, in the order given.
    case move([ItemID], Destination)
    case attach(ItemID, [PhotoManifest])
    case detach(ItemID, [PhotoID])
}
