/// Whether a node runs, which members it is connected to, and whether everyone has everything. Times are milliseconds since 1970.
package struct StatusView: Codable, Hashable, Sendable {
    package let title: String
    /// Under which name you act.
    package let you: String
    /// How many changes are held.
    package let changes: Int
    /// Where the node listens; nil where none runs.
    package let listening: Listening?
    /// Why nodes are not found by themselves now; nil where they are.
    package let discoveryProblem: String?
    /// The discovery problem of a network with more names than can be looked at.
    package static let crowdedNetwork =
        "too many unknown names on this network, somebody may be flooding it; finding members takes longer"
    /// Why nothing can be written; nil where it can.
    package let writingProblem: String?
    /// How many of your changes the disk lost, that nobody brought back yet.
    package let lostChanges: Int
    /// How you went out of the trip; nil while you are in.
    package let removal: RemovalView?
    /// Who waits for an answer of the person here, because somebody above them was removed.
    package let waiting: [String]
    /// The invites of the person here about which they are asked (`InviteView.exposure`).
    package let exposedInvites: [InviteView]
    /// Every other device that is in.
    package let devices: [DeviceStatus]
    /// Whose devices write in two places: copies of one home.
    package let inTwoPlaces: [String]
    /// Whether the device here is one of them; nil if an older node didn't say.
    package let isInTwoPlaces: Bool?
    /// What a newer version of this program wrote, which has no effect here until this one is newer.
    package let newerChanges: [NewerChanges]
    /// Photos of which something is not here; nil where all is, or nobody looked.
    package let photos: PhotosStatus?
    /// Where members who are apart leave blocks for each other.
    package let mailboxes: [MailboxView]
    /// Whether the trip is read-only on this machine, because it is over.
    package let isArchived: Bool
    /// Whether details are fetched of every link that this device's person adds here.
    package let fetchesLinks: Bool
    /// The version that the node runs; nil where it is too old to say.
    package let version: String?

    /// Photos that are not whole here.
    package struct PhotosStatus: Codable, Hashable, Sendable {
        package let missing: Int
        /// Of how many of them a part finds no room here.
        package let withoutRoom: Int
        /// Who is here and has something of them, by name.
        package let holders: [String]

        package init(missing: Int, withoutRoom: Int, holders: [String]) {
            (self.missing, self.withoutRoom, self.holders) = (missing, withoutRoom, holders)
        }
    }

    /// How many changes of somebody say what this version does not know.
    package struct NewerChanges: Codable, Hashable, Sendable {
        package let name: String
        package let count: Int

        package init(name: String, count: Int) {
            self.name = name
            self.count = count
        }
    }

    package struct Listening: Codable, Hashable, Sendable {
        package let port: UInt16
        /// As `host:port`, those first that others most likely reach.
        package let addresses: [String]

        package init(port: UInt16, addresses: [String]) {
            self.port = port
            self.addresses = addresses
        }
    }

    /// Whether you are out, and don't wait to be kept.
    package var isOut: Bool { removal.map { $0.waiting == nil } ?? false }

    /// Whether you left while your node didn't run, and it has met nobody since: the others may still count you as a member.
    package var mayBeCountedAsMember: Bool {
        guard let removal, removal.reason == .left, removal.waiting == nil, listening == nil else { return false }
        let others = devices.filter { !$0.isYours }
        return !others.isEmpty
            && others.allSatisfy { $0.lacks > 0 && !$0.isServedByMailbox && ($0.lastHeard ?? .min) <= removal.at }
    }

    /// Whose devices but the one here write in two places.
    package var othersInTwoPlaces: [String] {
        var names = inTwoPlaces
        if isInTwoPlaces == true, let place = names.firstIndex(of: you) { names.remove(at: place) }
        return names
    }

    /// Whether everybody who is in has everything, this device is in, and it can store what others send.
    package var everyoneHasEverything: Bool {
        removal == nil && writingProblem == nil && devices.allSatisfy { $0.lacks == 0 }
    }

    package init(
        title: String, you: String, changes: Int, listening: Listening?, discoveryProblem: String?,
        writingProblem: String?, lostChanges: Int = 0, removal: RemovalView?, waiting: [String] = [],
        exposedInvites: [InviteView] = [], devices: [DeviceStatus],
        inTwoPlaces: [String], isInTwoPlaces: Bool? = nil,
        newerChanges: [NewerChanges] = [], photos: PhotosStatus? = nil,
        mailboxes: [MailboxView] = [], isArchived: Bool = false, fetchesLinks: Bool = false,
        version: String? = ProgramVersion.number
    ) {
        self.title = title
        self.you = you
        self.changes = changes
        self.listening = listening
        self.discoveryProblem = discoveryProblem
        self.writingProblem = writingProblem
        self.lostChanges = lostChanges
        self.removal = removal
        self.waiting = waiting
        self.exposedInvites = exposedInvites
        self.devices = devices
        self.inTwoPlaces = inTwoPlaces
        self.isInTwoPlaces = isInTwoPlaces
        self.newerChanges = newerChanges
        self.photos = photos
        self.mailboxes = mailboxes
        self.isArchived = isArchived
        self.fetchesLinks = fetchesLinks
        self.version = version
    }
}

/// One device of the trip, as this one knows it.
package struct DeviceStatus: Codable, Hashable, Sendable {
    /// In hexadecimal digits.
    package let id: String
    /// Whose it is, and which of theirs where they have several: no two devices have one label.
    package let label: String
    /// The name with which a device of yours joined; nil for others', and for your first one, which joined with your own.
    package let name: String?
    package let isYours: Bool
    /// Whether it is yours, and can be removed here.
    package let mayBeRemoved: Bool
    package let isHere: Bool
    /// How many changes it is not known to have.
    package let lacks: Int
    package let lastHeard: Int64?
    /// When it wrote its newest change, by its own clock.
    package let lastWritten: Int64?
    /// How many of the changes that it is not known to have are in a mailbox for it.
    package let inMailbox: Int
    /// The version that it says it runs, while it is here; nil where it says none.
    package let version: String?

    package init(
        id: String, label: String, name: String? = nil, isYours: Bool, mayBeRemoved: Bool = false, isHere: Bool,
        lacks: Int,
        lastHeard: Int64?, lastWritten: Int64? = nil, inMailbox: Int = 0, version: String? = nil
    ) {
        self.id = id
        self.label = label
        self.name = name
        self.isYours = isYours
        self.mayBeRemoved = mayBeRemoved
        self.isHere = isHere
        self.lacks = lacks
        self.lastHeard = lastHeard
        self.lastWritten = lastWritten
        self.inMailbox = inMailbox
        self.version = version
    }

    /// Whether it ever said what it has, to this device or in a mailbox. If not, `lacks` counts all that it didn't build on.
    package var isMet: Bool { isHere || lastHeard != nil }

    /// Whether a mailbox has all that it may lack: it gets that whenever its node runs.
    package var isServedByMailbox: Bool { lacks > 0 && inMailbox >= lacks }
}
