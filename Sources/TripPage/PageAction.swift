package import TripModel

/// What a form of the page asks for. `fields` is the form, `init(fields:)` reads what a browser sent back: one place for
/// both, so that a form cannot send what is not read.
package enum PageAction: Hashable, Sendable {
    case add(title: String, fields: [Field: String], quantity: Int64?)
    /// What is written, and what its writer was shown; a field that is left as it was shown is not among them.
    case edit(item: String, fields: [Field: String], shown: [Field: [String]])
    case vote(item: String, Vote?)
    case remove(item: String)
    case restore(item: String)
    case count(item: String, by: Int64)
    case invite
    case closeInvite(String)
    case takeOut(member: String)
    case openToGuests(minutes: Int)
    case closeToGuests
}
