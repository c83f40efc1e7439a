import ChangeLog
import SyncEngine
import TripModel
import TripRules
import TripService

// Who writes in notes at this moment: the core says who, and at which character; the trip says where that is in the text.
extension TripNode {
    /// Somebody here writes in a note.
    func write(in item: ItemID?, at offset: Int, of text: String, as author: Author = .own) -> [WriterView] {
        if let caret = shown.trip.caret(in: item, at: offset, of: text) {
            tell(.writing(at: caret.bytes, as: author.guest?.replica))
        }
        return whoWrites()
    }

    /// Somebody here no longer writes.
    func stopWriting(as author: Author = .own) -> [WriterView] {
        tell(.writing(at: nil, as: author.guest?.replica))
        return whoWrites()
    }

    /// Each person once, where they came last.
    func whoWrites() -> [WriterView] {
        var carets: [ParticipantID: Caret] = [:]
        for writer in node.writers {
            let participant = ParticipantID(writer.participant)
            if carets[participant] == nil { carets[participant] = Caret(writer.place) }
        }
        let offsets = shown.trip.offsets(of: Set(carets.values).union(shownCarets.values))
        // What somebody just typed may come a moment after their caret: until then they are where they were.
        for (participant, caret) in carets where offsets[caret] == nil {
            if let last = shownCarets[participant], last.item == caret.item { carets[participant] = last }
        }
        shownCarets = carets
        return carets.sorted { $0.key < $1.key }.map { participant, caret in
            WriterView(participant: participant, item: caret.item, offset: offsets[caret])
        }
    }
}
