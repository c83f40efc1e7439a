/// One event of one replica: the replica's name and the event's number in that replica's own order, from 1.
///
/// Ordered by replica, then by counter.
public struct Dot: Hashable, Sendable {
    /// The greatest number that an event has: 2⁵⁶ − 1. Sums and shifts of counters up to it cannot overflow.
    public static let maximumCounter: UInt64 = 1 << 56 - 1

    /// Who made the event.
    public let replica: ReplicaID
    /// The event's number: 1 for the first event of the replica.
    public let counter: UInt64

    /// The event of a replica with a number from 1 to ``maximumCounter``. Complexity: O(1).
    @inlinable
    public init(replica: ReplicaID, counter: UInt64) {
        require(counter > 0 && counter <= Dot.maximumCounter, "events are numbered from 1 to 2^56 - 1")
        self.replica = replica
        self.counter = counter
    }
}

extension Dot: Comparable {
    /// By replica, then by counter.
    @inlinable
    public static func < (left: Dot, right: Dot) -> Bool {
        left.replica != right.replica ? left.replica < right.replica : left.counter < right.counter
    }
}

extension Dot: CustomStringConvertible {
    /// The replica and the number, for people who debug.
    public var description: String { "\(replica):\(counter)" }
}
