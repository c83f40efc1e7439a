import ChangeLog
import DeltaCRDT

// The life of a session: messages in and out, keys renewed, silence noticed, an end that is said.
extension SyncNode {
    mutating func receivedInSession(
        _ bytes: [UInt8], on id: ConnectionID, using generator: inout some RandomNumberGenerator
    ) {
        guard case .session(var session) = connections[id]?.phase else { return }
        session.channel.append(bytes)
        connections[id]?.phase = .session(session)
        while case .session(var session) = connections[id]?.phase {
            do {
                guard let encoded = try session.channel.next() else {
                    connections[id]?.phase = .session(session)
                    return
                }
                session.lastHeard = now.monotonic
                connections[id]?.phase = .session(session)
                let message = try Message(encoded, limits: limits, using: cryptography)
                handle(message, on: id, using: &generator)
            } catch {
                effects.append(.notice(.refused(.malformed(.unknown), session.device)))
                drop(id)
            }
        }
    }

    private mutating func handle(
        _ message: Message, on id: ConnectionID, using generator: inout some RandomNumberGenerator
    ) {
        guard let session = connections[id]?.session else { return }
        switch (message, session.standing) {
        case (.end, _): drop(id)
        case (.ping, _): heard(session)
        case (.rekey, _): update(id) { session, _ in session.channel.rekeyReceiving() }
        case (.hello(let digest), .member), (.hello(let digest), .unproven): hello(digest, on: id)
        case (.frontier(let frontier), .member), (.frontier(let frontier), .unproven): compare(frontier, on: id)
        case (.changes(let changes), .member), (.changes(let changes), .unproven): receive(changes, on: id)
        case (.have(let hashes), .member), (.have(let hashes), .unproven): acknowledged(hashes, on: id)
        case (.locator(let replica, let hashes), .member), (.locator(let replica, let hashes), .unproven):
            located(replica, hashes, on: id)
        case (.joinRequest(let request), .joiner(let invite)):
            letIn(request, by: invite, on: id, using: &generator)
        case (.joinAnswer(let answer), .host): joinAnswered(answer, on: id)
        default:
            // A message that its sender has no standing for.
            effects.append(.notice(.refused(.membership, session.device)))
            end(id)
        }
    }

    private mutating func heard(_ session: Session) {
        guard let replica = session.device?.replica else { return }
        peers[replica, default: Peer(lastHeard: now.wall)].lastHeard = now.wall
    }

    mutating func update(_ id: ConnectionID, _ change: (inout Session, TripLog) -> Void) {
        guard case .session(var session) = connections[id]?.phase else { return }
        change(&session, log)
        connections[id]?.phase = .session(session)
    }

    mutating func send(_ message: Message, on id: ConnectionID) {
        guard case .session(var session) = connections[id]?.phase else { return }
        guard let frames = session.channel.seal(message.encoding) else {
            drop(id)
            return
        }
        session.lastSent = now.monotonic
        connections[id]?.phase = .session(session)
        effects.append(.send(id, frames))
        let isOld = now.monotonic >= session.lastRekey + limits.rekeyInterval
        if message != .rekey, message != .end, session.channel.sentSinceRekey >= limits.rekeyMessages || isOld {
            send(.rekey, on: id)
            update(id) { session, _ in
                session.channel.rekeySending()
                session.lastRekey = session.lastSent
            }
        }
    }

    /// Ends a connection with a word, where there is a session to say it in.
    mutating func end(_ id: ConnectionID) {
        send(.end, on: id)
        drop(id)
    }

    /// Ends a connection.
    mutating func drop(_ id: ConnectionID) {
        guard connections[id] != nil else { return }
        effects.append(.close(id))
        closed(id)
    }

    mutating func closed(_ id: ConnectionID) {
        guard let connection = connections.removeValue(forKey: id) else { return }
        if let address = connection.address { addresses.ended(address, connection: id, at: now.monotonic) }
        if let session = connection.session, let device = session.device {
            heard(session)
            if !isMet(device.replica) {
                effects.append(.notice(.parted(device)))
                // Whoever was just here may be back at once.
                addresses.retry(device.replica, at: now.monotonic)
            }
        }
    }

    /// Whether there is a session with a device.
    func isMet(_ replica: ReplicaID) -> Bool {
        connections.values.contains { $0.session?.device?.replica == replica }
    }

    // MARK: - Time

    func deadline(of connection: Connection) -> UInt64 {
        switch connection.phase {
        case .dialling: return connection.begun + limits.dialDuration
        case .awaitingFirstMessage, .handshaking: return connection.begun + limits.handshakeDuration
        case .session(let session):
            switch session.standing {
            case .joiner, .host: return session.begun + limits.inviteSessionDuration
            case .member, .unproven:
                let talk = min(session.lastSent + limits.pingInterval, session.lastHeard + limits.silenceMax)
                return min(talk, session.haveDeadline ?? .max)
            }
        }
    }

    mutating func keepSessions() {
        for id in connections.keys.sorted() {
            guard let connection = connections[id], deadline(of: connection) <= now.monotonic else { continue }
            guard let session = connection.session, now.monotonic < session.lastHeard + limits.silenceMax,
                session.standing != .host
            else {
                drop(id)
                continue
            }
            if case .joiner = session.standing {
                end(id)
                continue
            }
            if let deadline = session.haveDeadline, deadline <= now.monotonic { sendHave(on: id) }
            if session.lastSent + limits.pingInterval <= now.monotonic { send(.ping, on: id) }
        }
    }

    mutating func dialDue() {
        guard !diallingCredentials.isEmpty else { return }
        for address in addresses.due(at: now.monotonic, isMet: isMet) {
            guard connections.count < limits.handshakesMax else {
                addresses.dialled(address, as: nil)
                continue
            }
            let id = nextConnectionID()
            connections[id] = Connection(address: address, begun: now.monotonic, phase: .dialling)
            addresses.dialled(address, as: id)
            effects.append(.dial(id, address))
        }
    }
}
