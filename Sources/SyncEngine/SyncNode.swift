package import ChangeLog
package import DeltaCRDT

/// One node's protocol, as a value: events go in, effects come out, and nothing else happens.
///
/// The shell performs every effect in order. What a `persist` effect carries leaves this node only after the shell
/// has said `persisted` with its token; tokens come back in the order in which they went out.
package struct SyncNode: Sendable {
    /// What this node is to the trip.
    package enum Role: Sendable {
        case member
        /// It holds an invite, and looks for somebody to let it in.
        case joining(InviteLink, name: String)

        package var isJoining: Bool {
            guard case .joining = self else { return false }
            return true
        }
    }

    package var log: TripLog
    package let secrets: DeviceSecrets
    /// The secrets of the guests that were let in here, by their logs' names.
    var guests: [ReplicaID: DeviceSecrets]
    package internal(set) var role: Role
    /// What this node came with, until its log says that it was let in: whoever let it in may come back from a backup of
    /// before that, and has to be asked again.
    private(set) var invitation: (link: InviteLink, name: String)?
    /// When it asks again, where it meets anybody; and how often it did.
    var askDeadline: UInt64?
    var askCount = 0
    package let limits: SessionLimits
    let cryptography: any SessionCryptography

    var effects: [Effect] = []
    var now = Now(monotonic: 0, wall: 0)

    // Durability.
    var durableCount: Int
    var persisting: [Persisting] = []
    private var nextToken: UInt64 = 1

    // Connections.
    /// Another for each start: tells copies of one device apart. Nil before the first event.
    private(set) var incarnation: Bytes16?
    var connections = ConnectionTable()
    var addresses: AddressBook
    private var nextDialled: UInt64 = 2
    var inviteCredentials: [Bytes32: Credential] = [:]
    var firstMessages = BoundedMemory<Bytes32>()
    /// First messages under no key of ours at the time: one may come again when the key they are under is.
    var strangeFirstMessages = BoundedMemory<Bytes32>()
    /// Handshakes that wait for their first message, one for each secret under which it may come.
    var openings: [Credential.Kind: any Handshake] = [:]
    /// What each device said is durable there, and when it was last heard, by its log's name.
    package internal(set) var peers: [ReplicaID: Peer] = [:]

    // Discovery.
    var port: UInt16?
    var publication = Publication()
    /// The instance names that are present.
    var instances: [String: Recognition] = [:]
    var departed = BoundedMemory<String>()
    /// Names that nobody had an address for when they were looked up.
    var unanswered: [String: Unanswered] = [:]
    /// When people last heard of a bound.
    var boundsTold: [Bound: UInt64] = [:]
    /// First messages of members who were away, looked up in the second that began at this time.
    var pairLookups = (since: UInt64(0), count: 0)
    private var wasAdmitted = false

    // Time.
    private var wakeTime: UInt64?
    /// Nothing but announcements is due before this time, unless `mustLook`.
    private var dueTime: UInt64 = 0
    /// Whether something came that may have made something due earlier.
    var mustLook = true
    /// When peers are told what has become durable here since they were told last.
    var announcementDeadline: UInt64?
    /// When a peer was last asked for what this node lacks.
    var lastAsked: UInt64 = 0
    /// Whether there are too many others for everybody to meet everybody.
    var isCrowded: Bool { overlay.isCrowded }
    var overlay = Overlay()
    /// The membership and epochs that what is published fits.
    private var published = (version: -1, epochs: -1)

    // Membership.
    /// What this device shares with each other one, as far as it was needed.
    var pairs: [ReplicaID: Credential] = [:]
    /// When this node begins an epoch, or hands one on, unless others did.
    var epochDeadline: UInt64?
    /// The membership for which that, and who is out, was last looked at.
    var epochsSeen = -1
    var membershipSeen = -1
    var provenVersion = -1
    /// Who is known to be out.
    var outside: Set<Bytes16> = []
    /// Removed devices that are told of their removal once it is durable here.
    var dismissals: [Dismissal] = []

    /// Something that waits for its token.
    struct Persisting: Sendable {
        let token: UInt64
        /// The first place that is not covered by it.
        let end: Int
        let completion: Completion?
    }

    enum Completion: Sendable {
        case authored(ticket: UInt64, place: Int)
        case admitted(ConnectionID, sealedSecrets: [UInt8])
    }

    /// What is remembered of a device between sessions.
    package struct Peer: Sendable {
        package var durable = PeerKnowledge()
        /// Milliseconds since 1970 by this node's clock.
        package var lastHeard: Int64
    }

    /// - Parameters:
    ///   - log: what the disk holds; empty for a node that is joining.
    ///   - guests: the secrets of the guests that were let in here.
    package init(
        log: TripLog, secrets: DeviceSecrets, guests: [DeviceSecrets] = [], role: Role,
        cryptography: any SessionCryptography, limits: SessionLimits = SessionLimits()
    ) {
        self.log = log
        self.log.reader = secrets
        self.secrets = secrets
        self.guests = Dictionary(guests.map { ($0.device.replica, $0) }) { first, _ in first }
        self.role = role
        if case .joining(let link, let name) = role {
            invitation = (link, name)
            // It was answered before: what it was given may lead to the trip.
            if !log.epochs.isEmpty { self.role = .member }
        }
        self.cryptography = cryptography
        self.limits = limits
        durableCount = log.changes.count
        addresses = AddressBook(limits: limits)
        wasAdmitted = isLetIn
        if isLetIn { invitation = nil }
        if log.membership.hasRemovals {
            outside = Set(log.membership.allPeople.filter { !$0.isIn }.map(\.id))
        }
    }

    /// Whether the log says that somebody let this device in, or that it founded the trip.
    package var isLetIn: Bool { log.membership.device(secrets.device.replica) != nil }

    /// Takes one event and returns what is to be done about it. The generator must be a cryptographic one.
    package mutating func handle(
        _ event: Event, at now: Now, using generator: inout some RandomNumberGenerator
    ) -> [Effect] {
        self.now = now
        if incarnation == nil { incarnation = Bytes16(high: generator.next(), low: generator.next()) }
        switch event {
        case .author, .admitGuest, .received, .persisted, .woke: break
        default: mustLook = true
        }
        switch event {
        case .listening(let port):
            self.port = port
            publish(anew: true, using: &generator)
        case .networkChanged:
            suspectParting()
            publish(anew: true, using: &generator)
            addresses.hurry(at: now.monotonic)
        case .woke: wakeTime = nil
        case .author(let body, let replica, let ticket): author(body, as: replica, ticket: ticket)
        case .admitGuest(let guest, let name, let ticket): admit(guest, name: name, ticket: ticket)
        case .remove(let participant, let ticket): remove(participant, ticket: ticket, using: &generator)
        case .persisted(let token): persisted(token)
        case .appeared(let instance): appeared(instance, using: &generator)
        case .disappeared(let instance): disappeared(instance)
        case .resolved(let instance, let found): resolved(instance, found)
        case .addAddress(let address): addresses.add(address, instance: nil, at: now.monotonic)
        case .accepted(let id): accepted(id)
        case .connected(let id): connected(id, using: &generator)
        case .received(let id, let bytes): received(bytes, on: id, using: &generator)
        case .closed(let id):
            dismissals.removeAll { $0.connection == id }
            closed(id)
        case .stop: stop()
        }
        settle(using: &generator)
        let effects = effects
        self.effects = []
        return effects
    }

    /// What time brings, after any event.
    private mutating func settle(using generator: inout some RandomNumberGenerator) {
        keepEpochs(using: &generator)
        announceDue()
        let present = (version: log.membership.version, epochs: log.epochs.count)
        guard mustLook || now.monotonic >= dueTime || present != published else {
            wake(at: min(dueTime, announcementDeadline ?? .max))
            return
        }
        mustLook = false
        published = present
        publish(anew: false, using: &generator)
        askAgain()
        keepSessions()
        keepOverlay(using: &generator)
        keepAsking()
        if !wasAdmitted, isLetIn {
            wasAdmitted = true
            (invitation, askDeadline) = (nil, nil)
            effects.append(.notice(.admitted))
        }
        dueTime = nextDeadline()
        wake(at: min(dueTime, announcementDeadline ?? .max))
    }

    /// Asks to be woken at a time.
    mutating func wake(at time: UInt64) {
        // An earlier request stands: what it finds not to be due yet is asked for anew then.
        guard time < wakeTime ?? .max else { return }
        wakeTime = time
        effects.append(.wake(at: time))
    }

    /// Notes that something is due at a time.
    mutating func expect(_ time: UInt64) {
        guard time < dueTime else { return }
        dueTime = time
        wake(at: time)
    }

    private func nextDeadline() -> UInt64 {
        var next = now.monotonic + 60_000
        for connection in connections.values { next = min(next, connection.deadline(under: limits)) }
        next = min(next, nextDial())
        if let renewal = publication.renewal { next = min(next, renewal) }
        for name in unanswered.values { next = min(next, max(name.due, now.monotonic + 1)) }
        if let epochDeadline { next = min(next, max(epochDeadline, now.monotonic + 1)) }
        if let askDeadline { next = min(next, max(askDeadline, now.monotonic + 1)) }
        return next
    }

    // MARK: - Changes of one's own

    /// - Parameter replica: the log to write in, which is kept here; nil for the device's own.
    mutating func author(_ body: ChangeBody, as replica: ReplicaID? = nil, ticket: UInt64) {
        do {
            let author = try credentials(of: replica)
            _ = try log.author(body, wallTime: now.wall, as: author)
            let place = log.changes.count - 1
            persist(place..<place + 1, then: .authored(ticket: ticket, place: place))
            recount()
        } catch {
            effects.append(.authored(ticket: ticket, .failure(error)))
        }
    }

    /// Shows changes as far as they count.
    mutating func show(_ places: some Sequence<Int>) {
        var changes: [AppliedChange] = []
        changes.reserveCapacity(places.underestimatedCount)
        for place in places where log.counts(place) { changes.append(log.applied(place)) }
        if !changes.isEmpty { effects.append(.apply(changes)) }
    }

    mutating func persist(_ places: Range<Int>, then completion: Completion?) {
        let token = nextToken
        nextToken += 1
        persisting.append(Persisting(token: token, end: places.upperBound, completion: completion))
        let written = log.written(places)
        effects.append(.persist(token: token, written.changes, isVerified: written.isVerified))
    }

    private mutating func persisted(_ token: UInt64) {
        var isOwn = false
        while let first = persisting.first, first.token <= token {
            persisting.removeFirst()
            if first.completion != nil { isOwn = true }
            durableCount = max(durableCount, first.end)
            switch first.completion {
            case .authored(let ticket, let place):
                show([place])
                effects.append(.authored(ticket: ticket, .success(log.changes[place].hash)))
            case .admitted(let id, let sealedSecrets):
                // The people here see the newcomer, then the newcomer hears of it.
                show([first.end - 1])
                send(.joinAnswer(.admitted(sealedSecrets: sealedSecrets)), on: id)
                // Where they asked again, there is a session in which they were nobody.
                promoteProven()
            case nil: break
            }
        }
        sendDismissals()
        spread(isOwn: isOwn)
    }

    // MARK: - Connections

    mutating func nextConnectionID() -> ConnectionID {
        defer { nextDialled += 2 }
        return ConnectionID(rawValue: nextDialled)
    }

    /// Numbers the connections that this node asks for after those of the node whose place it takes: what is said of those
    /// may still come.
    package mutating func numberConnections(after other: SyncNode) { nextDialled = other.nextDialled }

    private mutating func stop() {
        for id in connections.keys.sorted() { end(id) }
        for dismissal in dismissals { effects.append(.close(dismissal.connection)) }
        dismissals = []
        effects.append(.advertise([]))
        port = nil
        publication = Publication()
    }
}

/// A bounded set of what was seen, which forgets the oldest first.
struct BoundedMemory<Element: Hashable & Sendable>: Sendable {
    private var members: Set<Element> = []
    private var order: [Element] = []
    private var oldest = 0

    func contains(_ element: Element) -> Bool { members.contains(element) }

    mutating func insert(_ element: Element, limit: Int) {
        guard members.insert(element).inserted else { return }
        if order.count < limit {
            order.append(element)
        } else {
            members.remove(order[oldest])
            order[oldest] = element
            oldest = (oldest + 1) % limit
        }
    }
}
