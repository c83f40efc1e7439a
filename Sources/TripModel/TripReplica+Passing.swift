package import DeltaCRDT

extension TripReplica {
    /// Notes operations of a branch that say nothing about the trip's content, such as who was let in: they take their
    /// numbers, and leave nothing alive.
    /// - Throws: `TripError` when a change of the same branch is missing before them.
    package mutating func pass(over first: Dot, operationCount: Int) throws(TripError) {
        let known = state.context.versionVector[first.replica]
        guard operationCount > 0, first.counter + UInt64(operationCount) - 1 > known else { return }
        guard first.counter == known + 1 else {
            throw TripError(.outOfOrder, "a change came before the one that it follows: fetch that one first")
        }
        for offset in 0..<UInt64(operationCount) {
            state.context.insert(Dot(replica: first.replica, counter: first.counter + offset))
        }
    }
}
