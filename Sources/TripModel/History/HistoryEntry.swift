/// What one change did, for people to read.
package struct HistoryEntry: Hashable, Sendable {
    package let participant: ParticipantID
    package let stamp: Stamp
    /// Milliseconds since 1970 by the author's clock.
    package let wallTime: Int64
    /// In the order of the payload; never empty.
    package let events: [HistoryEvent]
}

/// One thing that a change did.
package enum HistoryEvent: Hashable, Sendable {
    /// Named the trip, in place of what it was called.
    case titled(String, insteadOf: [String])
    /// Named themselves, in place of an earlier name.
    case named(String, insteadOf: String?)
    /// Did something to an item, with the title that it had then.
    case item(ItemID, title: String, ItemEvent)
}

/// What was done to an item.
package enum ItemEvent: Hashable, Sendable {
    case added(quantity: Int64?)
    case edited([FieldEdit])
    case removed
    case restored
    case voted(Vote)
    case unvoted
    case counted(by: Int64)

    /// The word for it, as in JSON.
    package var verb: String {
        switch self {
        case .added: "added"
        case .edited: "edited"
        case .removed: "removed"
        case .restored: "restored"
        case .voted: "voted"
        case .unvoted: "unvoted"
        case .counted: "counted"
        }
    }
}

/// A field that was written, or cleared where the value is nil, in place of the values that its author saw.
package struct FieldEdit: Hashable, Sendable {
    package let field: Field
    package let value: String?
    package let insteadOf: [String]
}
