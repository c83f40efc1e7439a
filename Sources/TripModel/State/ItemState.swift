/// What is known of one item.
///
/// Removing an item takes its existence alone; its fields, votes and quantity stay, so that what makes it exist again makes
/// it exist whole.
struct ItemState: Sendable {
    /// The change that made it.
    let origin: Cause
    var existence = Existence()
    var fields = Registers()
    var votes = Ballot<Vote>()
    /// What few items have.
    var extras = Sparse<ItemExtras>()
    /// Of all steps.
    private var sum: Int64 = 0
    /// The steps that stand: each undo of one takes one away.
    private var steps: Int32 = 0
    /// Where the change that made it stands in the log.
    let place: UInt32
    /// The operation that made it.
    let index: OperationIndex

    init(madeBy change: FoldedChange, at index: OperationIndex) {
        origin = change.cause
        place = change.place
        self.index = index
    }

    var id: ItemID { ItemID(operation: origin.operation(index)) }

    var photos: Gallery { extras.value?.photos ?? Gallery() }

    /// The note as people write it together.
    var sharedNote: Note {
        if let note = extras.value?.note, note.isWritten { return note }
        var note = Note()
        if let first = fields[.note].first { note.begin(with: first) }
        return note
    }

    /// Whether it says that one person paid another.
    var isPayment: Bool { fields.hold(.payment) }

    /// Whether it says who paid for something, and is nothing else.
    var isExpense: Bool {
        fields.hold(.cost) && fields.shown(.itemKind).first?.text == Text(ItemView.expenseKind)
    }

    /// Whether a change decides whether the item is there: of a payment, only a change of the person who recorded it.
    func mayHold(_ change: FoldedChange) -> Bool {
        change.cause.participant == origin.participant || !isPayment
    }

    /// The value of `cost` or `payment` that is shown.
    var cost: String? { (fields.shown(.cost).first ?? fields.shown(.payment).first)?.text?.string }

    /// Every title that is shown, highest first.
    var titles: [Text] { fields[.title].compactMap(\.text) }

    /// The title that stands highest.
    var title: String { fields[.title].lazy.compactMap(\.text).first?.string ?? "" }

    /// The sum of all steps; nil where nobody has ever counted, or all that was counted was taken back.
    var quantity: Int64? { sum == 0 && steps <= 0 ? nil : sum }

    /// Adds a step. However many come, their sum is the same in any order.
    /// - Parameter isUndo: whether it takes another one back.
    mutating func count(_ step: Int64, isUndo: Bool = false) {
        sum &+= step
        steps &+= isUndo ? -1 : 1
    }
}

/// Equal on all nodes: its place is this log's own.
extension ItemState: Hashable {
    static func == (left: ItemState, right: ItemState) -> Bool {
        left.index == right.index && left.origin == right.origin && left.existence == right.existence
            && left.fields == right.fields && left.votes == right.votes && left.sum == right.sum
            && left.steps == right.steps && left.extras == right.extras
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(origin)
        hasher.combine(index)
    }
}
