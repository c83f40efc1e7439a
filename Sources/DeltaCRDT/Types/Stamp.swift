/// A Lamport time and the replica that wrote at it: a total order of writes that contains what happened before what.
///
/// No wall clock: a write takes a time greater than all that its replica has seen. Of two writes at one time the one of the
/// greater replica is the later.
public struct Stamp: Hashable, Sendable, Comparable {
    /// The Lamport time.
    public let time: UInt64
    /// The replica that wrote, which breaks ties.
    public let replica: ReplicaID

    /// A time and a replica. Complexity: O(1).
    @inlinable
    public init(time: UInt64, replica: ReplicaID) {
        self.time = time
        self.replica = replica
    }

    /// The time after another; there is none after `UInt64.max`, which comes after itself.
    @inlinable static func time(after time: UInt64) -> UInt64 { time == .max ? .max : time + 1 }

    /// By time, then by replica.
    @inlinable
    public static func < (left: Stamp, right: Stamp) -> Bool {
        left.time != right.time ? left.time < right.time : left.replica < right.replica
    }
}

extension Stamp: CanonicalCodable {
    /// Appends the value in its one form; see <doc:Format>. Complexity: O(1).
    public func encode(into encoder: inout CanonicalEncoder) {
        encoder.encode(time)
        encoder.encode(interned: replica)
    }

    /// Reads a value, and refuses every form but its only one; see <doc:Format>. Complexity: O(1).
    public init(from decoder: inout CanonicalDecoder) throws(DecodingFailure) {
        let time = try decoder.decodeUInt64()
        self.init(time: time, replica: try decoder.decodeInternedReplica())
    }
}
