import ChangeLog
import DeltaCRDT

/// The sessions of a node, in ascending order of their connections' numbers, and which of them stay. There are at most some dozens.
struct SessionTable: Sendable {
    private(set) var keys: [ConnectionID] = []
    private(set) var values: [Session] = []
    private let limits: SessionLimits

    init(limits: SessionLimits) { self.limits = limits }

    var count: Int { keys.count }

    /// Where a session is now. O(log n).
    func index(of id: ConnectionID) -> Int? {
        let index = keys.partitioningIndex { $0 >= id }
        return index < keys.count && keys[index] == id ? index : nil
    }

    /// A session by where it is, changed in place.
    subscript(at index: Int) -> Session {
        _read { yield values[index] }
        _modify { yield &values[index] }
    }

    subscript(id: ConnectionID) -> Session? { index(of: id).map { values[$0] } }

    mutating func insert(_ session: Session, as id: ConnectionID) {
        let index = keys.partitioningIndex { $0 >= id }
        precondition(index == keys.count || keys[index] != id, "connection \(id.rawValue) has a session already")
        keys.insert(id, at: index)
        values.insert(session, at: index)
    }

    mutating func remove(_ id: ConnectionID) -> Session? {
        guard let index = index(of: id) else { return nil }
        keys.remove(at: index)
        return values.remove(at: index)
    }

    /// The devices that there are sessions with. O(sessions).
    var metReplicas: Set<ReplicaID> { Set(values.lazy.compactMap { $0.device?.replica }) }

    /// Whether there is a session with a device. O(sessions).
    func hasMet(_ replica: ReplicaID) -> Bool { values.contains { $0.device?.replica == replica } }

    /// The sessions as the dialer sees them.
    var contacts: [Contact] {
        zip(keys, values).map { id, session in
            Contact(
                id: id, isDialled: session.address != nil, begun: session.connection.begun,
                peer: Contact.Peer(
                    member: session.device?.replica,
                    // Under an older epoch's secret anybody may say another's.
                    incarnation: session.standing == .stranger ? nil : session.run.incarnation))
        }
    }

    // MARK: - Room

    /// Whether one more session may begin.
    enum Room: Hashable, Sendable {
        case free
        /// There is none, and people hear of it.
        case full(Bound)
        /// If another session ends.
        case inPlaceOf(ConnectionID)
    }

    /// Sessions under invites' keys with devices that ask to be admitted.
    var inviteSessions: Int {
        values.count {
            if case .joiner = $0.standing { true } else { false }
        }
    }

    /// Whether one more session with a peer may begin. It may replace an older one with the same peer.
    func room(for standing: Session.Standing, of peer: Session.PeerIdentity) -> Room {
        let others = values.filter { $0.peer.replica != peer.replica }
        let mayReplace = others.count < values.count && !standing.isOutsider
        guard values.count < limits.sessionsMax || mayReplace else { return .full(.sessions) }
        switch standing {
        case .member, .sponsor: return .free
        case .outside, .stranger:
            // They are told, or heard, in a moment. One that stays keeps nobody else from that.
            let like = zip(keys, values).filter { $1.standing == standing }
            let oldest = like.min { ($0.1.times.begun, $0.0) < ($1.1.times.begun, $1.0) }
            guard let oldest, like.count >= limits.outsideSessionsMax else { return .free }
            return .inPlaceOf(oldest.0)
        case .unproven:
            let count = others.count { $0.standing == .unproven }
            return count < limits.unprovenSessionsMax ? .free : .full(.unprovenSessions)
        case .joiner: return inviteSessions < limits.inviteSessionsMax ? .free : .full(.inviteSessions)
        }
    }

    // MARK: - One session with each run of a peer's node

    // A device may run in several places: its home was copied, or it restarted, and nobody noticed so far that its run before is gone.

    /// What this node's runs are told apart by.
    struct OwnRun: Sendable {
        let key: Bytes32
        let incarnation: Bytes16?
    }

    /// What follows from a session that has begun, for the sessions with the same peer.
    enum Meeting: Hashable, Sendable {
        /// The new session ends, for an older one is kept.
        case refused
        /// The new session stays beside some, and in place of others.
        case stays(beside: [ConnectionID], inPlaceOf: [ConnectionID])
    }

    func meeting(of id: ConnectionID, as own: OwnRun) -> Meeting {
        guard let session = self[id] else { return .refused }
        var older: [ConnectionID] = []
        var replaced: [ConnectionID] = []
        for (other, known) in zip(keys, values) where other != id && known.peer.replica == session.peer.replica {
            // A joiner that dialed several of our addresses keeps one session itself; if each side chose, both could go,
            // and the answer with them. One that asks again has another session beside that.
            if known.standing.isBrief || session.standing.isBrief { continue }
            // A member's hello tells whether both sessions are with one run of the peer's node.
            if known.isWithMember, session.isWithMember {
                older.append(other)
                continue
            }
            if prefers(known, to: session, as: own) { return .refused }
            replaced.append(other)
        }
        let isFull = values.count - replaced.count > limits.sessionsMax
        if isFull || older.count >= limits.sessionsOfDeviceMax,
            let oldest = older.min(by: { begun($0) < begun($1) })
        {
            replaced.append(oldest)
        }
        return .stays(beside: older.filter { !replaced.contains($0) }, inPlaceOf: replaced)
    }

    /// What follows from a peer's hello, for the sessions with the same run of its node.
    func meeting(of id: ConnectionID, withRun incarnation: Bytes16, as own: OwnRun) -> Meeting {
        guard let session = self[id] else { return .refused }
        var replaced: [ConnectionID] = []
        for (other, double) in zip(keys, values)
        where other != id && double.peer.replica == session.peer.replica && double.run.incarnation == incarnation {
            let isOlder = (double.times.begun, other) < (session.times.begun, id)
            let isKept =
                isOlder ? prefers(double, to: session, as: own) : !prefers(session, to: double, as: own)
            if isKept { return .refused }
            replaced.append(other)
        }
        return .stays(beside: [], inPlaceOf: replaced)
    }

    /// Of two sessions that began at once, that whose initiator has the lower key; otherwise the newer, for the older
    /// may be one whose other end is gone.
    private func prefers(_ older: Session, to newer: Session, as own: OwnRun) -> Bool {
        guard older.peer.role != newer.peer.role, newer.times.begun - older.times.begun < limits.simultaneousMax else {
            return false
        }
        return (older.peer.role == .initiator) == isLower(own, thanPeerOf: older)
    }

    /// Between copies of one device, whose keys are the same, by what tells their runs apart.
    private func isLower(_ own: OwnRun, thanPeerOf session: Session) -> Bool {
        guard own.key == session.peer.key, let incarnation = own.incarnation, let other = session.run.incarnation else {
            return own.key < session.peer.key
        }
        return (incarnation.high, incarnation.low) < (other.high, other.low)
    }

    private func begun(_ id: ConnectionID) -> UInt64 { self[id]?.times.begun ?? 0 }

    func checkInvariants() {
        precondition(keys.count == values.count, "\(keys.count) connections have \(values.count) sessions")
        precondition(zip(keys, keys.dropFirst()).allSatisfy { $0 < $1 }, "\(keys.count) connections are out of order")
        let (joiners, sponsors) = (inviteSessions, values.count { $0.standing == .sponsor })
        precondition(
            joiners <= limits.inviteSessionsMax && sponsors <= 1,
            "\(joiners) sessions with joiners, and \(sponsors) with members who are asked")
        func count(_ standing: Session.Standing) -> Int { values.count { $0.standing == standing } }
        precondition(
            count(.unproven) <= limits.unprovenSessionsMax && count(.outside) <= limits.outsideSessionsMax
                && count(.stranger) <= limits.outsideSessionsMax,
            """
            \(count(.unproven)) sessions with devices of unknown admission, \(count(.stranger)) with strangers, \
            and \(count(.outside)) with devices that are out
            """)
    }
}
