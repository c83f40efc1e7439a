import DeltaCRDT

/// A text as somebody wrote it, and the change that wrote it.
struct Written: Hashable, Sendable {
    let cause: Cause
    let text: Text

    var author: ParticipantID { cause.participant }
    var stamp: Stamp { cause.stamp }
}

/// Of all names that a participant gave themselves, the one that stands highest: a register whose writers all speak for
/// one participant.
///
/// Lamport time extends causality, so a write stands above every write that its author had seen. Of two writes in one
/// change the later operation stands higher.
struct Name: Hashable, Sendable {
    private(set) var text: Text
    private(set) var cause: Cause
    /// How many operations of the change come before it.
    private(set) var offset: UInt32

    init(_ text: Text, by cause: Cause, offset: UInt32) {
        self.text = text
        self.cause = cause
        self.offset = offset
    }

    /// Takes the other write if it stands higher.
    mutating func merge(_ other: Name) {
        if (cause.stamp, offset) < (other.cause.stamp, other.offset) { self = other }
    }
}
