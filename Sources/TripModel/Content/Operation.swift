/// One thing that a change does.
enum Operation: Hashable, Sendable {
    /// Names the trip.
    case setTitle(FieldWrite)
    /// Names the change's own participant.
    case setName(Text)
    /// Makes an item, with a title among its fields. A quantity of 0 is none.
    case add(fields: [FieldValue], quantity: Int64)
    case item(OperationReference, ItemOperation)
    /// What this version does not know, or cannot read: it has no effect.
    case ineffective
}

/// What an operation does to one item.
enum ItemOperation: Hashable, Sendable {
    case edit([FieldWrite])
    case remove
    case restore
    /// The vote of the change's own participant; nil takes it back.
    case vote(Vote?)
    case changeQuantity(by: Int64)
}

/// How an operation names another one.
enum OperationReference: Hashable, Sendable {
    /// An earlier operation of the same change.
    case here(OperationIndex)
    /// An operation of another change.
    case there(OperationID)
}

/// A field with its first value; nil for one that this version cannot show.
struct FieldValue: Hashable, Sendable {
    let field: Field
    let value: Text?
}

/// A write of a field, or of the trip's title, which is written as a title is.
struct FieldWrite: Hashable, Sendable {
    enum Value: Hashable, Sendable {
        case text(Text)
        case cleared
        /// What this version cannot read or may not show: it replaces nothing that is shown. It is kept in mind, so that
        /// whoever writes here without having been shown it leaves it alone.
        case unknown
    }

    let field: Field
    let value: Value
    /// Writes at this place, in the past, that the writer was not shown: they stay.
    let beside: [OperationReference]
}
