import ChangeLog
import DeltaCRDT

// Handshakes: Noise XXpsk0, under the newest epoch's key, an open invite's or a pair's.
extension SyncNode {
    /// The side that accepts speaks first, so a recorded first message is useless.
    mutating func accepted(
        _ id: ConnectionID, at address: PeerAddress, from caller: String,
        using generator: inout some RandomNumberGenerator
    ) {
        // An honest handshake takes a few round trips. Under a flood, the oldest one gives way, not the next one.
        let waiting = connections.filter { !$0.value.hasSession && $0.value.address == nil }
        if waiting.count >= limits.handshakesMax,
            let oldest = waiting.min(by: {
                $0.value.rank == $1.value.rank ? $0.key < $1.key : $0.value.rank < $1.value.rank
            })
        {
            reached(.handshakes)
            drop(oldest.key)
        }
        let greeting = Bytes16(high: generator.next(), low: generator.next()).bytes
        connections.insert(
            Connection(
                .accepted(at: address, from: caller), begun: now.monotonic,
                phase: .awaitingFirstMessage(greeting: greeting, FrameReader())),
            as: id)
        turn.effects.append(.send(id, greeting))
    }

    mutating func connected(_ id: ConnectionID) {
        guard case .dialling = connections[id]?.phase else { return }
        connections.connected(id, at: now.monotonic)
    }

    mutating func received(
        _ bytes: [UInt8], on id: ConnectionID, using generator: inout some RandomNumberGenerator
    ) {
        guard let index = connections.index(of: id) else { return }
        // First, because a connection that is copied meanwhile would have its session copied too.
        if connections.hasSession(at: index) { return receivedInSession(bytes, on: id, using: &generator) }
        switch connections[at: index].phase {
        case .dialling, .inSession: break
        case .awaitingGreeting(var reader):
            reader.append(bytes)
            if let greeting = reader.take(FirstMessage.greetingSize) {
                sendFirstMessage(greeting: greeting, reader: reader, on: id, using: &generator)
            } else {
                connections.proceed(id, to: .awaitingGreeting(reader))
            }
        case .awaitingFirstMessage(let greeting, var reader):
            reader.append(bytes)
            if let length = reader.nextLength, length != FirstMessage.length {
                drop(id)
            } else if let message = reader.next() {
                readFirstMessage(message, greeting: greeting, reader: reader, on: id, using: &generator)
            } else {
                connections.proceed(id, to: .awaitingFirstMessage(greeting: greeting, reader))
            }
        case .handshaking(var handshaking):
            let isInitiator = connections[at: index].address != nil
            handshaking.reader.append(bytes)
            let expected = isInitiator ? FirstMessage.secondLength : FirstMessage.thirdLength
            if let length = handshaking.reader.nextLength, length != expected {
                drop(id)
            } else if let message = handshaking.reader.next() {
                finish(handshaking, with: message, isInitiator: isInitiator, on: id, using: &generator)
            } else {
                connections.proceed(id, to: .handshaking(handshaking))
            }
        }
    }

    private mutating func sendFirstMessage(
        greeting: [UInt8], reader: FrameReader, on id: ConnectionID, using generator: inout some RandomNumberGenerator
    ) {
        guard let connection = connections[id], let address = connection.address,
            let credential = connection.isForAdmission
                ? joining.map({ inviteCredential($0) }) : diallingCredential(for: address)
        else {
            drop(id)
            return
        }
        var handshake = makeHandshake(
            .initiator, credential, showing: secrets.agreementSecret, greeting: greeting, using: &generator)
        guard let message = try? handshake.write(FirstMessage.payload(dialled: address, isNamed: dialer.trace(of: address).isNamed)) else {
            drop(id)
            return
        }
        let selector = FirstMessage.selector(of: message, greeting: greeting, under: credential, using: cryptography)
        connections.proceed(
            id, to: .handshaking(.init(credential: credential, handshake: handshake, reader: reader)))
        turn.effects.append(.send(id, FrameReader.frame(selector + message)))
    }

    private func makeHandshake(
        _ role: HandshakeRole, _ credential: Credential, showing secret: Bytes32, greeting: [UInt8],
        using generator: inout some RandomNumberGenerator
    ) -> any Handshake {
        cryptography.handshake(
            role, prologue: FirstMessage.prologue(greeting: greeting), presharedKey: credential.keys.session,
            staticSecret: secret, ephemeralSecret: .random(using: &generator))
    }

    /// The secret of the key, and the replica, that this node shows to a dialer. Under an ended invite, both are made for one handshake.
    /// So the holder of its link can't find this device again, and a device admitted by the invite is still answered.
    private func shownIdentity(
        under credential: Credential, using generator: inout some RandomNumberGenerator
    ) -> (secret: Bytes32, replica: [UInt8]) {
        guard case .invite(let id) = credential.kind, !(log.invite(id)?.isOpen(at: now.wall) ?? false) else {
            return (secrets.agreementSecret, secrets.device.replica.bytes)
        }
        return (.random(using: &generator), Bytes16(high: generator.next(), low: generator.next()).bytes)
    }

    /// A first message that matches none of our keys, or was sent to another address, gets no answer.
    private mutating func readFirstMessage(
        _ message: [UInt8], greeting: [UInt8], reader: FrameReader, on id: ConnectionID,
        using generator: inout some RandomNumberGenerator
    ) {
        guard case .accepted(let address, _) = connections[id]?.origin,
            let credential = credential(selectedBy: message, greeting: greeting)
        else {
            drop(id)
            return
        }
        let shown = shownIdentity(under: credential, using: &generator)
        var handshake = makeHandshake(
            .responder, credential, showing: shown.secret, greeting: greeting, using: &generator)
        guard let payload = try? handshake.read(Array(message.dropFirst(FirstMessage.selectorSize))),
            FirstMessage.isMeant(payload, for: address)
        else {
            drop(id)
            return
        }
        if case .invite = credential.kind, inviteSessions >= limits.inviteSessionsMax {
            reached(.inviteSessions)
            drop(id)
            return
        }
        guard let answer = try? handshake.write(shown.replica) else {
            drop(id)
            return
        }
        connections.proceed(
            id, to: .handshaking(.init(credential: credential, handshake: handshake, reader: reader)))
        turn.effects.append(.send(id, FrameReader.frame(answer)))
    }

    private var inviteSessions: Int {
        connections.values.count {
            if case .joiner = $0.standing { true } else { false }
        }
    }

    /// The peer has shown its key and its identity.
    private mutating func finish(
        _ state: Connection.Handshaking, with message: [UInt8], isInitiator: Bool, on id: ConnectionID,
        using generator: inout some RandomNumberGenerator
    ) {
        var state = state
        // The wrong key, or altered bytes, end it.
        guard let payload = try? state.handshake.read(message), let replica = ReplicaID(bytes: payload),
            let key = state.handshake.remoteStaticKey
        else {
            drop(id)
            return
        }
        let peer = Session.PeerIdentity(role: isInitiator ? .initiator : .responder, replica: replica, key: key)
        guard let standing = standing(of: peer, under: state.credential) else {
            drop(id)
            return
        }
        if isInitiator {
            guard let last = try? state.handshake.write(secrets.device.replica.bytes) else {
                drop(id)
                return
            }
            turn.effects.append(.send(id, FrameReader.frame(last)))
        }
        guard let ciphers = state.handshake.transport(), hasRoom(for: standing, of: peer) else {
            drop(id)
            return
        }
        let session = Session(
            with: peer, begun: now.monotonic, standing: standing,
            channel: SecureChannel(ciphers, reader: state.reader))
        if case .epoch(let epoch) = state.credential.kind { epochs.met(replica, under: epoch) }
        begin(session, on: id, using: &generator)
    }

    /// What the holder of a shown key may do; nil for nothing. If this node dialed under an older epoch's secret, which removed people
    /// have too, or under a pair's, the key must be a member's. So anybody else learns only that somebody dialed.
    private func standing(of peer: Session.PeerIdentity, under credential: Credential) -> Session.Standing? {
        if case .invite(let id) = credential.kind { return peer.role == .initiator ? .sponsor : .joiner(invite: id) }
        if let device = log.device(peer.replica) {
            guard device.agreementKey == peer.key else { return nil }
            if log.isOut(peer.replica) {
                // Only under the pair's secret. An older epoch's secret would let removed people follow this device.
                guard case .pair(peer.replica) = credential.kind else { return nil }
                return .outside
            }
            if log.isIn(peer.replica) {
                if case .pair(let replica) = credential.kind, replica != peer.replica { return nil }
                return .member(device)
            }
        }
        guard case .epoch(let id) = credential.kind, peer.role == .responder || id == epochs.newest?.id else {
            return nil
        }
        return .unproven
    }

    /// Whether one more session with a peer of that kind is allowed. A session may replace an older one.
    private mutating func hasRoom(for standing: Session.Standing, of peer: Session.PeerIdentity) -> Bool {
        let sessions = connections.values.compactMap(\.session)
        let others = sessions.filter { $0.peer.replica != peer.replica }
        guard sessions.count < limits.sessionsMax || others.count < sessions.count else {
            reached(.sessions)
            return false
        }
        switch standing {
        case .member, .sponsor: return true
        case .outside: return others.count { $0.standing == .outside } < limits.outsideSessionsMax
        case .unproven:
            guard others.count(where: { $0.standing == .unproven }) < limits.unprovenSessionsMax else {
                reached(.unprovenSessions)
                return false
            }
        case .joiner:
            guard inviteSessions < limits.inviteSessionsMax else {
                reached(.inviteSessions)
                return false
            }
        }
        return true
    }
}
