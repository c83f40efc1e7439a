package import TripModel
package import TripService

/// What a form of the page asks for. `fields` is the form, `init(fields:)` reads what a browser sent back: one place for
/// both, so that a form cannot send what is not read. Items are named by their short ids.
package enum PageAction: Hashable, Sendable {
    /// At most `itemsMax`.
    case add([NewItem])
    /// What a text holds in any of `ImportFormat`'s forms.
    case importList(String)
    /// Makes an item of a row of a source, or takes a wish for one; by its `Offer.id`.
    case share(from: PageQuery.Source, offer: String)
    /// Puts a row of a feed on one's wish list, or something new.
    case keep(from: PageQuery.Source, offer: String)
    case wish([NewItem])
    case unwish(offer: String)
    /// Fetches what an item's link says of it; by the item's short id.
    case fetch(String)
    /// Fetches what links say of all items that the person adds here, or ends that.
    case fetchLinks(Bool)
    /// Does something with items, by their short ids: at most `itemsMax`.
    case act(ItemAction, on: [String])
    /// Deletes a comment of one's own, by its id.
    case uncomment(item: String, comment: String)
    /// Notes that the viewer saw items, by their short ids, or all that there is for none: nothing of that is new to them.
    case see([String])
    /// Undoes what the person did last, wherever they did it.
    case undo
    case invite
    case closeInvite(String)
    /// Keeps an invite open that a removed person may know.
    case keepInvite(String)
    /// - Parameter withContributions: and what they added.
    case takeOut(member: String, withContributions: Bool = false)
    /// Keeps somebody who waits, because somebody above them was removed.
    case keepMember(member: String)
    /// Ends another device of the person here.
    case removeDevice(String)
    /// Makes an invite for another device of the person here.
    case addDevice
    /// Puts the trip's keys under a passphrase, or in the clear for nil. No page shows what was typed.
    /// - Parameter old: the one that they are under; empty for none.
    case passphrase(old: String, new: String?)
    /// For always on this network, without minutes.
    case openToGuests(minutes: Int?)
    case closeToGuests
    /// Adds or edits an expense; what of it is asked of the trip is `ExpenseForm.action`.
    case expense(ExpenseForm)
    /// Puts an item on a day; what of it is asked of the trip is its time zone.
    ///
    /// - Parameter shown: the days that its form was made with.
    case plan(String, TypedPlan, shown: [String])
    case renameTrip(String)
    /// Changes the name of the person here.
    case renameSelf(String)
    /// Makes the trip read-only on this machine, or ends that.
    case archive(Bool)
    /// An address may hold a password: no page shows what was typed.
    case mailbox(MailboxAct)

    /// How many items one form may name or add.
    package static let itemsMax = 500
    /// What a form says in place of minutes.
    static let always = "always"
    /// How many fields of a form are read.
    package static let fieldsMax = 2_000
    /// How many may come by an invite that the page makes, and for how long, in milliseconds.
    package static let inviteUses = 10
    package static let inviteLifetime: Int64 = 7 * 86_400_000
    /// For how long another device may come.
    package static let deviceLifetime: Int64 = 3_600_000
}

/// Why a form cannot be done, in one line for people.
package struct PageFormError: Error, Hashable, Sendable, CustomStringConvertible {
    package let message: String

    init(_ message: String) { self.message = message }

    package var description: String { message }
}
