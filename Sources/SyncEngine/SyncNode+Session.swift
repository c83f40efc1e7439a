import ChangeLog
import DeltaCRDT

// The life of a session: messages in and out, keys renewed, silence noticed, an end that is said.
extension SyncNode {
    mutating func receivedInSession(
        _ bytes: [UInt8], on id: ConnectionID, using generator: inout some RandomNumberGenerator
    ) {
        guard let index = connections.sessionIndex(of: id) else { return }
        connections[session: index].channel.append(bytes)
        // A message may end this connection, or begin or end others.
        while let index = connections.sessionIndex(of: id) {
            do {
                guard let part = try connections[session: index].channel.next() else { return }
                connections[session: index].lastHeard = now.monotonic
                let message = try Message(part.bytes, in: part.range, limits: limits, using: cryptography)
                handle(message, on: id, using: &generator)
            } catch {
                effects.append(.notice(.refused(.malformed(.unknown), connections[session: index].device)))
                drop(id)
            }
        }
    }

    private mutating func handle(
        _ message: Message, on id: ConnectionID, using generator: inout some RandomNumberGenerator
    ) {
        guard let index = connections.sessionIndex(of: id) else { return }
        switch (message, connections[session: index].standing) {
        case (.end, _): drop(id)
        case (.ping, _): if let device = connections[session: index].device { heard(device.replica) }
        case (.rekey, _): update(id) { session, _ in session.channel.rekeyReceiving() }
        case (.hello(let digest, let incarnation), .member), (.hello(let digest, let incarnation), .unproven):
            if recognise(incarnation, on: id, using: &generator) { hello(digest, on: id) }
        case (.frontier(let frontier), .member), (.frontier(let frontier), .unproven): compare(frontier, on: id)
        case (.changes(let changes), .member), (.changes(let changes), .unproven): receive(changes, on: id)
        case (.have(let hashes), .member), (.have(let hashes), .unproven): acknowledged(hashes, on: id)
        case (.locator(let replica, let hashes), .member), (.locator(let replica, let hashes), .unproven):
            located(replica, hashes, on: id)
        case (.lazy, .member), (.lazy, .unproven): becomeLazy(id)
        case (.want(let hash), .member), (.want(let hash), .unproven): becomeEager(id, wanting: hash)
        case (.joinRequest(let request), .joiner(let invite)):
            letIn(request, by: invite, on: id, using: &generator)
        case (.joinAnswer(let answer), .host): joinAnswered(answer, on: id)
        case (.joinAnswer(.admitted(let sealed)), .member), (.joinAnswer(.admitted(let sealed)), .unproven):
            takeSecrets(sealed, on: id)
        default:
            // A message that its sender has no standing for.
            effects.append(.notice(.refused(.membership, connections[session: index].device)))
            end(id)
        }
    }

    private mutating func heard(_ replica: ReplicaID) {
        peers[replica, default: Peer(lastHeard: now.wall)].lastHeard = now.wall
    }

    /// Changes a session where it stands; does nothing where there is none.
    mutating func update(_ id: ConnectionID, _ change: (inout Session, TripLog) -> Void) {
        guard let index = connections.sessionIndex(of: id) else { return }
        change(&connections[session: index], log)
    }

    mutating func send(_ message: Message, on id: ConnectionID) {
        guard let index = connections.sessionIndex(of: id) else { return }
        let isOld = now.monotonic >= connections[session: index].lastRekey + limits.rekeyInterval
        guard let frames = connections[session: index].channel.seal(message.encoding) else {
            drop(id)
            return
        }
        connections[session: index].lastSent = now.monotonic
        effects.append(.send(id, frames))
        switch message {
        case .rekey:
            connections[session: index].channel.rekeySending()
            connections[session: index].lastRekey = now.monotonic
        case .end: break
        default:
            if isOld || connections[session: index].channel.sentSinceRekey >= limits.rekeyMessages {
                send(.rekey, on: id)
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
        if let address = connection.address {
            let isElsewhere = addresses.entries[address]?.replica.map { isMet($0) } ?? false
            addresses.ended(address, connection: id, isElsewhere: isElsewhere, at: now.monotonic)
            if !connection.hasSession { doubt(address) }
        }
        mustLook = true
        if let session = connection.session, let device = session.device {
            if now.monotonic >= session.lastHeard + limits.silenceMax { suspectParting() }
            heard(device.replica)
            peers[device.replica]?.durable = session.durable
            if !isMet(device.replica) {
                if session.wasShown { effects.append(.notice(.parted(device))) }
                // Whoever was just here may be back at once.
                addresses.retry(device.replica, at: now.monotonic)
            }
        }
    }

    /// Whether there is a session with a device.
    func isMet(_ replica: ReplicaID) -> Bool {
        connections.values.contains { $0.device?.replica == replica }
    }

    // MARK: - Time

    mutating func keepSessions() {
        // Those who are to hear a ping soon hear it now, so that one look does for several.
        let early = now.monotonic + limits.pingInterval / 8
        for id in connections.keys {
            guard let index = connections.index(of: id),
                connections[at: index].deadline(under: limits)
                    <= (connections[at: index].isWithMember ? early : now.monotonic)
            else { continue }
            guard let standing = connections[at: index].standing, standing != .host,
                now.monotonic < connections[session: index].lastHeard + limits.silenceMax
            else {
                drop(id)
                continue
            }
            if case .joiner = standing {
                end(id)
                continue
            }
            if let deadline = connections[session: index].wantDeadline, deadline <= now.monotonic {
                askForMissing(on: id)
            }
            guard let index = connections.sessionIndex(of: id) else { continue }
            if connections[session: index].lastSent + limits.pingInterval <= early { send(.ping, on: id) }
        }
    }
}
