import ChangeLog
import DeltaCRDT

/// Judges what membership allows: what a peer has proven, who may be admitted, removed, ended or kept, and which sessions end. It reads the
/// log, and never writes it.
struct MembershipDesk: Sendable {
    /// This node's device.
    private let own: Device
    /// The people known to be out, as of a membership; and the membership in which proofs were looked for last.
    private var outside: Set<Bytes32>
    private var seenVersion = -1
    private var provenVersion = -1
    private var dismissals: [Dismissal] = []

    /// How long a device that is out is sent its removal, in milliseconds.
    static let tellingDuration: Int64 = 30 * 86_400_000

    init(of own: Device, in log: TripLog) {
        self.own = own
        outside = Set(log.peopleOutside)
    }

    func isOwn(_ participant: Bytes32) -> Bool { participant == own.participant }

    // MARK: - Proofs

    /// What the holder of a shown key may do; nil for nothing. Under a pair's secret, the key must be a member's or that of a person who is
    /// out.
    func standing(
        of peer: Session.PeerIdentity, under credential: Credential, newest: Epoch?, in log: TripLog
    ) -> Session.Standing? {
        if case .invite(let id) = credential.kind { return peer.role == .initiator ? .sponsor : .joiner(invite: id) }
        if let device = log.device(peer.replica) {
            guard device.agreementKey == peer.key else { return nil }
            if log.isOut(peer.replica) {
                switch credential.kind {
                case .pair(peer.replica): return .outside
                // This device shows other keys than its own (`SyncNode.shownIdentity`). Otherwise that secret would let removed people follow it.
                case .epoch where peer.role == .initiator: return mayMeetStrangers(in: log) ? .stranger : nil
                case .epoch, .pair, .invite: return nil
                }
            }
            if log.isIn(peer.replica) {
                if case .pair(let replica) = credential.kind, replica != peer.replica { return nil }
                return .member(device)
            }
        }
        guard case .epoch(let id) = credential.kind else { return nil }
        // Removed people have an older epoch's secret, too.
        if peer.role == .responder || id == newest?.id { return .unproven }
        return mayMeetStrangers(in: log) ? .stranger : nil
    }

    /// Who is out takes nobody's admission: its past may be what was written since.
    private func mayMeetStrangers(in log: TripLog) -> Bool { !log.isOut(own.replica) }

    /// Whether peers whose admission was not known may be proven by now. Once for each membership.
    mutating func mayProve(in log: TripLog) -> Bool {
        defer { provenVersion = log.membershipVersion }
        return provenVersion != log.membershipVersion
    }

    /// The member's device that a peer of unknown admission turns out to be; nil if it is not known so far.
    func member(provenBy peer: Session.PeerIdentity, in log: TripLog) -> Device? {
        log.device(peer.replica).flatMap { $0.agreementKey == peer.key && log.isIn(peer.replica) ? $0 : nil }
    }

    // MARK: - Admissions

    /// Whether a request proves what it claims: its device's name hashes its keys, and its participant's the invite.
    func proves(
        _ request: JoinRequest, by invite: Bytes32, in log: TripLog, using cryptography: some Cryptography
    ) -> Bool {
        let device = request.device
        let isMeant =
            log.invite(invite)?.invite.participant.map { $0 == device.participant && isOwn($0) }
            ?? (device.participant
                == Origin.invited(invite).participant(signingKey: device.signingKey, using: cryptography))
        let message = Admission.consentMessage(trip: log.trip, device: device, name: request.name)
        return isMeant && cryptography.isValid(request.consent, of: message, by: device.signingKey)
    }

    /// Whether this node may admit a device that asks.
    enum Admissibility: Hashable, Sendable {
        case refused(JoinRefusal)
        /// Another member may admit them, or this one later.
        case later
        /// They are in by the change at an index, if one that counts is here.
        case isIn(admission: Int?)
        case open
    }

    /// The answer to a request that proves what it claims.
    /// - Parameter wall: milliseconds since 1970.
    func admissibility(
        of request: JoinRequest, by invite: Bytes32, in log: TripLog, as local: LocalDevice, at wall: Int64,
        limits: SessionLimits
    ) -> Admissibility {
        let replica = request.device.replica
        // A person who waits, because their host was removed, may use the invite once more while it is open.
        guard !log.isOut(replica) || log.departure(of: replica)?.waitsFor != nil else {
            return .refused(.invalidRequest)
        }
        // A device that was admitted and did not receive the answer asks again, and is answered again.
        if log.isIn(replica) { return .isIn(admission: log.admission(of: replica)) }
        guard let opened = log.invite(invite), opened.isOpen(at: wall, for: replica) else {
            return .refused(.inviteClosed)
        }
        let mayAdmit =
            !local.lacksOwnActs && hasRoom(forNewcomerBy: opened, in: log, limits: limits)
            && local.question(about: opened, in: log) == nil
        return mayAdmit ? .open : .later
    }

    /// Whether there is room in this device's chain for a newcomer. The last places are reserved for this person's own invites.
    private func hasRoom(forNewcomerBy opened: TripLog.OpenedInvite, in log: TripLog, limits: SessionLimits) -> Bool {
        log.device(opened.author).map { isOwn($0.participant) } ?? false
            || log.chainTotals(of: own.replica).admissions < limits.othersNewcomersMax
    }

    // MARK: - Removing, ending, keeping

    /// How a participant is removed, or leaves.
    struct Removal: Hashable, Sendable {
        /// The changes that count, with their pasts; nil if all do.
        let kept: [Bytes32]?
        /// The devices that get a new epoch's secret; nil if the person here leaves, because another member begins one then.
        let remaining: [Device]?
    }

    /// - Parameter kept: the changes that a person here chose to keep; nil if they chose none.
    func removal(of participant: Bytes32, kept: [Bytes32]?, in log: TripLog) throws(WritingFailure) -> Removal {
        guard !log.isOut(own.replica) else { throw .out }
        // Somebody who waits is refused by being removed; somebody who left may still be.
        guard let person = log.person(participant), person.state != .removed || kept != nil,
            isOwn(participant) || log.isAncestor(own.participant, of: participant)
        else { throw .notAbove }
        guard !isOwn(participant) else { return Removal(kept: nil, remaining: nil) }
        // Bodies that nobody here has seen are not kept. They could hold anything, and arrive whenever the removed person likes.
        return Removal(
            kept: kept ?? log.changesBeforeAbsentBodies(of: participant),
            // Their guests have no node, and people they invited stay.
            remaining: log.membersWithNode.filter { $0.participant != participant })
    }

    /// How another device of the person here is ended, which may be in a thief's hands.
    struct Ending: Hashable, Sendable {
        /// The last change that counts.
        let last: Bytes32?
        /// The devices that get a new epoch's secret.
        let remaining: [Device]
    }

    func ending(of replica: ReplicaID, in log: TripLog) throws(WritingFailure) -> Ending {
        guard !log.isOut(own.replica) else { throw .out }
        guard log.isFirst(own), let device = log.device(replica), isOwn(device.participant), !log.isFirst(device),
            log.isIn(replica)
        else { throw .notAbove }
        return Ending(
            last: log.lastChangeToKeep(of: replica).map { log.graph[$0].hash },
            remaining: log.membersWithNode.filter { $0.replica != replica })
    }

    /// The admission of a person who waits that is repeated to keep the person, and the indices of all that are.
    func keeping(
        of participant: Bytes32, in log: TripLog
    ) throws(WritingFailure) -> (admission: Admission, indices: [Int]) {
        guard !log.isOut(own.replica) else { throw .out }
        guard let kept = log.keepable(participant, by: own.participant) else { throw .notAbove }
        return kept
    }

    // MARK: - Sessions with people who are out

    /// The people who were in when this was asked last, and are out now, ascending; nil if membership is as it was.
    mutating func newlyOut(in log: TripLog) -> [Bytes32]? {
        guard seenVersion != log.membershipVersion else { return nil }
        seenVersion = log.membershipVersion
        let now = log.peopleOutside
        defer { outside = Set(now) }
        return now.filter { !outside.contains($0) }.sorted()
    }

    /// What a membership means for a session that began under another.
    enum Fate: Hashable, Sendable {
        case stays
        case ends
        /// A member's device is out. It is cut off, and told its removal.
        case dismissed(Device)
    }

    func fate(of standing: Session.Standing, with peer: Session.PeerIdentity, in log: TripLog) -> Fate {
        switch standing {
        case .member(let device): log.isIn(device.replica) ? .stays : .dismissed(device)
        case .unproven, .joiner: log.isOut(peer.replica) ? .ends : .stays
        case .stranger: log.isIn(peer.replica) ? .ends : .stays
        case .outside: log.isOut(peer.replica) ? .stays : .ends
        case .sponsor: .stays
        }
    }

    /// Whether a device may still receive its removal or its end.
    func isStillTold(_ replica: ReplicaID, in log: TripLog, at wall: Int64) -> Bool {
        log.departures(of: replica).contains { time(of: $0, in: log, at: wall) > wall - Self.tellingDuration }
    }

    /// When a change was written, between what this device wrote last before it came and what it wrote next: its author may have written
    /// any number. O(own branches · log changes).
    private func time(of index: Int, in log: TripLog, at wall: Int64) -> Int64 {
        var (earliest, latest) = (Int64.min, wall)
        for branch in log.graph.branchesOfReplica[own.replica] ?? [] {
            let indices = log.graph.branches[Int(branch)].indices
            let next = indices.partitioningIndex { $0 > index }
            if next < indices.count { latest = min(latest, log.graph[Int(indices[next])].change.wallTime) }
            let before = log.graph.branches[Int(branch)].last(before: index)
            if let before { earliest = max(earliest, log.graph[before].change.wallTime) }
        }
        return min(max(log.graph[index].change.wallTime, earliest), latest)
    }

    /// The last message to a removed device: its removal, sealed for a session that has ended, to be sent once the removal is
    /// durable here.
    struct Dismissal: Sendable {
        let connection: ConnectionID
        /// The index of the removal.
        let removal: Int
        let frames: [UInt8]
    }

    mutating func add(_ dismissal: Dismissal) { dismissals.append(dismissal) }

    /// A connection ended before its dismissal was sent.
    mutating func forget(_ id: ConnectionID) { dismissals.removeAll { $0.connection == id } }

    /// The connections of the dismissals that wait.
    var dismissed: [ConnectionID] { dismissals.map(\.connection) }

    /// Takes the dismissals whose removals are durable.
    mutating func takeDismissals(before end: Int) -> [Dismissal] {
        guard !dismissals.isEmpty else { return [] }
        defer { dismissals.removeAll { $0.removal < end } }
        return dismissals.filter { $0.removal < end }
    }

    /// Takes the connections of all dismissals, because the node stops.
    mutating func takeConnections() -> [ConnectionID] {
        defer { dismissals = [] }
        return dismissals.map(\.connection)
    }
}
