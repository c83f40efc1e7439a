import DeltaCRDT

/// An operation while it is folded: who wrote it, and what its author had seen.
struct FoldedOperation: LoggedEvent {
    let cause: Cause
    let changeIndex: UInt32
    /// How many operations of its change come before it.
    var index: OperationIndex = 0
    let isUpheld: Bool
    /// Whether its change takes another one back: then that says so first.
    let isUndo: Bool
    /// The number of its change's branch in the log.
    let branch: Int32
    /// What of its change's operations is not done, because later ones do it again; nil where all is.
    var repetitions: Repetitions?
    private let past: CausalCut
    private let applied: AppliedChanges

    /// The first operation of a change.
    init(_ change: TripChange, _ applied: AppliedChanges) {
        cause = change.cause
        changeIndex = UInt32(change.index)
        isUpheld = change.isUpheld
        isUndo = if case .undo? = change.content.operations.first { true } else { false }
        branch = change.branch
        past = change.past
        self.applied = applied
    }

    var id: LoggedOperation { LoggedOperation(cause: cause, changeIndex: changeIndex, index: index) }
    var authored: AuthoredOperation { AuthoredOperation(cause, index) }
    var author: ParticipantID { cause.participant }

    /// Whether it leaves a token of an item or a comment, or takes some away.
    var changesToken: Bool { repetitions?.changesToken(index) ?? true }
    /// The same of a list.
    var changesListToken: Bool { repetitions?.changesListToken(index) ?? true }

    /// Whether another operation is in its past: those of its change come one after the other, and of its branch all that stands before
    /// it is in its past. O(log branches).
    func hasSeen(_ other: LoggedOperation) -> Bool {
        if other.changeIndex < past.prefix || other.changeIndex == changeIndex { return true }
        let otherBranch = applied.branch(of: other.changeIndex)
        return otherBranch == branch
            ? other.changeIndex < changeIndex : past.contains(Int(other.changeIndex), branch: otherBranch)
    }

    /// What a reference of this operation names.
    func operation(_ reference: OperationReference) -> OperationID {
        switch reference {
        case .here(let index): cause.operation(index)
        case .there(let operation): operation
        }
    }

    /// Finds what a write leaves alone.
    func operations(_ siblings: [OperationReference]) -> Set<OperationID> {
        siblings.isEmpty ? [] : Set(siblings.map(operation))
    }
}
