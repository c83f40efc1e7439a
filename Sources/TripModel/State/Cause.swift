/// The change that wrote something, as everything that it wrote refers to it: one object a change, however much of what it
/// wrote is alive. It says what is the same on every node, so that nodes in one process can share it.
final class Cause: Sendable {
    let stamp: LamportTimestamp
    let participant: ParticipantID
    /// Milliseconds since 1970 by the author's clock, for people to read.
    let wallTime: Int64

    init(stamp: LamportTimestamp, participant: ParticipantID, wallTime: Int64) {
        self.stamp = stamp
        self.participant = participant
        self.wallTime = wallTime
    }

    var hash: ChangeHash { stamp.hash }

    /// The name of one of its operations.
    func operation(_ index: OperationIndex) -> OperationID { OperationID(change: hash, index: index) }

    /// Whether one of its operations comes before another operation.
    func precedes(_ index: OperationIndex, _ other: Cause, _ otherIndex: OperationIndex) -> Bool {
        self === other ? index < otherIndex : (stamp, index) < (other.stamp, otherIndex)
    }
}

/// A change's hash says all of it.
extension Cause: Hashable {
    static func == (left: Cause, right: Cause) -> Bool { left === right || left.hash == right.hash }

    func hash(into hasher: inout Hasher) { hasher.combine(hash) }
}
