import DeltaCRDT

/// The change that wrote something, as everything that it wrote refers to it: one object a change, however much of what it
/// wrote is alive.
final class Cause: Sendable {
    let participant: ParticipantID
    /// The dot of its first operation, under the present name of its branch.
    let first: Dot
    let stamp: Stamp
    /// Milliseconds since 1970 by the author's clock, for people to read.
    let wallTime: Int64

    init(participant: ParticipantID, first: Dot, stamp: Stamp, wallTime: Int64) {
        self.participant = participant
        self.first = first
        self.stamp = stamp
        self.wallTime = wallTime
    }

    /// The dot of an operation, by how many came before it in the change.
    func dot(of offset: UInt32) -> Dot {
        Dot(replica: first.replica, counter: first.counter + UInt64(offset))
    }
}

extension Cause: Hashable {
    static func == (left: Cause, right: Cause) -> Bool {
        left === right
            || left.stamp == right.stamp && left.first == right.first && left.participant == right.participant
                && left.wallTime == right.wallTime
    }

    func hash(into hasher: inout Hasher) { hasher.combine(stamp) }
}
