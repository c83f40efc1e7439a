package import ChangeLog
import DeltaCRDT

// Under which secrets this node is met, and meets others.
extension SyncNode {
    /// The secrets under which sessions are accepted and names published, but for those of pairs.
    mutating func acceptedCredentials() -> [Credential] {
        guard let epoch = epochs.newest else { return [] }
        var credentials = [keyring.credential(of: epoch, using: cryptography)]
        for invite in answeredInvites() {
            guard let secret = linkSecret(of: invite) else { continue }
            credentials.append(keyring.credential(ofInviteWith: secret, id: invite.id, using: cryptography))
        }
        return credentials
    }

    /// What the link of an invite carries; nil where only the device knows that opened it for a further one.
    package func linkSecret(of opened: TripLog.OpenedInvite) -> Bytes32? {
        if opened.author == secrets.device.replica { return secrets.linkSecret(of: opened.invite, using: cryptography) }
        return opened.invite.participant == nil ? opened.secret : nil
    }

    /// The invites that are open, and the latest that are over: whoever comes by one hears that it is, and whoever was let in
    /// by its last use and did not hear of it is told again. None that a removal ended: who is out may know it; and of this person's own
    /// none that a removed person may know, until the person here was asked.
    mutating func answeredInvites() -> [TripLog.OpenedInvite] {
        // Named here: a closure that asks this node copies it.
        let (own, device, time, limits) = (secrets.device.participant, secrets.device.replica, now.wall, limits)
        let (log, local) = (log, local)
        return keyring.answeredInvites(of: log, at: time) { all in
            // A further device is let in by the one alone that opened the invite for it.
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

    /// The open invites of this person's about which the person here is asked, the earliest first: a removed person may know them.
    package var invitesInQuestion: [(opened: TripLog.OpenedInvite, exposure: TripLog.Exposure)] {
        log.invites.compactMap { opened in
            guard opened.isOpen(at: now.wall), let exposure = local.question(about: opened, in: log) else { return nil }
            return (opened, exposure)
        }
    }

    /// Of open invites, as they were opened, as many as are answered at once: the latest of each person, then the latest but
    /// one of each, so that nobody's keep out everybody else's. One's own come first, then those of people nearer to the founder:
    /// so neither do those of many puppets.
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
        let chosen = rounds.sorted { ($0.round, $0.depth, $1.invite.place) < ($1.round, $1.depth, $0.invite.place) }
        return chosen.prefix(limit).map(\.invite).sorted { $0.place < $1.place }
    }

    /// The secrets under which this node dials, the newest first: under an older one a member is found who was away,
    /// and who shows who they are before this node does.
    mutating func diallingCredentials() -> [Credential] {
        guard isMember else { return [joining.map { inviteCredential($0) }].compactMap { $0 } }
        var credentials: [Credential] = []
        for epoch in epochs.held { credentials.append(keyring.credential(of: epoch, using: cryptography)) }
        return credentials
    }

    mutating func inviteCredential(_ attempt: JoinAttempt) -> Credential {
        keyring.credential(ofInviteWith: attempt.invitation.link.secret, using: cryptography)
    }

    /// The secret under which to dial an address now.
    ///
    /// Where a name told of it, the key that made the name. Else the newest epoch's; and unless it is that, in turn what
    /// this device shares with whoever was met there, or with each member that is not met: they may have gone on to
    /// another epoch.
    mutating func diallingCredential(for address: PeerAddress) -> Credential? {
        let entry = discovery.addresses.entries[address]
        let named = entry?.instance.flatMap { discovery.names.credential(of: $0) }
        // None where the address was forgotten, and heard of again, while it was dialled.
        let attempts = entry?.attempts ?? 0
        let newest = diallingCredentials().first
        if let named, named == newest { return named }
        // A person who waits asks too: members tell them the answer under what the two share alone.
        let isWaiting = log.person(secrets.device.participant)?.standing == .waits
        guard log.isIn(secrets.device.replica) || isWaiting, attempts > 0, attempts.isMultiple(of: 2) else {
            return named ?? newest
        }
        if let replica = entry?.replica, let device = log.device(replica), log.isIn(replica) {
            return pair(with: device) ?? named ?? newest
        }
        var unmet = Array(unmetMembers.prefix(limits.pairsTriedMax))
        // A copy of this device may have begun an epoch of its own, whether or not another is met.
        if log.mayEpochsDiffer { unmet.append(secrets.device) }
        guard !unmet.isEmpty else { return named ?? newest }
        return pair(with: unmet[(attempts / 2 - 1) % unmet.count]) ?? named ?? newest
    }

    /// The members' devices that there is no session with, but for this one.
    var unmetMembers: [Device] { unmet(of: log.membersWithNode) }

    /// The devices that there is no session with, but for this one. O(devices, connections).
    func unmet(of devices: [Device]) -> [Device] {
        let met = connections.metReplicas
        return devices.filter { $0 != secrets.device && !met.contains($0.replica) }
    }

    /// What this device shares with another; nil where the other's key is weak.
    mutating func pair(with device: Device) -> Credential? {
        keyring.credential(pairing: secrets, with: device, limit: limits.pairsMax, using: cryptography)
    }

    /// Whether a device may still be told that it is out, or that it was ended. The time is what the author of the removal wrote,
    /// and may be any number.
    func isStillTold(_ replica: ReplicaID) -> Bool {
        log.departure(of: replica).map { $0.wallTime > now.wall - Departures.tellingDuration }
            ?? false
    }

    /// The secret that a first message is under, as its selector says.
    mutating func credential(selectedBy message: [UInt8], greeting: [UInt8]) -> Credential? {
        let (selector, rest) = (message.prefix(FirstMessage.selectorSize), message.dropFirst(FirstMessage.selectorSize))
        func selects(_ credential: Credential) -> Bool {
            selector.elementsEqual(
                FirstMessage.selector(of: rest, greeting: greeting, under: credential, using: settings.cryptography))
        }
        if let credential = acceptedCredentials().first(where: selects) { return credential }
        guard isMember else { return nil }
        // Of one's own device there may be a copy.
        let members = log.membersWithNode
        for (index, device) in (members + log.devicesOutside).prefix(limits.pairsMax).enumerated() {
            guard keyring.mayLookUp(at: now.monotonic, limit: limits.pairLookupsMax) else {
                reached(.pairLookups)
                return nil
            }
            guard let credential = pair(with: device), selects(credential) else { continue }
            return index < members.count || isStillTold(device.replica) ? credential : nil
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
