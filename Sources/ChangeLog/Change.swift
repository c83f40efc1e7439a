package import DeltaCRDT

/// One user action, as it is written to its author's log.
package struct Change: Hashable, Sendable {
    /// BLAKE2b-256 of the founder's root key.
    package let trip: Bytes32
    /// The author's log.
    package let replica: ReplicaID
    /// The number of the first operation in the author's log, from 1.
    package let counter: UInt64
    /// The hash of the author's change before this one; nil exactly when `counter` is 1.
    package let previous: Bytes32?
    /// The other maximal changes that the author had seen, by hash, in ascending order.
    package let heads: [Bytes32]
    /// 1 + the greatest Lamport time among `previous` and `heads`; 1 where there are none.
    package let lamport: UInt64
    /// Milliseconds since 1970 by the author's clock. For people to read, never for a decision.
    package let wallTime: Int64
    /// How many operations the body holds, at least 1. Each takes one number of the author's log.
    package let operationCount: Int
    package let body: ChangeBody

    /// The number of the last operation.
    package var lastCounter: UInt64 { counter + UInt64(operationCount) - 1 }
}

/// What a change says.
package enum ChangeBody: Hashable, Sendable {
    /// What the application wrote: opaque to the log.
    case content([UInt8])
    /// Who is in. One operation.
    case membership(MembershipOperation)
}
