package import Attachments
package import TripModel

/// What a person asks of a trip.
package enum TripRequest: Codable, Hashable, Sendable {
    // What people plan.
    /// - Parameter list: to the end of which they go, by its title or the beginning of its id; nil for none.
    case add([NewItem], list: String? = nil)
    case act(ItemAction, on: [ItemReference])
    case attach(item: ItemReference, photos: [NewPhoto])
    /// Deletes comments of one's own, by their numbers among an item's or the beginnings of their ids.
    case removeComments(item: ItemReference, comments: [String])
    /// Takes back what one did last.
    /// - Parameter anyway: what others changed since is written over.
    case undo(anyway: Bool = false)

    // Lists, named by their titles or the beginnings of their ids.
    /// - Parameter template: a list whose things are made anew in this one.
    case addList(title: String, kind: ItemKind?, items: [NewItem], template: String? = nil)
    case editList(list: String, fields: [Field: String?])
    case removeList(list: String)
    case restoreList(list: String)
    case move(items: [ItemReference], MoveTarget)

    // One person's own wish list, which nobody else can read until they share of it.
    case wish([Wish])
    case wishes
    /// Removes wishes, by their numbers, their ids or their titles.
    case unwish([String])
    /// Makes items of wishes, which then are wishes no more.
    /// - Parameter list: as of `add`.
    case shareWishes([String], list: String? = nil)

    // What this device's person keeps to themselves on this machine.
    case addFeed(Feed)
    case removeFeed(name: String)
    /// Notes that they looked at an item.
    case look(at: ItemID)
    /// The items that they looked at last, the latest first, with the numbers that name them.
    case viewed
    /// Their wishes, their feeds, and what they looked at.
    case own

    // What goes by a stick, where no network does: files that the node writes and reads, named by their whole paths.
    /// Puts all that is here into a sealed file that is not there yet.
    case makeBundle(path: String)
    /// Takes in all that a sealed file holds, or nothing.
    case takeIn(bundle: String)

    // Names.
    case renameTrip(String)
    /// Calls oneself something else.
    case renameSelf(String)

    // What people read.
    /// The whole trip, to be shown as a list: its numbers are what numbers mean on this device from now on.
    case list
    /// The whole trip, read and not shown as a list: it changes nothing of what numbers mean.
    case view
    /// Some of the items.
    case find(ItemFilter)
    /// What a request asks for, as it is shown to people: wishes, invites, an item with its comments, some of the items. The
    /// numbers in it mean on this device what they are shown with.
    indirect case shown(TripRequest)
    /// Rows of a list that the node does not keep, such as a feed's, are shown to people.
    /// - Parameters:
    ///   - rows: all that are there, by their marks.
    ///   - places: those that are shown, from 0; nil for all.
    case showRows(ShownLists.Name, [UInt64], places: [Int]?)
    /// What numbers mean among the rows that are there.
    case meanings([Int], ShownLists.Name, [UInt64])
    case show(item: ItemReference)
    /// Items by their ids, those that are known; it changes nothing of what numbers mean.
    case items([ItemID])
    /// A picture of a photo.
    case picture(PhotoID, of: ItemID, PhotoManifest.Size)
    case history
    /// What happened last, oldest first, as it was told here when it came: at most so many changes, and 256.
    case recentHistory(Int)
    case members
    case status
    case mailboxes(MailboxAct)

    // Guests: people with a browser alone, whose replica the node of their host keeps.
    /// Lets somebody in as a guest of this device's person.
    case admitGuest(name: String)
    /// What a guest of this device's person asks: to add, to vote, to say whether they are going, to attach photos, and to read the trip.
    /// - Parameter guest: the guest's id, in hexadecimal digits.
    indirect case asGuest(guest: String, TripRequest)

    // Who is in.
    /// The person that `removeMember` would remove; refused where it would be.
    /// - Parameter isErasing: whether what they did is erased, which may follow a removal.
    case removable(name: String, isErasing: Bool = false)
    /// Removes somebody from the trip, by name or the beginning of their id.
    case removeMember(name: String, contributions: Contributions = .stay)
    /// Keeps somebody who waits, because somebody above them was removed; by name or the beginning of their id.
    case keepMember(name: String)
    case leave
    /// Makes the trip read-only on this machine, or ends that.
    case archive(Bool)
    /// - Parameters:
    ///   - lifetime: milliseconds until it ends by itself; nil for never.
    ///   - withPasswords: whether the link holds the users and passwords of the trip's mailboxes.
    case invite(uses: Int, lifetime: Int64?, withPasswords: Bool = false)
    /// An invite for a further device of one's own.
    case addDevice(lifetime: Int64?, withPasswords: Bool = false)
    /// The invites that are open.
    case invites
    /// The link of an open invite again, by its number or the beginning of its id.
    case showInvite(reference: String, withPasswords: Bool = false)
    /// Closes an invite, by its number, the beginning of its id, or its link.
    case closeInvite(reference: String)
    /// Keeps an invite of one's own open that a removed person may know.
    case keepInvite(reference: String)
}

/// An item to be added.
package struct NewItem: Codable, Hashable, Sendable {
    package var title: String
    package var fields: [Field: String]
    package var quantity: Int64?
    package var amenities: [String]
    package var photos: [NewPhoto]

    package init(
        title: String, fields: [Field: String] = [:], quantity: Int64? = nil, amenities: [String] = [],
        photos: [NewPhoto] = []
    ) {
        self.title = title
        self.fields = fields
        self.quantity = quantity
        self.amenities = amenities
        self.photos = photos
    }

    /// Of what is left out there is none.
    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        title = try values.decode(String.self, forKey: .title)
        fields = try values.decodeIfPresent([Field: String].self, forKey: .fields) ?? [:]
        quantity = try values.decodeIfPresent(Int64.self, forKey: .quantity)
        amenities = try values.decodeIfPresent([String].self, forKey: .amenities) ?? []
        photos = try values.decodeIfPresent([NewPhoto].self, forKey: .photos) ?? []
    }
}

/// Where items are moved to.
package enum MoveTarget: Codable, Hashable, Sendable {
    /// The end of a list; nil for no list.
    case list(String?)
    /// Beside an item, in the list that it is in.
    case before(item: ItemReference)
    case behind(item: ItemReference)
}

/// What becomes of what a removed member did.
package enum Contributions: String, Codable, Hashable, Sendable {
    /// It stays.
    case stay
    /// The items and photos that they added are removed, in changes that can be undone.
    case removed
    /// All that they ever did has no effect any more, for good, but for items that others voted on, edited or commented. Who came by
    /// their invites, or was let in by them, waits to be kept.
    case erased
}
