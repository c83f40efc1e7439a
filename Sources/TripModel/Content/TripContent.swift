private import Synchronization

/// What a change says of the trip, read once. Content is never refused: what cannot be read or is not known has no effect.
package final class TripContent: Sendable {
    /// By index.
    let operations: [Operation]
    /// Whether it says something that a newer version knows: a kind of operation, a field or a vote.
    package let hasUnknown: Bool
    /// A change that speaks of who is in alone has no content.
    package let isEmpty: Bool
    /// The change that says this.
    private let storedCause = AtomicLazyReference<Cause>()

    /// Reads a change's content, whatever bytes it is. Linear in the bytes, and at most `Limits.operationsPerChange`
    /// operations.
    package init(_ bytes: [UInt8], vocabulary: Vocabulary = .current) {
        var reader = ContentReader(bytes, vocabulary)
        operations = reader.readAll()
        hasUnknown = reader.hasUnknown
        isEmpty = bytes.isEmpty
    }

    /// The changes that made what its operations act on, in their order, each once.
    package var subjects: [ChangeHash] {
        var seen: Set<ChangeHash> = []
        return operations.flatMap(\.subjects).filter { seen.insert($0).inserted }
    }

    /// What it says to its author's own devices alone.
    package var ownNotes: [[UInt8]] {
        operations.compactMap { if case .own(let note) = $0 { note } else { nil } }
    }

    package var sealedAnswers: [SealedAnswer] {
        operations.compactMap { if case .item(_, .seal(let answer)) = $0 { answer } else { nil } }
    }

    /// Whether it closes a hidden question.
    package var closesQuestion: Bool {
        operations.contains { if case .item(_, .close) = $0 { true } else { false } }
    }

    /// The change that says this, for what it writes to refer to: one object for all who apply it, as the nodes of a
    /// simulation do. Two changes may say the same, and then have an object each.
    func cause(stamp: LamportTimestamp, participant: ParticipantID, wallTime: Int64) -> Cause {
        let new = { Cause(stamp: stamp, participant: participant, wallTime: wallTime) }
        let cause = storedCause.load() ?? storedCause.storeIfNil(new())
        return cause.stamp == stamp && cause.participant == participant ? cause : new()
    }
}
