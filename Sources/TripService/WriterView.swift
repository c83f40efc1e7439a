package import TripModel

/// Somebody who writes in a note at this moment.
package struct WriterView: Codable, Hashable, Sendable {
    package let participant: ParticipantID
    /// The item whose note it is; nil for the note of the trip.
    package let item: ItemID?
    /// Where their caret is in the note as it is now, in UTF-16 units; nil where that isn't known yet.
    package let offset: Int?

    package init(participant: ParticipantID, item: ItemID?, offset: Int?) {
        self.participant = participant
        self.item = item
        self.offset = offset
    }
}
