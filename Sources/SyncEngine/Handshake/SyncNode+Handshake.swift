import ChangeLog
import DeltaCRDT

// Answers the gate's demands: with the secrets that are here, and with what a peer may do.
extension SyncNode {
    mutating func accepted(
        _ id: ConnectionID, at address: PeerAddress, from caller: String,
        using generator: inout some RandomNumberGenerator
    ) {
        let welcome = gate.accept(id, at: address, from: caller, now: now.monotonic, using: &generator)
        if let oldest = welcome.givesWay {
            reached(.handshakes)
            drop(oldest)
        }
        turn.effects.append(.send(id, welcome.serverNonce))
    }

    mutating func received(
        _ bytes: [UInt8], on id: ConnectionID, using generator: inout some RandomNumberGenerator
    ) {
        if table.index(of: id) != nil { return receivedInSession(bytes, on: id, using: &generator) }
        switch gate.received(bytes, on: id) {
        case .bytes: break
        case .end: drop(id)
        case .dialling(let connection): open(connection, as: id, using: &generator)
        case .selected(let message, let serverNonce):
            answer(message, serverNonce: serverNonce, on: id, using: &generator)
        case .standing(let peer, let credential): finish(with: peer, under: credential, on: id, using: &generator)
        }
    }

    private mutating func open(
        _ connection: Connection, as id: ConnectionID, using generator: inout some RandomNumberGenerator
    ) {
        guard let address = connection.address,
            let credential = connection.isForAdmission
                ? joining.map({ inviteCredential($0) }) : diallingCredential(for: address),
            let frame = gate.open(
                id, under: credential, isNamed: dialer.trace(of: address).isNamed, showing: secrets.agreementSecret,
                using: &generator, cryptography)
        else { return drop(id) }
        turn.effects.append(.send(id, frame))
    }

    /// A first message that matches none of our keys, or was sent to another address, gets no answer.
    private mutating func answer(
        _ message: [UInt8], serverNonce: [UInt8], on id: ConnectionID, using generator: inout some RandomNumberGenerator
    ) {
        guard let credential = credential(selectedBy: message, serverNonce: serverNonce) else { return drop(id) }
        let identity = shownIdentity(under: credential, using: &generator)
        switch gate.answer(
            id, under: credential, showing: identity, inviteSessions: table.inviteSessions, using: &generator,
            cryptography)
        {
        case .send(let frame): turn.effects.append(.send(id, frame))
        case .full:
            reached(.inviteSessions)
            drop(id)
        case .end: drop(id)
        }
    }

    /// The secret of the key, and the replica, that this node shows to a dialer. Under an ended invite, both are made for one handshake.
    /// So the holder of its link can't find this device again, and a device admitted by the invite is still answered.
    private func shownIdentity(
        under credential: Credential, using generator: inout some RandomNumberGenerator
    ) -> ShownIdentity {
        guard case .invite(let id) = credential.kind, !(log.invite(id)?.isOpen(at: now.wall) ?? false) else {
            return ownIdentity
        }
        return ShownIdentity(secret: .random(using: &generator), replica: .random(using: &generator))
    }

    private var ownIdentity: ShownIdentity {
        ShownIdentity(secret: secrets.agreementSecret, replica: secrets.device.replica)
    }

    /// The peer has shown its key and its identity.
    private mutating func finish(
        with peer: Session.PeerIdentity, under credential: Credential, on id: ConnectionID,
        using generator: inout some RandomNumberGenerator
    ) {
        guard
            let standing = membership.standing(of: peer, under: credential, newest: epochs.newest, in: log),
            let outcome = gate.finish(id, showing: shownIdentity(to: standing, using: &generator))
        else { return drop(id) }
        if let last = outcome.last { turn.effects.append(.send(id, last)) }
        switch table.room(for: standing, of: peer) {
        case .free: break
        case .full(let bound):
            reached(bound)
            return drop(id)
        case .inPlaceOf(let other): end(other)
        }
        if case .epoch(let epoch) = credential.kind { epochs.met(peer.replica, under: epoch) }
        begin(standing, with: peer, over: outcome.channel, on: id, using: &generator)
    }

    /// What a dialed peer is shown. For a stranger, both are made for this session: it may be a puppet of somebody who is out, and would
    /// learn where this device is.
    private func shownIdentity(
        to standing: Session.Standing, using generator: inout some RandomNumberGenerator
    ) -> ShownIdentity {
        guard standing == .stranger else { return ownIdentity }
        return ShownIdentity(secret: .random(using: &generator), replica: .random(using: &generator))
    }
}
