private import DeltaCRDT

/// What takes back one change, and what stands against that.
package struct Undoing: Sendable {
    /// Something that somebody changed after the action that is to be taken back.
    package struct Obstacle: Hashable, Sendable {
        /// "the price of “Casa do Rio”".
        package let what: String
        package let by: ParticipantID
    }

    /// Where the change stands.
    package let stamp: Stamp
    /// What was changed since; empty where taking it back buries nothing.
    package let obstacles: [Obstacle]
    /// Empty where nothing of it is left to take back.
    private let operations: [Operation]

    init(_ stamp: Stamp, operations: [Operation], obstacles: [Obstacle]) {
        self.stamp = stamp
        self.operations = operations
        self.obstacles = obstacles
    }

    package var isEmpty: Bool { operations.isEmpty }

    /// The content of the change that takes it back, obstacles or not.
    package func content() throws(TripError) -> [UInt8] {
        let all = [.undo(stamp.hash)] + operations
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
    /// - Returns: nil where they did nothing that can be taken back.
    /// - Complexity: a fold of what came before that action.
    package func undoing(lastOf participant: ParticipantID, among changes: [TripChange]) -> Undoing? {
        let own = changes.filter { $0.participant == participant }.sorted { $1.stamp < $0.stamp }
        var undone: Set<ChangeHash> = []
        for change in own {
            if let other = change.undoneChange {
                undone.insert(other)
            } else if !undone.contains(change.hash) {
                let undoing = undoing(change, among: changes)
                if !undoing.isEmpty { return undoing }
            }
        }
        return nil
    }

    private func undoing(_ change: TripChange, among changes: [TripChange]) -> Undoing {
        var before = TripReplica()
        for other in changes where change.hasSeen(other) { before.apply(other) }
        var inverter = Inverter(change, before: before.state, now: state)
        for (index, operation) in change.content.operations.enumerated() {
            inverter.invert(operation, at: OperationIndex(index))
        }
        return Undoing(change.stamp, operations: inverter.operations, obstacles: inverter.obstacles)
    }
}

extension TripChange {
    /// The change that this one takes back.
    fileprivate var undoneChange: ChangeHash? {
        for case .undo(let change) in content.operations { return change }
        return nil
    }

    fileprivate func hasSeen(_ other: TripChange) -> Bool {
        other.place < past.prefix || other.branch == branch && other.place < place
            || past.contains(other.place, branch: other.branch)
    }
}
