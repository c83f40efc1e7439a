package import ChangeLog
package import TripModel

extension AppliedChange {
    /// The change as the trip's model takes it; nil for one that says nothing of the trip's content.
    ///
    /// - Parameter vocabulary: what of the content is known.
    package func tripChange(vocabulary: Vocabulary = .current) -> TripChange? {
        content.isEmpty ? nil : tripChange(saying: TripContent(content, vocabulary: vocabulary))
    }

    /// The same, of which the content was read before.
    package func tripChange(saying content: TripContent) -> TripChange {
        TripChange(
            stamp: LamportTimestamp(lamport: lamport, hash: ChangeHash(hash)), participant: ParticipantID(participant),
            wallTime: wallTime, index: index, branch: branch, past: past, content: content,
            isUpheld: isUpheld)
    }
}

extension TripContent {
    /// The changes that made what its operations act on, as a change of the log names them.
    package var subjectHashes: [Bytes32] { subjects.map { Bytes32(words: $0.words) } }
}

extension ChangeHash {
    /// The hash of a change of the log, as the trip's model names it.
    package init(_ hash: Bytes32) { self.init(words: hash.words) }
}

extension ParticipantID {
    /// A participant of the log, as the trip's model names it: by the first half of the name.
    package init(_ participant: Bytes32) { self.init(high: participant.words.0, low: participant.words.1) }
}
