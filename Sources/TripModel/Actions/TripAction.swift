/// An item to be added: its fields, and how many of it.
package struct ItemDraft: Hashable, Sendable {
    package var fields: [Field: String]
    /// From 1 to `Limits.quantityStep`, or nil where it does not matter how many.
    package var quantity: Int64?

    package init(title: String, fields: [Field: String] = [:], quantity: Int64? = nil) {
        self.fields = fields
        self.fields[.title] = title
        self.quantity = quantity
    }
}

/// What a participant does. One action is one change, however many items it touches.
package enum TripAction: Hashable, Sendable {
    /// Names the trip.
    case setTitle(String)
    /// Names the participant who acts.
    case setName(String)
    case add([ItemDraft])
    /// Writes fields of one item; nil clears one. To pick one of several proposed values is to write it.
    ///
    /// Of a field for which `shown` says what its writer was shown, other values stay beside what is written: who began to
    /// write before they came buries nothing unseen. Of other fields all that can be shown is replaced.
    case edit(ItemID, [Field: String?], shown: [Field: [String]] = [:])
    case remove([ItemID])
    case restore([ItemID])
    /// Votes for or against items; nil takes the vote back. Where that is the participant's vote already, nothing is written.
    case vote([ItemID], Vote?)
    /// Adds to a quantity, or takes from it.
    case changeQuantity(ItemID, by: Int64)
}
