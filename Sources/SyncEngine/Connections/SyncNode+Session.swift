import ChangeLog
import DeltaCRDT

// The life of a session: messages in and out, keys renewed, silence noticed, an end that is said.
extension SyncNode {
    mutating func handle(
        _ message: Message, on id: ConnectionID, using generator: inout some RandomNumberGenerator
    ) {
        guard let index = table.index(of: id) else { return }
        let isGreeted = table[at: index].run.incarnation != nil
        switch table[at: index].standing.heard(message, isGreeted: isGreeted, on: id) {
        case .ignored: break
        case .ping: if let device = table[at: index].device { replication.heard(device.replica, at: now.wall) }
        case .rekey: table[at: index].channel.rekeyReceiving()
        case .end: drop(id)
        case .hello(let digest, let incarnation, let session):
            guard recognise(incarnation, on: id, using: &generator) else { return }
            hello(digest, in: session)
            exchangeChunks(on: id)
        case .comparison(let message, let session): handle(message, in: session)
        case .contribution(.changes(let records), let session): receive(records, from: session)
        case .contribution(.blob(let message), let session): received(message, from: session, using: &generator)
        case .contribution(.introduction(let introduction), let session): handle(introduction, from: session)
        case .ownAdmission(let records, let session): shown(records, by: session)
        case .request(let request, let session): handle(request, from: session)
        case .joinRequest(let request, let session): letIn(request, in: session, using: &generator)
        case .joinAnswer(let answer, let session): joinAnswered(answer, in: session)
        case .misbehaviour: misbehaved(on: id)
        }
    }

    private mutating func handle(_ message: HeardMessage.Comparison, in session: ComparingSession) {
        switch message {
        case .frontier(let frontier): compare(frontier, in: session)
        case .have(let hashes): acknowledged(hashes, in: session)
        case .locator(let replica, let hashes): located(replica, hashes, in: session)
        case .lazy:
            guard let index = table.index(of: session.id) else { return }
            table[at: index].replication.becomeLazy(from: replication.durableCount)
        case .want:
            guard let index = table.index(of: session.id) else { return }
            table[at: index].replication.becomeEager()
            pump(session.id)
        }
    }

    private mutating func handle(_ request: HeardMessage.Request, from session: MemberSession) {
        switch request {
        case .epoch(let epoch): epochs.isWanted(epoch, by: session.device.replica)
        case .bodies(let hashes): sendBodies(hashes, to: session)
        case .bodiesAbsent(let absent):
            guard let index = table.index(of: session.id) else { return }
            table[at: index].replication.lacks(absent, pause: limits.wantDelay)
            turn.effects.append(.notice(.acknowledged))
            requestBodies(on: session.id)
        case .writers(let writers): heard(writers, on: session.id)
        }
    }

    private mutating func handle(_ introduction: Introduction, from session: ContributingSession) {
        switch introduction {
        case .port(let port): told(port, by: session)
        case .version(let name): versions.heard(name, on: session.id)
        }
    }

    /// Says of this node what a member is told when they meet.
    mutating func introduceItself(on id: ConnectionID) {
        tellOfPort(on: id)
        tellOfVersion(on: id)
    }

    /// A peer says at which port of its address it is reached.
    private mutating func told(_ port: UInt16, by session: ContributingSession) {
        guard port > 0, let index = table.index(of: session.id) else { return }
        let change = table[at: index].toldPort
            .said(port, at: now.monotonic, interval: limits.toldPortInterval)
        if let change { moved(change, on: session.id) }
        if let deadline = table[at: index].toldPort.deadline { turn.expect(deadline) }
    }

    /// Another of the ports that a peer said counts from now on.
    private mutating func moved(_ change: LastSaid<UInt16>.Change, on id: ConnectionID) {
        guard let index = table.index(of: id) else { return }
        if let earlier = change.earlier, table[at: index].isWithMember {
            dialer.left(PeerAddress(host: table[at: index].connection.peerHost, port: earlier))
        }
        believePort(on: id)
    }

    /// Knows a member where it said that it is reached: who is unproven may say it, and is believed once they are.
    mutating func believePort(on id: ConnectionID) {
        guard let index = table.index(of: id), let port = table[at: index].toldPort.value,
            let device = table[at: index].device, device != secrets.device
        else { return }
        let address = PeerAddress(host: table[at: index].connection.peerHost, port: port)
        dialer.said(device.replica, isAt: address, dialled: table[at: index].address, now: now.monotonic)
        turn.effects.append(.notice(.moved(device, address)))
    }

    /// Tells those who are met where this node is reached from now on.
    mutating func tellOfPort() {
        for id in table.keys where table[id]?.isWithMember ?? false { tellOfPort(on: id) }
    }

    /// The same to one of them, unless it dialled that port.
    private mutating func tellOfPort(on id: ConnectionID) {
        guard let port = publication.port, let connection = table[id]?.connection else { return }
        if case .accepted(let address, _) = connection.origin, address.port == port { return }
        send(.introduction(.port(port)), on: id)
    }

    /// A message that its sender has no standing for, or that may not come now.
    private mutating func misbehaved(on id: ConnectionID) {
        turn.effects.append(.notice(.misbehaved(.unexpectedMessage, table[id]?.device)))
        end(id)
    }

    mutating func send(_ message: Message, on id: ConnectionID) {
        guard let index = table.index(of: id) else { return }
        let isOld = now.monotonic >= table[at: index].times.lastRekey + limits.rekeyInterval
        guard let frames = table[at: index].channel.seal(message.encoding) else {
            drop(id)
            return
        }
        table[at: index].times.lastSent = now.monotonic
        turn.effects.append(.send(id, frames))
        switch message {
        case .rekey:
            table[at: index].channel.rekeySending()
            table[at: index].times.lastRekey = now.monotonic
        case .end: break
        default:
            if isOld || table[at: index].channel.sentSinceRekey >= limits.rekeyMessages {
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
        guard gate.contains(id) || table.index(of: id) != nil else { return }
        turn.effects.append(.close(id))
        closed(id)
    }

    mutating func closed(_ id: ConnectionID) {
        let session = table.remove(id)
        guard let connection = session?.connection ?? gate.remove(id) else { return }
        turns.forget(id)
        photos.left(id)
        forgetWriters(on: id)
        versions.left(id)
        if let address = connection.address {
            let isElsewhere = dialer.trace(of: address).replica.map { table.hasMet($0) } ?? false
            dialer.ended(
                id, to: address, isElsewhere: isElsewhere, wasWithMember: session?.isWithMember ?? false,
                at: now.monotonic)
        }
        turn.mustLook = true
        guard let session, let device = session.device else { return }
        if now.monotonic >= session.times.lastHeard + limits.silenceMax {
            dialer.suspectParting(at: now.monotonic)
        }
        replication.heard(device.replica, at: now.wall)
        replication.keep(session.replication.durable, without: session.replication.absent, of: device.replica)
        if !table.hasMet(device.replica) {
            if session.run.wasShown { turn.effects.append(.notice(.parted(device))) }
            dialer.parted(from: device.replica, at: now.monotonic)
        }
    }

    // MARK: - Time

    mutating func keepSessions() {
        // Those who are to hear a ping soon hear it now, so that one look does for several.
        let early = now.monotonic + limits.pingInterval / 8
        for id in (gate.overdue(at: now.monotonic) + table.keys).sorted() {
            guard let index = table.index(of: id) else {
                drop(id)
                continue
            }
            let isDueBy = table[at: index].isWithMember ? early : now.monotonic
            let isWaiting = turns.waiting.contains(id)
            guard table[at: index].deadline(under: limits, isWaiting: isWaiting) <= isDueBy else { continue }
            let standing = table[at: index].standing
            guard standing != .sponsor,
                now.monotonic < table[at: index].times.lastHeard + limits.silenceMax || isWaiting
            else {
                drop(id)
                continue
            }
            if standing.isBrief {
                end(id)
                continue
            }
            if let due = table[at: index].replication.missingDeadline, due <= now.monotonic { requestMissing(on: id) }
            if let due = table[id]?.replication.bodiesDeadline, due <= now.monotonic { requestBodies(on: id) }
            if let due = table[id]?.replication.pastDeadline, due <= now.monotonic { requestMissingPast(on: id) }
            guard let index = table.index(of: id) else { continue }
            let change = table[at: index].toldPort
                .becameDue(at: now.monotonic, interval: limits.toldPortInterval)
            if let change { moved(change, on: id) }
            if table[at: index].times.lastSent + limits.pingInterval <= early { send(.ping, on: id) }
        }
    }
}
