package import Attachments
package import TripModel

/// A person's request to a trip.
package enum TripRequest: Codable, Hashable, Sendable {
    // What people plan.
    /// - Parameter list: to the end of which they go, by its title or the beginning of its id; nil for none.
    case add([NewItem], list: String? = nil)
    case act(ItemAction, on: [ItemReference])
    case attach(item: ItemReference, photos: [NewPhoto])
    /// Deletes your own comments, by their numbers among an item's or the beginnings of their ids.
    case removeComments(item: ItemReference, comments: [String])
    /// Undoes your last change.
    /// - Parameter anyway: whether to overwrite what others changed since.
    case undo(anyway: Bool = false)
    /// One change of something that people do in one go, such as an import: on this device, one undo takes back all of its changes.
    /// - Parameter of: the same for all its changes, and for no others.
    indirect case step(of: UInt64, TripRequest)

    // Lists, named by their titles or the beginnings of their ids.
    /// - Parameter template: a list whose items are copied into this one.
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
    /// Moves wishes into the trip, as items.
    /// - Parameter list: as of `add`.
    case shareWishes([String], list: String? = nil)

    // What this device's person keeps to themselves on this machine.
    case addFeed(Feed)
    case removeFeed(name: String)
    /// Notes that they looked at an item.
    case look(at: ItemID)
    /// Notes that they saw these items, or all that there is for nil: nothing of that is new to them.
    case see([ItemID]?)
    /// The items that they looked at last, the latest first, with the numbers that name them.
    case viewed
    /// Notes whether details are fetched of every link that they add here.
    case fetchLinks(Bool)
    /// Their wishes, their feeds, and what they looked at.
    case own

    // Sealed files, for members without a network. The node writes and reads them, named by their whole paths.
    /// Writes everything that is here to a new sealed file.
    case makeBundle(path: String)
    /// Imports everything in a sealed file, or nothing.
    case takeIn(bundle: String)

    // What everybody writes on the trip as a whole.
    case note
    /// Writes it. What others wrote since `shown` was shown stays; nil for all that is there.
    case editNote(String, shown: String? = nil)
    /// Says where somebody writes in a note, for everybody who looks at it: nothing keeps it, and it ends if it isn't said again.
    /// - Parameters:
    ///   - in: the item; nil for the note of the trip.
    ///   - at: in UTF-16 units of a text that was shown.
    case write(in: ItemID?, at: Int, shown: String)
    /// Says that they no longer write.
    case stopWriting
    /// Who writes in notes now, and where.
    case writers

    // Names.
    case renameTrip(String)
    /// Changes your name.
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
    /// - Parameter isLook: whether the person looks at it, and a command doesn't only want to know which item is meant.
    case show(item: ItemReference, isLook: Bool = true)
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

    // Guests: people with only a browser, whose replica their host's node keeps.
    /// Admits a guest of this device's person.
    case admitGuest(name: String)
    /// A request of a guest: to add, vote, comment, say what they bring and whether they are going, attach photos, and read the trip.
    /// - Parameter guest: the guest's id, in hexadecimal digits.
    indirect case asGuest(guest: String, TripRequest)

    // Who is in.
    /// The person that `removeMember` would remove; refused where it would be.
    /// - Parameter isErasing: whether what they did is erased, which may follow a removal.
    case removable(name: String, isErasing: Bool = false)
    /// Removes somebody from the trip, by name or the beginning of their id.
    case removeMember(name: String, contributions: Contributions = .stay)
    /// Keeps a person who waits because somebody above them was removed; by name or the beginning of their id.
    case keepMember(name: String)
    /// Ends another device of the person here, by its name or the beginning of its id.
    case removeDevice(String)
    case leave
    /// Makes the trip read-only on this machine, or ends that.
    case archive(Bool)
    /// - Parameters:
    ///   - lifetime: milliseconds until it ends by itself; nil for never.
    ///   - withPasswords: whether the link holds the users and passwords of the trip's mailboxes.
    case invite(uses: Int, lifetime: Int64?, withPasswords: Bool = false)
    /// An invite for another of your own devices.
    case addDevice(lifetime: Int64?, withPasswords: Bool = false)
    /// The invites that are open.
    case invites
    /// The link of an open invite again, by its number or the beginning of its id.
    case showInvite(reference: String, withPasswords: Bool = false)
    /// Closes an invite, by its number, the beginning of its id, or its link.
    case closeInvite(reference: String)
    /// Keeps your own invite open although a removed person may know it.
    case keepInvite(reference: String)
}

/// An item to be added.
package struct NewItem: Codable, Hashable, Sendable {
    package var title: String
    package var fields: [Field: String]
    package var quantity: Int64?
    package var amenities: [String]
    /// Of a question.
    package var options: [String]
    package var photos: [NewPhoto]

    package init(
        title: String, fields: [Field: String] = [:], quantity: Int64? = nil, amenities: [String] = [],
        options: [String] = [], photos: [NewPhoto] = []
    ) {
        self.title = title
        self.fields = fields
        self.quantity = quantity
        self.amenities = amenities
        self.options = options
        self.photos = photos
    }

    /// The same thing for another list, of which nothing was done yet.
    package init(asIn item: ItemView) {
        let others: Set<Field> = [.title, .done, .chosen, .due, .assignee]
        self.init(
            title: item.title, fields: item.fields.filter { !others.contains($0.key) }.mapValues(\.value),
            quantity: item.quantity.flatMap { $0 > 0 ? $0 : nil }, amenities: item.sayings.amenities)
    }

    /// Of what is left out there is none.
    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        title = try values.decode(String.self, forKey: .title)
        fields = try values.decodeIfPresent([Field: String].self, forKey: .fields) ?? [:]
        quantity = try values.decodeIfPresent(Int64.self, forKey: .quantity)
        amenities = try values.decodeIfPresent([String].self, forKey: .amenities) ?? []
        options = try values.decodeIfPresent([String].self, forKey: .options) ?? []
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

/// What happens to the acts of a removed member.
package enum Contributions: String, Codable, Hashable, Sendable {
    /// It stays.
    case stay
    /// The items and photos that they added are removed, in changes that can be undone.
    case removed
    /// All their acts lose their effect for good, except on items that others voted on, edited or commented on. People who joined by
    /// their invites, or were admitted by them, wait to be kept.
    case erased
}
