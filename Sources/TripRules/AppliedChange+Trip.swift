package import ChangeLog
package import TripModel

/// The trip's model as the log's reader of contents.
package struct TripContentReader: ContentReading {
    package init() {}

    package func read(_ content: [UInt8]) -> any ReadContent { TripContent(content) }
}

extension TripContent: ReadContent {}

extension AppliedChange {
    /// The change as the trip's model takes it; nil for one that says who is in.
    package func tripChange() -> TripChange? {
        guard case .content(let bytes) = body else { return nil }
        return TripChange(
            stamp: Stamp(lamport: lamport, hash: ChangeHash(hash)), participant: ParticipantID(participant),
            wallTime: wallTime, place: place, branch: branch, past: past,
            content: content as? TripContent ?? TripContent(bytes))
    }
}

extension ChangeHash {
    /// The hash of a change of the log, as the trip's model names it.
    package init(_ hash: Bytes32) { self.init(words: hash.words) }
}

extension ParticipantID {
    /// A participant of the log, as the trip's model names it.
    package init(_ participant: Bytes16) { self.init(high: participant.high, low: participant.low) }
}
