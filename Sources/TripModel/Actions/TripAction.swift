package import Attachments

/// An item to be added: its fields, how many of it, and photos.
package struct ItemDraft: Hashable, Sendable {
    package var fields: [Field: String]
    /// From 1 to `Limits.quantityStep`, or nil where it does not matter how many.
    package var quantity: Int64?
    /// At most `Limits.wordsPerOperation`.
    package var amenities: [String]
    /// Of a question, at most `Limits.optionsMax`.
    package var options: [String]
    package var photos: [PhotoManifest]

    package init(
        title: String, fields: [Field: String] = [:], quantity: Int64? = nil, amenities: [String] = [],
        options: [String] = [], photos: [PhotoManifest] = []
    ) {
        self.fields = fields
        self.fields[.title] = title
        self.quantity = quantity
        self.amenities = amenities
        self.options = options
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
    /// Writes the note of the trip. What others wrote in it since `shown` was shown stays; nil for all that can be shown.
    case editNote(String, shown: String? = nil)
    /// Names the participant who acts.
    case setName(String)
    /// Adds items, to the end of a list or to none.
    case add([ItemDraft], to: ListID? = nil)
    /// Does something with items that are in the trip.
    case act(ItemAction, on: [ItemID])
    /// Answers a hidden question. A person answers it by `ItemAction.answer`, and their node seals that.
    case seal(ItemID, SealedAnswer)
    /// Reveals the participant's answer to a hidden question that is closed. Their node does.
    case reveal(ItemID, RevealedAnswer)
    /// Removes items, and photos of other items, together.
    case removeContributions([ItemID], photos: [ItemID: [PhotoID]])
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
}

extension TripAction {
    package static func edit(_ item: ItemID, _ fields: [Field: String?], shown: [Field: [String]] = [:]) -> TripAction {
        .act(.edit(fields, shown: shown), on: [item])
    }
    package static func remove(_ items: [ItemID]) -> TripAction { .act(.remove, on: items) }
    package static func restore(_ items: [ItemID]) -> TripAction { .act(.restore, on: items) }
    package static func vote(_ items: [ItemID], _ vote: Vote?) -> TripAction { .act(.vote(vote), on: items) }
    package static func mark(_ items: [ItemID], _ field: Field, _ isSet: Bool) -> TripAction {
        .act(.mark(field, isSet), on: items)
    }
    package static func changeQuantity(_ item: ItemID, by step: Int64) -> TripAction {
        .act(.changeQuantity(by: step), on: [item])
    }
    package static func claim(_ items: [ItemID], _ count: Int64?) -> TripAction { .act(.claim(count), on: items) }
    package static func attend(_ items: [ItemID], _ attendance: Attendance?) -> TripAction {
        .act(.attend(attendance), on: items)
    }
    package static func changeAmenities(_ item: ItemID, added: [String], removed: [String]) -> TripAction {
        .act(.changeAmenities(added: added, removed: removed), on: [item])
    }
    package static func comment(_ item: ItemID, _ text: String) -> TripAction { .act(.comment(text), on: [item]) }
    package static func attach(_ item: ItemID, _ photos: [PhotoManifest]) -> TripAction {
        .act(.attach(photos), on: [item])
    }
    package static func detach(_ item: ItemID, _ photos: [PhotoID]) -> TripAction { .act(.detach(photos), on: [item]) }
}
