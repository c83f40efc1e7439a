/// Where a change stands in the one order that extends causality: by Lamport time, ties by the change's hash.
///
/// No wall clock enters it (DESIGN: no wall clock in a merge decision).
package struct LamportTimestamp: Hashable, Sendable {
    /// 1 + the greatest among the change's heads.
    package let lamport: UInt64
    package let hash: ChangeHash

    package init(lamport: UInt64, hash: ChangeHash) {
        self.lamport = lamport
        self.hash = hash
    }

    /// The Lamport time, a point and 32 digits of the hash: as unique, and half as long as the description.
    package var label: String { "\(lamport).\(hash.halves.first)" }
}

extension LamportTimestamp: Comparable {
    package static func < (left: LamportTimestamp, right: LamportTimestamp) -> Bool {
        left.lamport != right.lamport ? left.lamport < right.lamport : left.hash < right.hash
    }
}
