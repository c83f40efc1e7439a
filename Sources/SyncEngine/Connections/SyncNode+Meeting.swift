import ChangeLog
import DeltaCRDT

// With each run of a device's node there is one session.
extension SyncNode {
    /// Turns a connection into a session, unless a session with the same peer is kept instead, or there is no place.
    mutating func begin(
        _ standing: Session.Standing, with peer: Session.PeerIdentity, over channel: SecureChannel,
        on id: ConnectionID, using generator: inout some RandomNumberGenerator
    ) {
        // Its place among the dials is free.
        if dialer.room(with: contacts) <= 0 { turn.mustLook = true }
        guard let connection = gate.remove(id) else { return }
        // One member at a time is asked, so that one use of the invite is used; and a device that is in by now asks none.
        let isInVain =
            standing == .sponsor
            && (joining == nil || isMember && !connection.isForAdmission
                || table.values.contains { $0.standing == .sponsor })
        var session = Session(
            with: peer, on: connection, begun: now.monotonic, standing: standing, channel: channel)
        if let device = standing.device, let known = replication.peers[device.replica] {
            session.replication.remember(known.durable, without: known.absent)
        }
        table.insert(session, as: id)
        if isInVain { return end(id) }
        if let device = standing.device, let address = connection.address {
            dialer.met(device.replica, at: address, now: now.monotonic)
        }
        guard case .stays(let older, let replaced) = table.meeting(of: id, as: ownRun) else { return end(id) }
        // It takes the place of one that it replaces, or may replace, where that was accepted too.
        if !(older + replaced).contains(where: { table[$0]?.address == nil }), !mayStay(id, using: &generator) {
            return end(id)
        }
        if (older + replaced).contains(where: { table[$0]?.run.wasShown ?? false }) {
            // To people it is the same meeting.
            if let index = table.index(of: id) { table[at: index].run.wasShown = true }
        } else if let device = standing.device, device != secrets.device {
            met(device, on: id)
        }
        for other in replaced { end(other) }
        greet(standing, on: id, using: &generator)
        // Bytes of the first messages may have come with the handshake's last.
        receivedInSession([], on: id, using: &generator)
    }

    /// The first messages of a session.
    private mutating func greet(
        _ standing: Session.Standing, on id: ConnectionID, using generator: inout some RandomNumberGenerator
    ) {
        switch standing {
        case .member, .unproven, .stranger, .outside:
            let digest = digest(of: log.frontier(before: toldEnd(on: id) ?? 0))
            var incarnation = local.incarnation
            // It was dialed by a device that it can't recognize.
            if standing == .stranger { incarnation = Bytes16(high: generator.next(), low: generator.next()) }
            if let incarnation { send(.hello(digest: digest, incarnation: incarnation), on: id) }
            guard standing.device != nil else { return }
            tellOfAbsentBodies(on: id)
            requestEpoch(on: id)
            introduceItself(on: id)
        case .sponsor: requestAdmission(on: id)
        case .joiner: break
        }
    }

    /// Learns which run of the peer's node a session is with. With each there is one session, and with this node itself none.
    /// False where this session is over.
    mutating func recognise(
        _ incarnation: Bytes16, on id: ConnectionID, using generator: inout some RandomNumberGenerator
    ) -> Bool {
        guard let index = table.index(of: id) else { return false }
        let (address, isStranger) = (table[at: index].address, table[at: index].standing == .stranger)
        table[at: index].run.incarnation = incarnation
        // It may say the incarnation of another, to see whether this device is that one, or is in session with it.
        if isStranger { return true }
        if incarnation == local.incarnation {
            if let address { dialer.metItself(at: address) }
            drop(id)
            return false
        }
        if let address { dialer.identified(incarnation, at: address) }
        let (device, wasShown) = (table[at: index].device, table[at: index].run.wasShown)
        guard case .stays(_, let replaced) = table.meeting(of: id, withRun: incarnation, as: ownRun) else {
            end(id)
            return false
        }
        for other in replaced { end(other) }
        guard mayStay(id, using: &generator) else {
            end(id)
            return false
        }
        if let device, device == secrets.device, !wasShown { met(device, on: id) }
        return true
    }

    private var ownRun: SessionTable.OwnRun {
        SessionTable.OwnRun(key: secrets.device.agreementKey, incarnation: local.incarnation)
    }

    mutating func met(_ device: Device, on id: ConnectionID) {
        let address = table[id]?.address
        if let address { dialer.met(device.replica, at: address, now: now.monotonic) }
        if let index = table.index(of: id) { table[at: index].run.wasShown = true }
        turn.effects.append(.notice(.met(device, address)))
    }
}
