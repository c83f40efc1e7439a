/// What takes back one change, and what stands against that. Where nothing of the change is left, its content says only that
/// the change is undone, so that the next undo reaches the one before.
package struct Undoing: Sendable {
    /// Something that somebody changed after the action that is to be taken back.
    package struct Obstacle: Hashable, Sendable {
        /// "the price of “Casa do Rio”".
        package let what: String
        package let by: ParticipantID
    }

    /// Where the change stands.
    package let stamp: LamportTimestamp
    /// What was changed since; empty where taking it back buries nothing.
    package let obstacles: [Obstacle]
    /// What of it can't be taken back, and why; nil where nothing is to be said of that.
    package let lasting: String?
    /// What becomes of its author's wish list; nil where the change said nothing of it.
    package let wishes: WishUndoing?
    /// Empty where nothing of it is left to take back.
    private let operations: [Operation]

    init(
        _ stamp: LamportTimestamp, operations: [Operation], obstacles: [Obstacle], lasting: String? = nil,
        wishes: WishUndoing?
    ) {
        self.lasting = lasting
        self.wishes = wishes
        self.stamp = stamp
        self.operations = operations
        self.obstacles = obstacles
    }

    /// Says of a change that undo can't take back that it was reached, so that the next undo reaches the one before.
    package init(nothingOf stamp: LamportTimestamp) {
        self.init(stamp, operations: [], obstacles: [], wishes: nil)
    }

    package var isEmpty: Bool { operations.isEmpty && wishes?.isEmpty ?? true }

    /// The content of the change that takes it back, obstacles or not.
    /// - Parameter note: what it says to its author's own devices, where `wishes` is not empty.
    package func content(noting note: [UInt8]? = nil) throws(TripError) -> [UInt8] {
        let all = [.undo(stamp.hash)] + operations + [note].compactMap { $0.map { .own($0) } }
        let content = TripContent.encode(all)
        guard all.count <= Limits.operationsPerChange, content.count <= Limits.contentBytes else {
            throw TripReplica.tooMuchAtOnce
        }
        return content
    }
}

extension TripReplica {
    /// How a participant's last action is taken back, of those that they did not take back already.
    ///
    /// Undo is an ordinary action: it writes what stood before, so far as the action's own writes still stand.
    /// - Parameters:
    ///   - changes: of the trip's content, each with its past among them.
    ///   - isPassed: whether a change stays as long as something stands against taking it back.
    ///   - wishes: what takes back what a change did with its author's wish list.
    /// - Returns: empty where nothing of that action is left: an older action is none of its business. Nil where they did
    ///   nothing that can be taken back.
    /// - Complexity: a fold of what came before that action, and of what came before each action that was taken back since
    ///   at the same places.
    package func undoing(
        lastOf participant: ParticipantID, among changes: [TripChange],
        passing isPassed: (TripChange) -> Bool = { _ in false },
        wishes: (TripChange) -> WishUndoing? = { _ in nil }
    ) -> Undoing? {
        var log = UndoLog(changes)
        let own = changes.filter { $0.participant == participant }.sorted { $1.stamp < $0.stamp }
        for change in own where change.undoneChange == nil && !log.undone.contains(change.hash) {
            var inverter = Inverter(change, now: state, log: log)
            for (index, operation) in change.content.operations.enumerated() {
                inverter.invert(operation, at: OperationIndex(index))
            }
            let undoing = Undoing(
                change.stamp, operations: inverter.operations, obstacles: inverter.obstacles,
                lasting: inverter.lasting, wishes: wishes(change))
            let stays = !undoing.obstacles.isEmpty && isPassed(change)
            if !stays, !undoing.isEmpty || undoing.wishes != nil || inverter.isOfReplaceable { return undoing }
            log = inverter.log
        }
        return nil
    }
}
