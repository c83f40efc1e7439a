/// How many operations of a change come before one. A change has at most `Limits.operationsPerChange`.
package typealias OperationIndex = UInt16

/// The name of an operation, which never changes: its change, and where it stands in that.
package struct OperationID: Hashable, Sendable {
    package let change: ChangeHash
    package let index: OperationIndex

    package init(change: ChangeHash, index: OperationIndex) {
        self.change = change
        self.index = index
    }
}

extension OperationID: Comparable {
    package static func < (left: OperationID, right: OperationID) -> Bool {
        left.change != right.change ? left.change < right.change : left.index < right.index
    }
}
