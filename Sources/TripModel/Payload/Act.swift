import DeltaCRDT

/// One sentence of a payload. It stands for one operation or for several in a row, each with a dot of the change.
///
/// A dot lives at one place for ever: in the existence of an item, at one field, or at the trip's title. So an edit of
/// two fields is three operations: the item exists, and two writes.
enum Act: Hashable, Sendable {
    /// One operation: writes the trip's title over the writes that its author saw.
    case setTitle(String, superseding: [Dot])
    /// One operation: names the change's own participant.
    case setName(String)
    /// One operation that makes the item, then one a field. A quantity of 0 is none.
    case add(fields: [FieldValue], quantity: Int64)
    /// One operation on the existence of an item, superseding the dots of existence that its author saw, then one for
    /// each field that an edit writes.
    case item(ItemID, superseding: [Dot], ItemAct)

    /// How many operations the act stands for.
    var operationCount: Int {
        switch self {
        case .setTitle, .setName: 1
        case .add(let fields, _): 1 + fields.count
        case .item(_, _, let act): act.operationCount
        }
    }
}

/// What an act does to one item.
enum ItemAct: Hashable, Sendable {
    case edit([FieldWrite])
    case remove
    case restore
    /// The vote of the change's own participant; nil takes it back.
    case vote(Vote?)
    case changeQuantity(by: Int64)

    /// How many operations it stands for: the item exists, and one for each field.
    var operationCount: Int {
        if case .edit(let writes) = self { 1 + writes.count } else { 1 }
    }
}

/// A field with its first value.
struct FieldValue: Hashable, Sendable {
    let field: Field
    let value: String
}

/// A write of a field; nil clears it.
struct FieldWrite: Hashable, Sendable {
    let field: Field
    let value: String?
    /// The writes at this field that the author saw, in the order of their dots.
    let superseding: [Dot]
}

/// What one change of a trip says: what `TripReplica.perform` makes and the log carries.
package struct TripPayload: Hashable, Sendable {
    /// The canonical encoding.
    package let bytes: [UInt8]
    /// How many counters of the author's branch the change takes.
    package let operationCount: Int

    init(_ acts: [Act]) {
        bytes = Self.encode(acts)
        operationCount = acts.reduce(0) { $0 + $1.operationCount }
    }
}
