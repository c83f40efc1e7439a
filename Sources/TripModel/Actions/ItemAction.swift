package import Attachments

/// What somebody does with items that are in the trip: one type from a form or a command to the model, whatever names the items on
/// the way. What is done with several items is one change.
package enum ItemAction: Codable, Hashable, Sendable {
    /// Writes fields; nil clears one. To pick one of several proposed values is to write it.
    ///
    /// Of a field for which `shown` says what its writer was shown, other values stay beside what is written: who began to
    /// write before they came buries nothing unseen. Of other fields all that can be shown is replaced.
    case edit([Field: String?], shown: [Field: [String]] = [:])
    case remove
    case restore
    /// Votes for or against items; nil withdraws the vote. Where that is the participant's vote already, nothing is written.
    case vote(Vote?)
    /// Sets a flag, or clears it.
    case mark(Field, Bool)
    /// Puts items on the trip's timeline: chooses them, and writes a `DateSpan` as it is typed. Nil takes the day away, and they
    /// stay chosen.
    ///
    /// - Parameter shown: what the writer was shown, as for an edit; nil for all that can be shown.
    case plan(String?, shown: [String]? = nil)
    /// Adds to a quantity, or takes from it.
    case changeQuantity(by: Int64)
    /// Makes a quantity so many, from 0 to `Limits.quantityStep`. What others add or take at the same moment still counts.
    case setQuantity(Int64)
    /// Says that the participant brings so many of each, from 1 to `Limits.quantityStep`; nil takes that back.
    case claim(Int64?)
    /// Says whether the participant is going; nil takes that back. Where that is their answer already, nothing is written.
    case attend(Attendance?)
    case changeAmenities(added: [String], removed: [String])
    /// Answers a question; nil takes that back.
    case answer(Answer?)
    /// Adds options to a question, and takes options away.
    case changeOptions(added: [String], removed: [String])
    case comment(String)
    /// Attaches photos whose chunks are here or known to others.
    case attach([PhotoManifest])
    case detach([PhotoID])

    /// Whether it undoes what was done: of one item where there is nothing of the kind, that is an error and not done already.
    package var isWithdrawal: Bool {
        [.vote(nil), .attend(nil), .answer(nil), .claim(nil), .remove, .restore].contains(self)
    }

    /// Whether an item is already as the action makes it.
    /// - Parameter participant: who acts.
    package func isDone(to item: ItemView, by participant: ParticipantID) -> Bool {
        switch self {
        case .remove: item.isRemoved
        case .restore: !item.isRemoved
        case .vote(let vote): item.vote(of: participant) == vote
        case .claim(let count): item.sayings.claims.first { $0.participant == participant }?.word == count
        case .attend(let attendance): item.attendance(of: participant) == attendance
        case .answer(let answer): item.lastAnswer(of: participant) == answer
        case .mark(let field, let isSet): (item.fields[field] != nil) == isSet
        case .plan(let text, _):
            item.fields[.dates]?.value == text.map { Field.dates.normalized($0) }
                && item.fields[.dates]?.alternatives.isEmpty ?? true && (text == nil || item.isChosen)
        case .setQuantity(let count): item.quantity == count
        default: false
        }
    }
}
