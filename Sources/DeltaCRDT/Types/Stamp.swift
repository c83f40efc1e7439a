/// A Lamport time and the replica that wrote at it: a total order of writes that contains what happened before what.
///
/// No wall clock: a write takes a time greater than all that its replica has seen. Of two writes at one time the one of the
/// greater replica is the later.
public struct Stamp: Hashable, Sendable, Comparable {
    public let time: UInt64
    public let replica: ReplicaID

    @inlinable
    public init(time: UInt64, replica: ReplicaID) {
        self.time = time
        self.replica = replica
    }

    @inlinable
    public static func < (left: Stamp, right: Stamp) -> Bool {
        left.time != right.time ? left.time < right.time : left.replica < right.replica
    }
}

extension Stamp: CanonicalCodable {
    public func encode(into encoder: inout CanonicalEncoder) {
        encoder.encode(time)
        encoder.encode(interned: replica)
    }

    public init(from decoder: inout CanonicalDecoder) throws(DecodingFailure) {
        let time = try decoder.decodeTime()
        self.init(time: time, replica: try decoder.decodeInternedReplica())
    }
}
