import ChangeLog

// With each run of a device's node there is one session. A device may run in several places: its home was copied, or it was
// started anew, and nobody has noticed yet that the run before is gone.
extension SyncNode {
    /// Makes a connection a session, unless a session with the same peer is to be kept instead.
    mutating func begin(
        _ session: Session, on id: ConnectionID, using generator: inout some RandomNumberGenerator
    ) {
        var session = session
        if let device = session.device, let peer = replication.peers[device.replica] {
            (session.peerDurable, session.peerAbsent) = (peer.durable, peer.absent)
        }
        // Its place among the dials is free.
        if dialer.room(with: contacts) <= 0 { turn.mustLook = true }
        guard let own = connections.index(of: id) else { return }
        connections[at: own].begin(session)
        // One member at a time is asked, so that one use of the invite is used; and none by who is in by now.
        if session.standing == .sponsor,
            joining == nil || isMember && !connections[at: own].isForAdmission
                || connections.contains(where: { $0.key != id && $0.value.standing == .sponsor })
        {
            end(id)
            return
        }
        if let device = session.device, let address = connections[id]?.address {
            dialer.met(device.replica, at: address, now: now.monotonic)
        }
        var older: [ConnectionID] = []
        var replaced: [ConnectionID] = []
        for other in connections.keys where other != id {
            guard let known = connections[other]?.session, known.peer.replica == session.peer.replica else { continue }
            // A joiner that dialled several of our addresses keeps one session itself; if each side chose, both could go,
            // and the answer with them. One that asks again has another session beside that.
            if known.standing.isUnderInvite || session.standing.isUnderInvite { continue }
            // A member's hello says whether it is one run of the peer's node that both are with.
            if known.isWithMember, session.isWithMember {
                older.append(other)
                continue
            }
            if prefers(known, to: session) {
                end(id)
                return
            }
            replaced.append(other)
        }
        let isFull = connections.values.count(where: \.hasSession) - replaced.count > limits.sessionsMax
        if isFull || older.count >= limits.sessionsOfDeviceMax,
            let oldest = older.min(by: { begun($0) < begun($1) })
        {
            replaced.append(oldest)
        }
        // It takes the place of one that it replaces, or may replace, where that was accepted too.
        if !(older + replaced).contains(where: { connections[$0]?.address == nil }), !mayStay(id, using: &generator) {
            end(id)
            return
        }
        if (older + replaced).contains(where: { connections[$0]?.session?.run.wasShown ?? false }) {
            // To people it is the same meeting.
            if let index = connections.sessionIndex(of: id) { connections[session: index].run.wasShown = true }
        } else if let device = session.device, device != secrets.device {
            met(device, on: id)
        }
        for other in replaced { end(other) }
        switch session.standing {
        case .member, .unproven, .outside:
            let digest = digest(of: log.frontier(before: toldEnd(on: id) ?? 0))
            if let incarnation = local.incarnation { send(.hello(digest: digest, incarnation: incarnation), on: id) }
            if session.isWithMember {
                tellOfAbsentBodies(on: id)
                requestEpoch(on: id)
                tellOfPort(on: id)
            }
        case .sponsor: requestAdmission(on: id)
        case .joiner: break
        }
        // Bytes of the first messages may have come with the handshake's last.
        receivedInSession([], on: id, using: &generator)
    }

    /// Learns which run of the peer's node a session is with. With each there is one session, and with this node itself none.
    /// False where this session is over.
    mutating func recognise(
        _ incarnation: Bytes16, on id: ConnectionID, using generator: inout some RandomNumberGenerator
    ) -> Bool {
        guard let index = connections.sessionIndex(of: id) else { return false }
        let address = connections[at: index].address
        if incarnation == local.incarnation {
            if let address { dialer.metItself(at: address) }
            drop(id)
            return false
        }
        connections[session: index].run.incarnation = incarnation
        if let address { dialer.identified(incarnation, at: address) }
        let session = connections[session: index]
        var doubles: [ConnectionID] = []
        for other in connections.keys where other != id {
            guard let double = connections[other]?.session, double.peer.replica == session.peer.replica,
                double.run.incarnation == incarnation
            else { continue }
            let isOlder = (double.times.begun, other) < (session.times.begun, id)
            if isOlder == (isOlder ? prefers(double, to: session) : prefers(session, to: double)) {
                end(id)
                return false
            }
            doubles.append(other)
        }
        for double in doubles { end(double) }
        guard mayStay(id, using: &generator) else {
            end(id)
            return false
        }
        if let device = session.device, device == secrets.device, !session.run.wasShown { met(device, on: id) }
        return true
    }

    /// Of two sessions that began at once, that whose initiator has the lower key; otherwise the newer, for the older
    /// may be one whose other end is gone.
    private func prefers(_ older: Session, to newer: Session) -> Bool {
        guard older.peer.role != newer.peer.role,
            newer.times.begun - older.times.begun < limits.simultaneousMax
        else { return false }
        return (older.peer.role == .initiator) == isLower(thanPeerOf: older)
    }

    /// Between copies of one device, whose keys are the same, by what tells their runs apart.
    private func isLower(thanPeerOf session: Session) -> Bool {
        guard secrets.device.agreementKey == session.peer.key, let own = local.incarnation,
            let other = session.run.incarnation
        else { return secrets.device.agreementKey < session.peer.key }
        return (own.high, own.low) < (other.high, other.low)
    }

    private func begun(_ id: ConnectionID) -> UInt64 { connections[id]?.session?.times.begun ?? 0 }

    mutating func met(_ device: Device, on id: ConnectionID) {
        let address = connections[id]?.address
        if let address { dialer.met(device.replica, at: address, now: now.monotonic) }
        if let index = connections.sessionIndex(of: id) { connections[session: index].run.wasShown = true }
        turn.effects.append(.notice(.met(device, address)))
    }
}
