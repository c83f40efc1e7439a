import DeltaCRDT

/// A change while it is folded: who wrote it, and what its author had seen.
struct FoldedChange {
    let cause: Cause
    let place: UInt32
    let isUpheld: Bool
    /// Whether it takes another change back: then it says so first.
    let isUndo: Bool
    private let branch: Int32
    private let past: CausalCut
    private let applied: AppliedChanges

    init(_ change: TripChange, _ applied: AppliedChanges) {
        cause = change.cause
        place = UInt32(change.place)
        isUpheld = change.isUpheld
        isUndo = if case .undo? = change.content.operations.first { true } else { false }
        branch = change.branch
        past = change.past
        self.applied = applied
    }

    /// Whether what a change at a place wrote is in the past of what is folded now: its own operations come one after the
    /// other, and of its branch all that stands before it is in its past. O(log branches).
    func hasSeen(_ other: UInt32) -> Bool {
        if other < past.prefix || other == place { return true }
        let otherBranch = applied.branch(of: other)
        return otherBranch == branch ? other < place : past.contains(Int(other), branch: otherBranch)
    }

    /// What a reference of this change names.
    func operation(_ reference: OperationReference) -> OperationID {
        switch reference {
        case .here(let index): cause.operation(index)
        case .there(let operation): operation
        }
    }

    /// Finds what a write leaves alone.
    func operations(_ beside: [OperationReference]) -> Set<OperationID> {
        beside.isEmpty ? [] : Set(beside.map(operation))
    }
}
