import DeltaCRDT

/// The last word of each participant, such as a vote on one item: 16 bytes each, for a great group has as many of these as it has voters
/// and items.
typealias Ballot<Word: Hashable & Sendable> = LoggedBallot<Word, AuthoredOperation>

/// An operation as what its author said keeps it.
struct AuthoredOperation: AuthoredID {
    let cause: Cause
    /// The highest bits of the author's id, so that most authors are told apart without a look at the change.
    private let prefix: UInt32
    let index: OperationIndex

    init(_ cause: Cause, _ index: OperationIndex) {
        self.cause = cause
        self.index = index
        prefix = Self.prefix(cause.participant)
    }

    var author: ParticipantID { cause.participant }
    var stamp: LamportTimestamp { cause.stamp }
    var operation: OperationID { cause.operation(index) }

    func isBefore(_ other: ParticipantID) -> Bool {
        let otherPrefix = Self.prefix(other)
        return prefix != otherPrefix ? prefix < otherPrefix : author < other
    }

    private static func prefix(_ author: ParticipantID) -> UInt32 { UInt32(author.high >> 32) }
}

extension AuthoredOperation: Comparable {
    static func < (left: Self, right: Self) -> Bool { left.cause.precedes(left.index, right.cause, right.index) }
}
