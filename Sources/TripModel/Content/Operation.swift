import Attachments

/// One thing that a change does.
enum Operation: Hashable, Sendable {
    /// Names the trip.
    case setTitle(FieldWrite)
    /// Names the change's own participant.
    case setName(Text)
    /// Makes an item, with a title among its fields. A quantity of 0 is none. Without a position it stands in no list,
    /// behind what is there.
    case add(fields: [FieldValue], quantity: Int64, position: Position?)
    /// Makes a list, with a title among its fields.
    case addList(fields: [FieldValue])
    /// What is done to an item; edits, removals and restorations may name a list, and the latter two a comment.
    case item(OperationReference, ItemOperation)
    /// Says that the change takes back what another of its author did. It does nothing by itself.
    case undo(ChangeHash)
    /// What the devices of the change's own participant alone can read. To everybody else, and to the trip, it does nothing.
    case own([UInt8])
    /// Edits the note of the trip.
    case editNote(NoteEdit)
    /// What this version does not know, or cannot read: it has no effect.
    case ineffective
}

extension Operation {
    /// Whether it has an effect where its change does not count and is upheld: it makes an item or a list, or closes a hidden question,
    /// which stays closed because others have revealed their answers. What it inserted into a note stays where others wrote beside it.
    var hasEffectWhereUpheld: Bool {
        switch self {
        case .add, .addList, .item(_, .close), .editNote, .item(_, .editNote): true
        case .setTitle, .setName, .item, .undo, .own, .ineffective: false
        }
    }

    /// The changes that made what it acts on: its item, a list that it puts something into, the closing that it follows, the words of a
    /// note beside which it writes.
    var subjects: [ChangeHash] {
        let named: [OperationReference?] =
            switch self {
            case .item(let reference, .place(let position)): [reference, position.list]
            case .item(let reference, .reveal(_, let closing)): [reference, closing]
            case .item(let reference, .editNote(let edit)): [reference] + edit.neighbors
            case .editNote(let edit): edit.neighbors
            case .item(let reference, _): [reference]
            case .add(_, _, let position): [position?.list]
            case .setTitle, .setName, .addList, .undo, .own, .ineffective: []
            }
        return named.compactMap { if case .there(let operation)? = $0 { operation.change } else { nil } }
    }
}

/// What an operation does to one item.
enum ItemOperation: Hashable, Sendable {
    case edit([FieldWrite])
    case remove
    case restore
    /// The vote of the change's own participant; nil takes it back.
    case vote(Vote?)
    case changeQuantity(by: Int64)
    case attach(PhotoManifest)
    /// Takes away what an operation attached.
    case detach(OperationReference)
    /// Puts the item into a list, or into none, at a place of it.
    case place(Position)
    case comment(Text)
    /// How many of it the change's own participant brings; nil takes that back.
    case claim(Claim?)
    /// Whether the change's own participant is going; nil takes that back.
    case attend(Attendance?)
    /// Words that are added to its amenities, and words that are taken away.
    case amenities(added: [Text], removed: [Text])
    /// What the change's own participant answers to a question; nil takes that back.
    case answer(Answer?)
    /// What the change's own participant answers to a hidden question.
    case seal(SealedAnswer)
    /// Closes a hidden question. The answers that it names count, one a person.
    case close(counting: [ParticipantID: OperationID])
    /// What a sealed answer of the change's own participant says, now that something closed the question.
    case reveal(RevealedAnswer, closing: OperationReference)
    /// Options that are added to a question, and options that are taken away.
    case options(added: [Text], removed: [Text])
    case editNote(NoteEdit)
}

extension ItemOperation {
    /// Whether it keeps its item beside a removal at the same moment. To reveal an answer is nobody's wish to keep the question.
    var holdsUp: Bool {
        switch self {
        case .remove, .reveal: false
        default: true
        }
    }
}

/// How many of an item somebody brings, from 1 to `Limits.quantityStep`.
struct Claim: Hashable, Sendable {
    let count: UInt32
}

/// Where an item stands: in a list, on one side of what stood there (`ListOrder`).
struct Position: Hashable, Sendable {
    enum Side: UInt8, Hashable, Sendable {
        case before = 0
        case behind = 1
    }

    /// Nil for no list.
    let list: OperationReference?
    /// The operation that put another item into the same list; nil where nothing stood there.
    let anchor: OperationReference?
    let side: Side
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
        /// A value that this version cannot read or may not show: it replaces nothing that is shown. It is remembered, so that a later
        /// write here, whose author was not shown it, leaves it alone.
        case unknown
    }

    let field: Field
    let value: Value
    /// Writes at this place, in the past, that the writer was not shown: they stay.
    let siblings: [OperationReference]
}
