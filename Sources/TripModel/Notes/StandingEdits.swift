import DeltaCRDT

/// The operations that inserted something into a note and that no write of the whole text removed.
///
/// Of a branch of the log, an author has seen all up to some index. So a write looks at what it removes, and at one more of each branch:
/// however many edits stand beside it, they cost it nothing.
struct StandingEdits: Sendable {
    private var branches: [Int32: Branch] = [:]

    private struct Branch: Sendable {
        /// Ascending by their indices in the log.
        var edits: [LoggedOperation] = []
        /// As many at the front were removed.
        var removedCount = 0

        mutating func insert(_ edit: LoggedOperation) {
            var place = edits.count
            while place > removedCount, edit.changeIndex < edits[place - 1].changeIndex { place -= 1 }
            edits.insert(edit, at: place)
        }

        mutating func removeSeen(
            by event: some LoggedEvent<LoggedOperation>, except siblings: Set<OperationID>,
            into removed: inout [LoggedOperation]
        ) {
            var (end, kept) = (removedCount, [LoggedOperation]())
            while end < edits.count, event.hasSeen(edits[end]) {
                if siblings.contains(edits[end].operation) {
                    kept.append(edits[end])
                } else {
                    removed.append(edits[end])
                }
                end += 1
            }
            removedCount = end - kept.count
            for (offset, edit) in kept.enumerated() { edits[removedCount + offset] = edit }
            // Not each time, for all that stand are moved.
            if removedCount > edits.count / 2 {
                edits.removeFirst(removedCount)
                removedCount = 0
            }
        }
    }

    /// Of what an item was made with, which is one operation at most, the branch isn't known.
    static let unknownBranch: Int32 = -1

    /// Takes an edit, which mostly is the last of its branch.
    mutating func insert(_ edit: LoggedOperation, ofBranch branch: Int32) {
        branches[branch, default: Branch()].insert(edit)
    }

    /// Removes the edits that an event has seen, but for some, and returns them. O(branches, edits that are removed, and `siblings`).
    mutating func removeSeen(
        by event: some LoggedEvent<LoggedOperation>, except siblings: Set<OperationID>
    ) -> [LoggedOperation] {
        var removed: [LoggedOperation] = []
        for branch in Array(branches.keys) {
            guard var standing = branches.removeValue(forKey: branch) else { continue }
            standing.removeSeen(by: event, except: siblings, into: &removed)
            if standing.removedCount < standing.edits.count { branches[branch] = standing }
        }
        return removed
    }
}
