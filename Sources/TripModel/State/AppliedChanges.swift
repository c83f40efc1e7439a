/// The changes that were applied, by their indices in the log, and of which branch each is.
struct AppliedChanges: Sendable {
    /// −1 where none was applied.
    private var branchOfChange: ContiguousArray<Int32> = []

    /// Notes a change; false where it was applied before.
    mutating func insert(_ change: TripChange) -> Bool {
        while branchOfChange.count <= change.index { branchOfChange.append(-1) }
        guard branchOfChange[change.index] < 0 else { return false }
        branchOfChange[change.index] = change.branch
        return true
    }

    func contains(_ index: Int) -> Bool { index < branchOfChange.count && branchOfChange[index] >= 0 }

    /// The branch of a change that was applied.
    func branch(of index: UInt32) -> Int32 { branchOfChange[Int(index)] }
}
