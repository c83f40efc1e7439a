package import ChangeLog
import DeltaCRDT

/// One node's protocol (Documentation/Protocol.md) as a value. It takes events and returns effects, and does nothing else.
///
/// The shell performs every effect in order. The changes of a `persist` effect leave this node only after the shell
/// has reported `persisted` with its token. Tokens return in the order in which they were issued.
///
/// Each machine below owns its part of the state. This type decides which peer gets which message.
package struct SyncNode: Sendable {
    package var log: TripLog
    /// Who this node is.
    var local: LocalDevice
    /// How this device joins, until its log holds its admission and it has an epoch's secret; nil for a member.
    package internal(set) var joining: JoinAttempt?
    let settings: Settings
    /// The effects of the current event so far, and when to look again.
    var turn = Turn()
    var gate: HandshakeGate
    var table: SessionTable
    var turns: Turns
    var keyring = Keyring()
    var publication = Publication()
    var dialer: Dialer
    var epochs: EpochKeeper
    var membership: MembershipDesk
    var replication: Replication
    var photos = ChunkExchange()
    var presence = Presence()
    var versions: Versions
    var mailboxes = Mailboxes()
    var bounds = BoundNotices()

    /// What it is made with.
    struct Settings: Sendable {
        let limits: SessionLimits
        let cryptography: any SessionCryptography
    }

    package var limits: SessionLimits { settings.limits }
    var cryptography: any SessionCryptography { settings.cryptography }
    package var secrets: DeviceSecrets { local.secrets }
    var now: Now { turn.now }

    /// - Parameters:
    ///   - log: what the disk holds; empty for a node that is joining.
    ///   - guests: the secrets of the guests that this device admitted.
    ///   - epochSecrets: the secrets of epochs that this device received, and that no box in the log holds for it.
    ///   - joining: how it joins, if its log may not hold its admission yet.
    ///   - version: the version of the program, which members are told; nil to tell them none.
    package init(
        log: TripLog, secrets: DeviceSecrets, guests: [DeviceSecrets] = [], epochSecrets: [Bytes32],
        joining invitation: Invitation? = nil, version: String? = nil, cryptography: any SessionCryptography,
        limits: SessionLimits = SessionLimits()
    ) {
        self.log = log
        local = LocalDevice(secrets: secrets, guests: guests)
        settings = Settings(limits: limits, cryptography: cryptography)
        replication = Replication(writes: WriteQueue(durableCount: log.graph.count))
        replication.absent = log.absentBodies
        gate = HandshakeGate(limits: limits)
        table = SessionTable(limits: limits)
        turns = Turns(limits: limits)
        dialer = Dialer(limits: limits)
        epochs = EpochKeeper(of: secrets, told: epochSecrets, in: log, using: cryptography)
        membership = MembershipDesk(of: secrets.device, in: log)
        versions = Versions(own: version.flatMap { VersionName($0) })
        joining = hasJoined ? nil : invitation.map { JoinAttempt(invitation: $0) }
    }

    /// Whether the log holds this device's admission, or this device founded the trip.
    package var isLetIn: Bool { log.device(secrets.device.replica) != nil }

    /// Whether it has an epoch's secret. Without one, it looks for a member to admit it.
    package var isMember: Bool { !epochs.held.isEmpty }

    /// Whether it need not ask to be admitted. A log alone can come without a secret, for example in a file.
    package var hasJoined: Bool { isLetIn && isMember }

    /// Takes one event and returns its effects. The generator must be a cryptographic one.
    package mutating func handle(
        _ event: Event, at now: Now, using generator: inout some RandomNumberGenerator
    ) -> [Effect] {
        turn.begin(at: now)
        local.start(using: &generator)
        switch event {
        case .write, .writing, .admitGuest, .received, .persisted, .woke, .chunks, .mailbox: break
        default: turn.mustLook = true
        }
        switch event {
        case .listening(let port, let isRenewable): listens(at: port, isRenewable: isRenewable, using: &generator)
        case .ownAddresses(let hosts): publication.hosts = hosts
        case .networkChanged(let known):
            if let known { dialer.moved(to: known, at: now.monotonic) }
            dialer.suspectParting(at: now.monotonic)
            publish(anew: true, using: &generator)
            dialAgain()
        case .woke:
            turn.woke()
            takeTurn(using: &generator)
        case .write(let statement, let content, let subjects, let replica, let ticket):
            write(statement, content: content, about: subjects, as: replica, ticket: ticket)
        case .admitGuest(let guest, let name, let ticket): admit(guest, name: name, ticket: ticket)
        case .remove(let participant, let kept, let ticket):
            remove(participant, kept: kept, ticket: ticket, using: &generator)
        case .keep(let participant, let ticket): keep(participant, ticket: ticket, using: &generator)
        case .end(let device, let ticket): end(device: device, ticket: ticket, using: &generator)
        case .writing(let place, let replica): writes(at: place, as: replica)
        case .keepInvites(let kept):
            local.keptInvites = kept
            keyring.forgetAnsweredInvites()
        case .carried(let records):
            accept(records)
            promoteProven()
            announceSoon()
        case .ownActsMissing(let areMissing):
            local.lacksOwnActs = areMissing
            epochs.postpone()
            mailboxes.touch()
        case .persisted(let token): persisted(token)
        case .appeared(let instance): appeared(instance, using: &generator)
        case .disappeared(let instance): dialer.disappeared(instance)
        case .resolved(let instance, let found):
            dialer.resolved(instance, found, at: now.monotonic, using: cryptography)
        case .addAddress(let address, let isNamed):
            dialer.add(address, isNamed: isNamed, at: now.monotonic)
        case .accepted(let id, let address, let caller):
            accepted(id, at: address, from: caller, using: &generator)
        case .connected(let id): gate.connected(id, at: now.monotonic)
        case .received(let id, let bytes): received(bytes, on: id, using: &generator)
        case .closed(let id):
            takeLastTurn(of: id, using: &generator)
            membership.forget(id)
            closed(id)
        case .chunks(let news): learned(news, using: &generator)
        case .mailbox(let answer): heard(answer, using: &generator)
        case .stop: stop(using: &generator)
        }
        settle(using: &generator)
        #if CHECK_INVARIANTS
        checkAfter(event)
        #endif
        return turn.takeEffects()
    }

    /// What time brings, after any event.
    private mutating func settle(using generator: inout some RandomNumberGenerator) {
        keepEpochs(using: &generator)
        keepMailboxes(using: &generator)
        keepJoins(using: &generator)
        announceDue()
        keepPresence()
        fetchDue(using: &generator)
        guard turn.isLookDue else {
            turn.wake(at: earliestTask)
            return
        }
        turn.mustLook = false
        publish(anew: false, using: &generator)
        for instance in dialer.lookUps(at: now.monotonic, using: &generator) {
            turn.effects.append(.resolve(instance: instance))
        }
        keepSessions()
        keepPeers(using: &generator)
        retryAdmission()
        if joining != nil, hasJoined || log.isOut(secrets.device.replica) {
            joining = nil
            turn.effects.append(.notice(.admitted))
        }
        turn.look(at: nextDeadline())
        turn.wake(at: earliestTask)
    }

    /// When something is due for which nothing else need be looked at.
    var earliestTask: UInt64? {
        [
            photos.deadline, presence.deadline, replication.announcementDeadline, nextTurn,
            isMember ? mailboxes.deadline : nil,
            mailboxes.joinDeadline,
        ].compactMap { $0 }.min()
    }

    private func nextDeadline() -> UInt64 {
        var next = min(now.monotonic + 60_000, gate.deadline ?? .max)
        for (id, session) in zip(table.keys, table.values) {
            next = min(next, session.deadline(under: limits, isWaiting: turns.waiting.contains(id)))
        }
        next = min(next, dialer.deadline(with: contacts, at: now.monotonic))
        next = min(next, publication.deadline(after: now.monotonic) ?? .max)
        for due in [
            dialer.nextLookup(at: now.monotonic), dialer.names.comparison, epochs.deadline, joining?.deadline,
        ] {
            if let due { next = min(next, max(due, now.monotonic + 1)) }
        }
        return next
    }

    private mutating func stop(using generator: inout some RandomNumberGenerator) {
        mailboxes.hurry(at: now.monotonic, using: &generator)
        for id in connectionIDs { end(id) }
        for id in membership.takeConnections() { turn.effects.append(.close(id)) }
        turn.effects.append(.advertise([]))
        publication = Publication()
    }
}

/// Who a node is: its device's keys, and those of the guests that it writes for.
struct LocalDevice: Sendable {
    let secrets: DeviceSecrets
    /// By their logs' names.
    private(set) var guests: [ReplicaID: DeviceSecrets]
    /// Whether the disk lost acts of its own, which others may have.
    var lacksOwnActs = false
    /// Exposed invites of this person that are answered nevertheless.
    var keptInvites: Set<Bytes32> = []
    /// Another for each start: tells copies of one device apart. Nil before the first event.
    private(set) var incarnation: Bytes16?

    init(secrets: DeviceSecrets, guests: [DeviceSecrets]) {
        self.secrets = secrets
        self.guests = Dictionary(guests.map { ($0.device.replica, $0) }) { first, _ in first }
    }

    mutating func start(using generator: inout some RandomNumberGenerator) {
        if incarnation == nil { incarnation = Bytes16(high: generator.next(), low: generator.next()) }
    }

    mutating func add(guest: DeviceSecrets) { guests[guest.device.replica] = guest }

    /// The secrets that sign in a log; nil if they are kept elsewhere.
    func credentials(of replica: ReplicaID?) -> DeviceSecrets? {
        guard let replica, replica != secrets.device.replica else { return secrets }
        return guests[replica]
    }
}

/// One event's effects as they gather, and when the node is to be woken.
struct Turn: Sendable {
    private(set) var now = Now(monotonic: 0, wall: 0)
    var effects: [Effect] = []
    /// Changes whose bodies have come, or have gone.
    var altered: [SignedChange] = []
    /// Whether something came that may have made something due earlier.
    var mustLook = true
    /// Nothing but announcements is due before this time, unless `mustLook`.
    private var dueTime: UInt64 = 0
    private var wakeTime: UInt64?

    /// Most events bring no more.
    private static let usualEffects = 4

    mutating func begin(at now: Now) {
        self.now = now
        effects.reserveCapacity(Turn.usualEffects)
    }

    mutating func takeEffects() -> [Effect] {
        defer { (effects, altered) = ([], []) }
        return altered.isEmpty ? effects : effects + [.alter(altered)]
    }

    var isLookDue: Bool { mustLook || now.monotonic >= dueTime }

    mutating func woke() { wakeTime = nil }

    /// Looks at everything again at a time.
    mutating func look(at time: UInt64) { dueTime = time }

    /// Asks to be woken when something is due, or at a time before that.
    mutating func wake(at other: UInt64?) {
        // An earlier request stays. If it finds nothing due yet, it asks again then.
        let time = min(dueTime, other ?? .max)
        guard time < wakeTime ?? .max else { return }
        wakeTime = time
        effects.append(.wake(at: time))
    }

    /// Notes that something is due at a time.
    mutating func expect(_ time: UInt64) {
        guard time < dueTime else { return }
        dueTime = time
        wake(at: nil)
    }
}
