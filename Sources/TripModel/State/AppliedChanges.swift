/// The changes that were applied, by their places in the log, and of which branch each is.
struct AppliedChanges: Sendable {
    /// −1 where none was applied.
    private var branchOfPlace: ContiguousArray<Int32> = []

    /// Notes a change; false where it was applied before.
    mutating func insert(_ change: TripChange) -> Bool {
        while branchOfPlace.count <= change.place { branchOfPlace.append(-1) }
        guard branchOfPlace[change.place] < 0 else { return false }
        branchOfPlace[change.place] = change.branch
        return true
    }

    func contains(_ place: Int) -> Bool { place < branchOfPlace.count && branchOfPlace[place] >= 0 }

    /// The branch of a change that was applied.
    func branch(of place: UInt32) -> Int32 { branchOfPlace[Int(place)] }
}
