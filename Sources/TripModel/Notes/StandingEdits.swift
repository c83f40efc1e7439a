import DeltaCRDT

/// The operations that inserted something into a note and that no write of the whole text removed.
///
/// Of a branch of the log, an author has seen all up to some index. So a write looks at what it removes, and at one more of each branch:
/// however many edits stand beside it, they cost it nothing.
struct StandingEdits: Sendable {
    private var branches: [Int32: Branch] = [:]
    /// The change that removed edits last, and those that it has seen and that stand still.
    private var last: (changeIndex: UInt32, left: [Standing])?

    private typealias Standing = (edit: LoggedOperation, branch: Int32)

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

        var isEmpty: Bool { removedCount == edits.count }

        mutating func remove(_ edit: LoggedOperation) {
            if let place = edits[removedCount...].lastIndex(of: edit) { edits.remove(at: place) }
        }

        /// - Returns: those that it has seen and that stay.
        mutating func removeSeen(
            by event: some LoggedEvent<LoggedOperation>, except siblings: Set<OperationID>,
            into removed: inout [LoggedOperation]
        ) -> [LoggedOperation] {
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
            return kept
        }
    }

    /// Of what an item was made with, which is one operation at most, the branch isn't known.
    static let unknownBranch: Int32 = -1

    /// Takes an edit, which mostly is the last of its branch.
    mutating func insert(_ edit: LoggedOperation, ofBranch branch: Int32) {
        branches[branch, default: Branch()].insert(edit)
        if last?.changeIndex == edit.changeIndex { last?.left.append((edit, branch)) }
    }

    /// Removes the edits that an event has seen, but for some, and returns them. O(branches, edits that are removed, and `siblings`).
    /// - Parameter changeIndex: where the event's change stands in the log, if its operations come one after the other: however many remove
    ///   something, one of them looks at all branches.
    mutating func removeSeen(
        by event: some LoggedEvent<LoggedOperation>, except siblings: Set<OperationID>,
        ofChange changeIndex: UInt32? = nil
    ) -> [LoggedOperation] {
        var (removed, left) = ([LoggedOperation](), [Standing]())
        if let last, last.changeIndex == changeIndex {
            for (edit, branch) in last.left {
                if siblings.contains(edit.operation) {
                    left.append((edit, branch))
                } else {
                    removed.append(edit)
                    branches[branch]?.remove(edit)
                    if branches[branch]?.isEmpty ?? false { branches[branch] = nil }
                }
            }
        } else {
            var emptied: [Int32] = []
            var place = branches.startIndex
            while place != branches.endIndex {
                let branch = branches.keys[place]
                let kept = branches.values[place].removeSeen(by: event, except: siblings, into: &removed)
                left += kept.map { ($0, branch) }
                if branches.values[place].isEmpty { emptied.append(branch) }
                branches.formIndex(after: &place)
            }
            for branch in emptied { branches[branch] = nil }
        }
        last = changeIndex.map { ($0, left) }
        return removed
    }
}
