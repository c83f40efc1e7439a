package import TripModel

/// What a person asks of a trip.
///
/// Items are named as people name them: by the number that was shown on this device, by the beginning of an id, or by
/// title.
package enum TripRequest: Codable, Hashable, Sendable {
    // What people plan.
    case add([NewItem])
    /// Fields to write; nil clears one.
    /// - Parameter shown: the values that the writer was shown, of each field for which that is known: what else stands
    ///   there by now stays beside what is written. Of other fields all that stands is replaced.
    case edit(item: String, fields: [Field: String?], shown: [Field: [String]] = [:])
    case remove(items: [String])
    case restore(items: [String])
    /// A nil vote takes it back.
    case vote(items: [String], Vote?)
    case changeQuantity(item: String, by: Int64)

    // What people read.
    /// The whole trip, to be shown as a list: its numbers are what numbers mean on this device from now on.
    case list
    /// The whole trip, read and not shown as a list: it changes nothing of what numbers mean.
    case view
    case show(item: String)
    /// Items by their ids, those that are known; it changes nothing of what numbers mean.
    case items([ItemID])
    case history
    /// What happened last, oldest first, as it was told here when it came: at most so many changes, and 256.
    case recentHistory(Int)
    case members
    case status

    // Guests: people with a browser alone, whose replica the node of their host keeps.
    /// Lets somebody in as a guest of this device's person.
    case admitGuest(name: String)
    /// What a guest of this device's person asks: to add, to vote, and to read the trip.
    /// - Parameter guest: the guest's id, in hexadecimal digits.
    indirect case asGuest(guest: String, TripRequest)

    // Who is in.
    /// Whom `removeMember` would take out; refused where it would be.
    case removable(name: String)
    /// Takes somebody out of the trip, by name or the beginning of their id.
    case removeMember(name: String)
    case leave
    /// - Parameter lifetime: milliseconds until it ends by itself; nil for never.
    case invite(uses: Int, lifetime: Int64?)
    /// An invite for a further device of one's own.
    case addDevice(lifetime: Int64?)
    /// The invites that are open.
    case invites
    /// The link of an open invite again, by its number or the beginning of its id.
    case showInvite(reference: String)
    /// Closes an invite, by its number, the beginning of its id, or its link.
    case closeInvite(reference: String)
}

/// An item to be added.
package struct NewItem: Codable, Hashable, Sendable {
    package var title: String
    package var fields: [Field: String]
    package var quantity: Int64?

    package init(title: String, fields: [Field: String] = [:], quantity: Int64? = nil) {
        self.title = title
        self.fields = fields
        self.quantity = quantity
    }
}
