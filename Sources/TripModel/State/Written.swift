/// A text as somebody wrote it at a field.
struct Written: Sendable {
    let cause: Cause
    /// Nil for what this version cannot show.
    let text: Text?
    /// Where its change stands in the log.
    let place: UInt32
    /// The operation that wrote it.
    let index: OperationIndex
    let field: Field

    var author: ParticipantID { cause.participant }
    var stamp: Stamp { cause.stamp }
    var operation: OperationID { cause.operation(index) }
}

/// Equal on all nodes: its place is this log's own.
extension Written: Hashable {
    static func == (left: Written, right: Written) -> Bool {
        left.index == right.index && left.field == right.field && left.cause == right.cause && left.text == right.text
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(index)
        hasher.combine(cause)
    }
}

/// That an operation stands higher than another: by stamp, and in one change by index.
func stands(_ cause: Cause, _ index: OperationIndex, above other: Cause, _ otherIndex: OperationIndex) -> Bool {
    cause === other ? otherIndex < index : (other.stamp, otherIndex) < (cause.stamp, index)
}

/// Of all names that a participant gave themselves, the one that stands highest: a register whose writers all speak for
/// one participant.
///
/// Lamport time extends causality, so a write stands above every write that its author had seen.
struct Name: Hashable, Sendable {
    private(set) var text: Text
    private(set) var cause: Cause
    private(set) var index: OperationIndex

    init(_ text: Text, by cause: Cause, index: OperationIndex) {
        self.text = text
        self.cause = cause
        self.index = index
    }

    /// Takes the other write if it stands higher.
    mutating func merge(_ other: Name) {
        if stands(other.cause, other.index, above: cause, index) { self = other }
    }
}
