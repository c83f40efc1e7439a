package import ChangeLog
import DeltaCRDT

// The secrets under which this node accepts sessions, and dials others.
extension SyncNode {
    /// The secrets under which sessions are accepted and names published, except those of pairs.
    mutating func acceptedCredentials() -> [Credential] {
        guard let epoch = epochs.newest else { return [] }
        var credentials = [keyring.credential(of: epoch, using: cryptography)]
        for invite in answeredInvites() {
            guard let secret = linkSecret(of: invite) else { continue }
            credentials.append(keyring.credential(ofInviteWith: secret, id: invite.id, using: cryptography))
        }
        return credentials
    }

    /// The secret in an invite's link; nil if only the device knows it that opened the invite for a further device.
    package func linkSecret(of opened: TripLog.OpenedInvite) -> Bytes32? {
        if opened.author == secrets.device.replica { return secrets.linkSecret(of: opened.invite, using: cryptography) }
        return opened.invite.participant == nil ? opened.secret : nil
    }

    /// The open invites, and the latest ended ones. A joiner with an ended invite is told that it has ended, and a device admitted
    /// by its last use is answered again. Invites that a removal ended are left out, because a removed person may know them. So are
    /// this person's own invites that a removed person may know, until the person here has answered.
    mutating func answeredInvites() -> [TripLog.OpenedInvite] {
        // Named here: a closure that asks this node copies it.
        let (own, device, time, limits) = (secrets.device.participant, secrets.device.replica, now.wall, limits)
        let (log, local) = (log, local)
        return keyring.answeredInvites(of: log, at: time) { all in
            // Only the device that opened an invite for a further device admits that device.
            let known = all.filter {
                $0.ending != .knownOutside && ($0.invite.participant == nil || $0.author == device)
                    && local.question(about: $0, in: log) == nil
            }
            let over = known.filter { !$0.isOpen(at: time) }
            let open = Self.sharedOut(
                known.filter { $0.isOpen(at: time) }, limit: limits.openInvitesMax, preferring: own, in: log)
            return open + over.suffix(limits.endedInvitesMax)
        }
    }

    /// This person's open invites that a removed person may know, so the person here is asked about them; the earliest first.
    package var invitesInQuestion: [(opened: TripLog.OpenedInvite, exposure: TripLog.Exposure)] {
        log.invites.compactMap { opened in
            guard opened.isOpen(at: now.wall), let exposure = local.question(about: opened, in: log) else { return nil }
            return (opened, exposure)
        }
    }

    /// The open invites that are answered at the same time: the latest of each person, then the latest but one of each, so that
    /// nobody's invites crowd out everybody else's. This person's own come first, then those of people nearer to the founder, so
    /// that the invites of many puppets don't either.
    private static func sharedOut(
        _ open: [TripLog.OpenedInvite], limit: Int, preferring own: Bytes32, in log: TripLog
    ) -> [TripLog.OpenedInvite] {
        guard open.count > limit else { return open }
        var counts: [Bytes32: Int] = [:]
        let rounds = open.reversed().map { invite in
            let person = log.device(invite.author)?.participant
            let round = person.map { counts[$0, default: 0] } ?? .max
            if let person { counts[person] = round + 1 }
            let depth = person == own ? -1 : person.flatMap { log.person($0)?.depth } ?? .max
            return (round: round, depth: depth, invite: invite)
        }
        let chosen = rounds.sorted { ($0.round, $0.depth, $1.invite.index) < ($1.round, $1.depth, $0.invite.index) }
        return chosen.prefix(limit).map(\.invite).sorted { $0.index < $1.index }
    }

    /// The secrets under which this node dials, the newest first. An older secret finds a member who was away, and who
    /// shows their key before this node does.
    mutating func diallingCredentials() -> [Credential] {
        guard isMember else { return [joiningCredential].compactMap { $0 } }
        var credentials: [Credential] = []
        for epoch in epochs.dialled { credentials.append(keyring.credential(of: epoch, using: cryptography)) }
        return credentials
    }

    /// The key of the invite by which this device joins; nil once its log says that the invite has ended, for then the link leads to
    /// nobody who could help, and perhaps to a removed person.
    private var joiningCredential: Credential? {
        mutating get {
            guard let attempt = joining else { return nil }
            let id = attempt.invitation.link.inviteID(using: cryptography)
            return log.invite(id)?.ending == nil ? inviteCredential(attempt) : nil
        }
    }

    mutating func inviteCredential(_ attempt: JoinAttempt) -> Credential {
        keyring.credential(ofInviteWith: attempt.invitation.link.secret, using: cryptography)
    }

    /// The secret under which to dial an address now.
    ///
    /// If a name led to the address, the key that made the name. Otherwise the newest epoch's key, and in turn the secrets that
    /// this device shares with the member last met there, or with each member without a session, because they may have
    /// another epoch.
    mutating func diallingCredential(for address: PeerAddress) -> Credential? {
        let trace = dialer.trace(of: address)
        let (named, attempts) = (trace.maker, trace.attempts)
        let newest = diallingCredentials().first
        if let named, named == newest { return named }
        // A person who waits asks too. Members answer under the secret that only the two devices share.
        let isWaiting = log.person(secrets.device.participant)?.state == .waits
        guard log.isIn(secrets.device.replica) || isWaiting, attempts > 0, attempts.isMultiple(of: 2) else {
            return named ?? newest
        }
        if let replica = trace.replica, let device = log.device(replica), log.isIn(replica) {
            return pair(with: device) ?? named ?? newest
        }
        let unmet = unmetMembers + copies
        guard !unmet.isEmpty else { return named ?? newest }
        return pair(with: unmet[(attempts / 2 - 1) % unmet.count]) ?? named ?? newest
    }

    /// The members' devices without a session, except this one, in the turns of their branches.
    var unmetMembers: [Device] {
        mutating get { unmet(of: epochs.membersInTurn(in: log)) }
    }

    /// This device, if a copy of it may have begun an epoch of its own, whether or not another copy is met.
    var copies: [Device] { log.mayEpochsDiffer ? [secrets.device] : [] }

    /// The devices without a session, except this one. O(devices, connections).
    func unmet(of devices: [Device]) -> [Device] {
        let met = table.metReplicas
        return devices.filter { $0 != secrets.device && !met.contains($0.replica) }
    }

    /// The secret that this device shares with another; nil if the other's key is weak.
    mutating func pair(with device: Device) -> Credential? {
        keyring.credential(pairing: secrets, with: device, limit: limits.pairsMax, using: cryptography)
    }

    /// The secret that a first message is under, as its selector says.
    mutating func credential(selectedBy message: [UInt8], serverNonce: [UInt8]) -> Credential? {
        let (selector, rest) = (message.prefix(FirstMessage.selectorSize), message.dropFirst(FirstMessage.selectorSize))
        func selects(_ credential: Credential) -> Bool {
            selector.elementsEqual(
                FirstMessage.selector(
                    of: rest, serverNonce: serverNonce, under: credential, using: settings.cryptography))
        }
        if let credential = acceptedCredentials().first(where: selects) { return credential }
        guard isMember || isLetIn else { return nil }
        // Of one's own device there may be a copy.
        let members = epochs.membersInTurn(in: log)
        for (index, device) in (members + log.devicesOutside).prefix(limits.pairsMax).enumerated() {
            guard keyring.mayLookUp(at: now.monotonic, limit: limits.pairLookupsMax) else {
                reached(.pairLookups)
                return nil
            }
            guard let credential = pair(with: device), selects(credential) else { continue }
            let mayCall = index < members.count || membership.isStillTold(device.replica, in: log, at: now.wall)
            return mayCall ? credential : nil
        }
        return nil
    }
}

extension LocalDevice {
    /// Why a removed person may know an invite of this person's; nil where none does, or the person here said that the invite stays open.
    func question(about opened: TripLog.OpenedInvite, in log: TripLog) -> TripLog.Exposure? {
        guard !keptInvites.contains(opened.id), log.device(opened.author)?.participant == secrets.device.participant
        else { return nil }
        return log.exposure(of: opened)
    }
}
