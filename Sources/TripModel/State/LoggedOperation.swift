import DeltaCRDT

/// An operation that was folded, as all that it wrote keeps it: in 14 bytes.
struct LoggedOperation: Sendable {
    let cause: Cause
    /// Where its change stands in the log.
    let changeIndex: UInt32
    /// How many operations of its change come before it.
    let index: OperationIndex

    var operation: OperationID { cause.operation(index) }
    var author: ParticipantID { cause.participant }
    var stamp: LamportTimestamp { cause.stamp }
}

/// Equal on all nodes: its change's index is this log's own.
extension LoggedOperation: Hashable {
    static func == (left: Self, right: Self) -> Bool { left.index == right.index && left.cause == right.cause }

    func hash(into hasher: inout Hasher) {
        hasher.combine(index)
        hasher.combine(cause)
    }
}

/// By stamp, and in one change by index. Lamport time extends causality, so an operation comes after all that its author had seen.
extension LoggedOperation: Comparable {
    static func < (left: Self, right: Self) -> Bool {
        left.cause.precedes(left.index, right.cause, right.index)
    }
}

/// What holds something up: each deed on it enables it, and a removal disables what its author had seen.
typealias Existence = LoggedFlag<LoggedOperation>
