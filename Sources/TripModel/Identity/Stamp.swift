package import DeltaCRDT

/// Where a change stands in the one order that extends causality: by Lamport time, ties by the change's hash.
///
/// No wall clock enters it (DESIGN: no wall clock in a merge decision).
package struct Stamp: Hashable, Sendable {
    /// 1 + the greatest among the change's heads.
    package let lamport: UInt64
    /// The first 16 bytes of the change's hash.
    package let hash: ReplicaID

    package init(lamport: UInt64, hash: ReplicaID) {
        self.lamport = lamport
        self.hash = hash
    }
}

extension Stamp: Comparable {
    package static func < (left: Stamp, right: Stamp) -> Bool {
        left.lamport != right.lamport ? left.lamport < right.lamport : left.hash < right.hash
    }
}
