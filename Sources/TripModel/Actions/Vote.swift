/// What a participant thinks of an item. The raw value is its byte in payloads and never changes.
package enum Vote: UInt8, CaseIterable, Hashable, Sendable {
    case `for` = 1
    case against = 2
    /// It would do, if need be: counts for nothing in the tally, and is no silence.
    case ifNeedBe = 3

    /// The vote's name, as in JSON.
    package var name: String {
        switch self {
        case .for: "for"
        case .against: "against"
        case .ifNeedBe: "if-need-be"
        }
    }

    /// The vote before what it is on, as people read it: "voted for “Loft”".
    package var words: String { self == .ifNeedBe ? "“OK if need be” for" : name }

    /// What the vote adds to the tally: +1, −1 or 0.
    package var weight: Int {
        switch self {
        case .for: 1
        case .against: -1
        case .ifNeedBe: 0
        }
    }
}
