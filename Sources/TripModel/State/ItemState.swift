import DeltaCRDT

/// What is known of one item.
///
/// Removing an item takes its existence alone; its fields, votes and quantity stay, so that what makes it exist again makes
/// it exist whole.
struct ItemState: Hashable, Sendable {
    /// The operation that made it.
    let origin: LoggedOperation
    /// Whether nothing that counts has held it up yet: not even what made it, if that is there for others' sake.
    private(set) var isUnheld = true
    private(set) var existence = Existence()
    var fields = Registers()
    var votes = Ballot<Vote>()
    /// What few items have.
    var extras = Sparse<ItemExtras>()
    /// What people counted.
    private var counter = LoggedCounter()

    init(madeBy act: FoldedOperation) {
        origin = act.id
        if !act.isUpheld { hold(by: act) }
    }

    /// Has it there, beside removals that had not seen this.
    mutating func hold(by act: FoldedOperation) {
        if act.changesToken { existence.enable(by: act) }
        isUnheld = false
    }

    /// Removes it, as far as the change's author had seen what holds it up.
    mutating func remove(by act: FoldedOperation) { existence.disable(by: act) }

    /// Whether something held it up, and nothing does.
    var isRemoved: Bool { !existence.isEnabled && !isUnheld }

    /// Keeps no copy of what holds it up, of which there may be much.
    mutating func forgetHolders() { existence = Existence() }

    var id: ItemID { ItemID(operation: origin.operation) }

    var photos: Gallery { extras.value?.photos ?? Gallery() }

    /// The note as people write it together.
    var sharedNote: Note {
        if let note = extras.value?.note, note.isWritten { return note }
        var note = Note()
        if let first = fields[.note].first { note.begin(with: first) }
        return note
    }

    /// Whether it says that one person paid another.
    var isPayment: Bool { fields.contains(.payment) }

    /// Whether it says who paid for something, and is nothing else.
    var isExpense: Bool {
        fields.contains(.cost) && fields.shown(.itemKind).first?.text == Text(ItemView.expenseKind)
    }

    /// Whether a change decides whether the item is there: of a payment, only a change of the person who recorded it.
    func mayHold(_ act: FoldedOperation) -> Bool {
        act.author == origin.author || !isPayment
    }

    /// The value of `cost` or `payment` that is shown.
    var cost: String? { (fields.shown(.cost).first ?? fields.shown(.payment).first)?.text?.string }

    /// The titles by which it is found: the highest. More stand beside each other only where somebody wants many.
    var titlesToFind: [Text] { Array(fields[.title].lazy.compactMap(\.text).prefix(Limits.titlesToFind)) }

    /// The title that stands highest.
    var title: String { fields[.title].lazy.compactMap(\.text).first?.string ?? "" }

    /// The sum of all steps; nil where nobody has ever counted, or all that was counted was taken back.
    var quantity: Int64? { counter.value == 0 && counter.steps <= 0 ? nil : counter.value }

    /// Adds a step.
    /// - Parameter isUndo: whether it takes another one back.
    mutating func count(_ step: Int64, isUndo: Bool = false) {
        if isUndo { counter.withdraw(0 &- step) } else { counter.add(step) }
    }
}
