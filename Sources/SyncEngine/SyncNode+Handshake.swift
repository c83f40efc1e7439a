import ChangeLog

// Who may speak with this node: Noise XXpsk0, under the newest epoch's key or an open invite's.
extension SyncNode {
    private static let prologue = Array("caravan 1".utf8)
    /// Bytes of the handshake's messages, whose payloads are empty: of the first alone, and behind a pair's selector.
    private static let firstMessageLengths = [48, 48 + Credential.selectorSize]
    private static let secondMessageLength = 96
    private static let thirdMessageLength = 64

    /// The secrets under which sessions are accepted.
    mutating func acceptedCredentials() -> [Credential] {
        guard case .member = role, let epoch = log.newestEpoch else { return [] }
        // The latest that are over too: whoever comes by one hears that it is, and whoever was let in by its last use
        // and did not hear of it is told again.
        let invites =
            log.membership.openInvites(at: now.wall).prefix(ChangeLimits.openInvitesMax)
            + log.membership.endedInvites(at: now.wall).suffix(limits.endedInvitesMax)
        var credentials = [Credential(epoch: epoch)]
        for (_, opened) in invites {
            // A further device is let in by its own person's alone.
            if let participant = opened.invite.participant, !isOwn(participant) { continue }
            credentials.append(credential(inviteSecret: opened.invite.secret))
        }
        return credentials
    }

    /// Remembered, for an invite's keys take longer to derive than most events to handle.
    private mutating func credential(inviteSecret: Bytes32) -> Credential {
        if let known = inviteCredentials[inviteSecret] { return known }
        if inviteCredentials.count >= 2 * ChangeLimits.openInvitesMax { inviteCredentials = [:] }
        let credential = Credential(inviteSecret: inviteSecret, using: cryptography)
        inviteCredentials[inviteSecret] = credential
        return credential
    }

    /// The secrets under which this node dials, the newest first: under an older one a member is found who was away,
    /// and who shows who they are before this node does.
    var diallingCredentials: [Credential] {
        switch role {
        case .member:
            let newest = log.newestEpoch
            let older = log.epochsByAge.reversed().filter { $0 != newest }.prefix(limits.olderEpochsMax)
            return ([newest].compactMap { $0 } + older).map { Credential(epoch: $0) }
        case .joining(let link, _): return [Credential(inviteSecret: link.secret, using: cryptography)]
        }
    }

    private var askingCredential: Credential? {
        invitation.map { Credential(inviteSecret: $0.link.secret, using: cryptography) }
    }

    /// The secret under which to dial an address now.
    ///
    /// Where a name told of it, the key that made the name. Else the newest epoch's; and unless it is that, in turn what
    /// this device shares with whoever was met there, or with each member that is not met: they may have gone on to
    /// another epoch.
    private mutating func diallingCredential(for address: PeerAddress) -> Credential? {
        let entry = addresses.entries[address]
        var named: Credential?
        if let instance = entry?.instance, case .ours(let credential) = instances[instance] { named = credential }
        // None where the address was forgotten, and heard of again, while it was dialled.
        let attempts = entry?.attempts ?? 0
        let newest = diallingCredentials.first
        if let named, named == newest { return named }
        guard case .member = role, log.membership.isIn(secrets.device.replica), attempts > 0,
            attempts.isMultiple(of: 2)
        else { return named ?? newest }
        if let replica = entry?.replica, let member = log.membership.device(replica), member.isIn {
            return pair(with: member.device) ?? named ?? newest
        }
        let strangers = log.membership.membersWithNode.map(\.device)
            .filter { $0 != secrets.device && !isMet($0.replica) }
        var unmet = Array(strangers.prefix(limits.pairsTriedMax))
        // A copy of this device may have begun an epoch of its own, whether or not another is met.
        if log.membership.hasRemovals { unmet.append(secrets.device) }
        guard !unmet.isEmpty else { return named ?? newest }
        return pair(with: unmet[(attempts / 2 - 1) % unmet.count]) ?? named ?? newest
    }

    /// What this device shares with another; remembered, for it takes a key agreement.
    private mutating func pair(with device: Device) -> Credential? {
        if let known = pairs[device.replica] { return known }
        let made = Credential(pairing: secrets.agreementSecret, with: device, using: cryptography)
        if pairs.count < limits.pairsMax { pairs[device.replica] = made }
        return made
    }

    /// The member whose pair with this device a first message is under.
    private mutating func pair(selectedBy selector: Bytes16, _ ephemeral: Bytes32) -> Credential? {
        guard case .member = role else { return nil }
        if now.monotonic >= pairLookups.since + 1_000 { pairLookups = (now.monotonic, 0) }
        // Of one's own device there may be a copy.
        for member in log.membership.membersWithNode.prefix(limits.pairsMax) {
            guard pairLookups.count < limits.pairLookupsMax else {
                reached(.pairLookups)
                return nil
            }
            pairLookups.count += 1
            if let credential = pair(with: member.device),
                credential.selector(ephemeral, using: cryptography) == selector
            {
                return credential
            }
        }
        return nil
    }

    mutating func accepted(_ id: ConnectionID) {
        // An honest handshake is over in a few round trips: under a flood, the oldest gives way, not whoever comes next.
        let waiting = connections.filter { !$0.value.hasSession && $0.value.address == nil }
        if waiting.count >= limits.handshakesMax,
            let oldest = waiting.min(by: {
                $0.value.rank == $1.value.rank ? $0.key < $1.key : $0.value.rank < $1.value.rank
            })
        {
            reached(.handshakes)
            drop(oldest.key)
        }
        connections[id] = Connection(
            address: nil, begun: now.monotonic, phase: .awaitingFirstMessage(FrameReader()))
    }

    mutating func connected(_ id: ConnectionID, using generator: inout some RandomNumberGenerator) {
        guard let connection = connections[id], case .dialling = connection.phase, let address = connection.address,
            let credential = connection.isAsking ? askingCredential : diallingCredential(for: address)
        else { return }
        var handshake = makeHandshake(.initiator, credential, using: &generator)
        guard var message = try? handshake.write([]) else {
            drop(id)
            return
        }
        if case .pair = credential.kind, let ephemeral = Bytes32(message.prefix(32)) {
            message = credential.selector(ephemeral, using: cryptography).bytes + message
        }
        let handshaking = Connection.Handshaking(
            credential: credential, handshake: handshake, reader: FrameReader())
        connections[id] = Connection(
            address: connection.address, begun: now.monotonic, phase: .handshaking(handshaking),
            isAsking: connection.isAsking)
        effects.append(.send(id, FrameReader.frame(message)))
    }

    private func makeHandshake(
        _ role: HandshakeRole, _ credential: Credential, using generator: inout some RandomNumberGenerator
    ) -> any Handshake {
        cryptography.handshake(
            role, prologue: SyncNode.prologue, presharedKey: credential.sessionKey,
            staticSecret: secrets.agreementSecret, ephemeralSecret: .random(using: &generator))
    }

    mutating func received(
        _ bytes: [UInt8], on id: ConnectionID, using generator: inout some RandomNumberGenerator
    ) {
        guard let index = connections.index(of: id) else { return }
        // First, for a connection that is copied meanwhile would have its session copied too.
        if connections.hasSession(at: index) { return receivedInSession(bytes, on: id, using: &generator) }
        let connection = connections[at: index]
        switch connection.phase {
        case .dialling, .inSession: break
        case .awaitingFirstMessage(var reader):
            reader.append(bytes)
            if let length = reader.nextLength, !SyncNode.firstMessageLengths.contains(length) {
                drop(id)
            } else if let message = reader.next() {
                readFirstMessage(message, reader: reader, on: id, using: &generator)
            } else {
                connections[id]?.phase = .awaitingFirstMessage(reader)
            }
        case .handshaking(var handshaking):
            handshaking.reader.append(bytes)
            let expected = connection.address == nil ? SyncNode.thirdMessageLength : SyncNode.secondMessageLength
            if let length = handshaking.reader.nextLength, length != expected {
                drop(id)
            } else if let message = handshaking.reader.next() {
                continueHandshake(handshaking, message, on: id, using: &generator)
            } else {
                connections[id]?.phase = .handshaking(handshaking)
            }
        }
    }

    /// A responder's handshake before its first message. Until one can be read, all are tried with copies of the same:
    /// what comes before the message is mixed once, and not for every stranger's attempt.
    private mutating func opening(
        under credential: Credential, using generator: inout some RandomNumberGenerator
    ) -> any Handshake {
        if let known = openings[credential.kind] { return known }
        if openings.count >= limits.openingsMax { openings = [:] }
        let made = makeHandshake(.responder, credential, using: &generator)
        openings[credential.kind] = made
        return made
    }

    /// A first message that fits none of our keys, or that came before, gets no answer.
    private mutating func readFirstMessage(
        _ message: [UInt8], reader: FrameReader, on id: ConnectionID,
        using generator: inout some RandomNumberGenerator
    ) {
        // An empty payload: an ephemeral key and a tag; before a pair's, what tells whose it is.
        var message = message
        let selector = message.count == SyncNode.firstMessageLengths[1] ? Bytes16(message.prefix(16)) : nil
        if selector != nil { message.removeFirst(Credential.selectorSize) }
        guard message.count == SyncNode.firstMessageLengths[0], let ephemeral = Bytes32(message.prefix(32)),
            !firstMessages.contains(ephemeral), !strangeFirstMessages.contains(ephemeral)
        else {
            drop(id)
            return
        }
        let credentials =
            selector.map { [pair(selectedBy: $0, ephemeral)].compactMap { $0 } } ?? acceptedCredentials()
        for credential in credentials {
            var handshake = opening(under: credential, using: &generator)
            guard (try? handshake.read(message)) != nil else { continue }
            // The ephemeral key in it is for this session alone.
            openings[credential.kind] = nil
            firstMessages.insert(ephemeral, limit: limits.rememberedFirstMessages)
            if case .invite = credential.kind, inviteSessions >= limits.inviteSessionsMax {
                reached(.inviteSessions)
                break
            }
            guard let answer = try? handshake.write([]) else { break }
            connections[id]?.phase = .handshaking(
                Connection.Handshaking(credential: credential, handshake: handshake, reader: reader))
            effects.append(.send(id, FrameReader.frame(answer)))
            return
        }
        strangeFirstMessages.insert(ephemeral, limit: limits.rememberedFirstMessages)
        drop(id)
    }

    private var inviteSessions: Int {
        connections.values.filter {
            if case .joiner = $0.session?.standing { true } else { false }
        }.count
    }

    private mutating func continueHandshake(
        _ state: Connection.Handshaking, _ message: [UInt8], on id: ConnectionID,
        using generator: inout some RandomNumberGenerator
    ) {
        var state = state
        let isInitiator = connections[id]?.address != nil
        // The wrong key, or altered bytes, end it.
        guard (try? state.handshake.read(message)) != nil, let peerKey = state.handshake.remoteStaticKey,
            mayMeet(peerKey, under: state.credential, isInitiator: isInitiator)
        else {
            drop(id)
            return
        }
        if isInitiator {
            guard let last = try? state.handshake.write([]) else {
                drop(id)
                return
            }
            effects.append(.send(id, FrameReader.frame(last)))
        }
        let standing = standing(of: peerKey, under: state.credential, isInitiator: isInitiator)
        guard let ciphers = state.handshake.transport(), hasRoom(for: standing, of: peerKey) else {
            drop(id)
            return
        }
        let session = Session(
            role: isInitiator ? .initiator : .responder, peerKey: peerKey, begun: now.monotonic, standing: standing,
            channel: SecureChannel(ciphers, reader: state.reader))
        begin(session, on: id, using: &generator)
    }

    /// Whether to go on with whoever showed a key. Where this node dialled under an older epoch's, which somebody who is
    /// out holds too, or under a pair's, the key must be a member's: so no other learns more than that somebody dialled.
    private func mayMeet(_ key: Bytes32, under credential: Credential, isInitiator: Bool) -> Bool {
        let member = log.membership.member(agreementKey: key)
        switch credential.kind {
        case .invite: return true
        case .pair(let replica): return member?.isIn ?? false && member?.device.replica == replica
        case .epoch(let id):
            if isInitiator, id != log.newestEpoch?.id { return member?.isIn ?? false }
            return member?.isIn ?? true
        }
    }

    /// Whether there may be one more session with somebody of that standing. One that takes an older one's place may be.
    private mutating func hasRoom(for standing: Session.Standing, of key: Bytes32) -> Bool {
        let sessions = connections.values.compactMap(\.session)
        let others = sessions.filter { $0.peerKey != key }
        guard sessions.count < limits.sessionsMax || others.count < sessions.count else {
            reached(.sessions)
            return false
        }
        switch standing {
        case .member, .host: return true
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

    private func standing(of key: Bytes32, under credential: Credential, isInitiator: Bool) -> Session.Standing {
        switch credential.kind {
        case .epoch, .pair: log.membership.member(agreementKey: key).map { .member($0.device) } ?? .unproven
        case .invite(let id): isInitiator ? .host : .joiner(invite: id)
        }
    }
}
