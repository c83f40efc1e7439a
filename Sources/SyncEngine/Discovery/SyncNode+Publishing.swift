import ChangeLog

// Discovery is a hint. Instance names are published here, and the shell publishes, finds and resolves them.
extension SyncNode {
    /// Publishes a name for every credential under which this node is met: new ones where names are over or `anew`, at a new
    /// port where there may be one.
    mutating func publish(anew: Bool, using generator: inout some RandomNumberGenerator) {
        guard let port = publication.port else { return }
        let epoch = epochs.newest.map { keyring.credential(of: $0, using: cryptography) }
        let isOver = publication.isOver(for: epoch, at: now.monotonic)
        if publication.rests(
            for: epoch, at: log.membershipVersion, unless: anew || isOver, now: now.monotonic, limits: limits)
        {
            return
        }
        let credentials = acceptedCredentials() + pairsThatMayLackEpoch()
        if anew || isOver {
            if publication.awaitsPort(at: now.monotonic) { return }
            // Joiners with an open invite of this device use the port in its link.
            if !hasOwnOpenInvite, publication.asksForPort(at: now.monotonic, limits: limits) {
                turn.effects.append(.renewPort)
                return
            }
        }
        publish(credentials, at: port, anew: anew, using: &generator)
    }

    /// The transport accepts connections at a port: all names are new, for those before are of another.
    mutating func listens(at port: UInt16, isRenewable: Bool, using generator: inout some RandomNumberGenerator) {
        let isOther = publication.port.map { $0 != port } ?? false
        publication.listens(at: port, isRenewable: isRenewable)
        publish(acceptedCredentials() + pairsThatMayLackEpoch(), at: port, anew: true, using: &generator)
        if isOther { tellOfPort() }
    }

    private mutating func publish(
        _ credentials: [Credential], at port: UInt16, anew: Bool, using generator: inout some RandomNumberGenerator
    ) {
        let isRenewed = publication.renew(
            for: credentials, at: port, anew: anew, now: now.monotonic, limits: limits, using: &generator, cryptography)
        if isRenewed { turn.effects.append(.advertise(publication.advertisements)) }
    }

    private var hasOwnOpenInvite: Bool {
        mutating get {
            let (own, time) = (secrets.device.replica, now.wall)
            return keyring.invites(of: log).contains { $0.author == own && $0.isOpen(at: time) }
        }
    }

    /// The pairs' secrets for members who may lack the newest epoch's secret and have no session: the first always, and one of the
    /// others, which changes whenever names are made again. And that for a copy of this device. A device that is in without a secret
    /// has these for all members.
    private mutating func pairsThatMayLackEpoch() -> [Credential] {
        guard isMember ? log.mayEpochsDiffer : isLetIn && !log.isOut(secrets.device.replica) else { return [] }
        let mayLackEpoch = isMember ? unmet(of: epochs.mayLackEpoch(in: log)) : unmetMembers
        let others = mayLackEpoch.dropFirst(limits.steadyPairwiseNames)
        let turn = Int((publication.renewal ?? 0) / max(1, limits.instanceDuration))
        let next = others.isEmpty ? [] : [others[others.startIndex + turn % others.count]]
        return (copies + mayLackEpoch.prefix(limits.steadyPairwiseNames) + next).compactMap { pair(with: $0) }
    }
}
