import ChangeLog

// Discovery is a hint. Instance names are published and recognized here; the shell finds and resolves them.
extension SyncNode {
    /// Publishes a name for every credential under which this node is met: new ones where names are over or `anew`, at a new
    /// port where there may be one.
    mutating func publish(anew: Bool, using generator: inout some RandomNumberGenerator) {
        guard let port = discovery.publication.port else { return }
        let epoch = epochs.newest.map { keyring.credential(of: $0, using: cryptography) }
        let isOver = discovery.publication.isOver(for: epoch, at: now.monotonic)
        if !anew, !isOver, discovery.publication.rests(at: log.membershipVersion, now: now.monotonic, limits: limits) {
            return
        }
        let credentials = acceptedCredentials() + doubtfulPairs()
        if anew || isOver {
            if discovery.publication.awaitsPort(at: now.monotonic) { return }
            // Joiners with an open invite of this device use the port in its link.
            if !hasOwnOpenInvite, discovery.publication.asksForPort(at: now.monotonic, limits: limits) {
                turn.effects.append(.renewPort)
                return
            }
        }
        publish(credentials, at: port, anew: anew, using: &generator)
    }

    /// The transport accepts connections at a port: all names are new, for those before are of another.
    mutating func listens(at port: UInt16, isRenewable: Bool, using generator: inout some RandomNumberGenerator) {
        let isOther = discovery.publication.port.map { $0 != port } ?? false
        discovery.publication.listens(at: port, isRenewable: isRenewable)
        publish(acceptedCredentials() + doubtfulPairs(), at: port, anew: true, using: &generator)
        if isOther { tellOfPort() }
    }

    private mutating func publish(
        _ credentials: [Credential], at port: UInt16, anew: Bool, using generator: inout some RandomNumberGenerator
    ) {
        let isRenewed = discovery.publication.renew(
            for: credentials, at: port, anew: anew, now: now.monotonic, limits: limits, using: &generator, cryptography)
        if isRenewed { turn.effects.append(.advertise(discovery.publication.advertisements)) }
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
    private mutating func doubtfulPairs() -> [Credential] {
        guard isMember ? log.mayEpochsDiffer : isLetIn && !log.isOut(secrets.device.replica) else { return [] }
        let doubtful = isMember ? unmet(of: epochs.doubtful(in: log)) : unmetMembers
        let others = doubtful.dropFirst(limits.steadyPairNames)
        let turn = Int((discovery.publication.renewal ?? 0) / max(1, limits.instanceDuration))
        let next = others.isEmpty ? [] : [others[others.startIndex + turn % others.count]]
        return (copies + doubtful.prefix(limits.steadyPairNames) + next).compactMap { pair(with: $0) }
    }

    /// The key that made a name, if it leads to a member: the newest epoch's, an older one's if a member was away, or a pair's if others
    /// may have an epoch that this node does not know. A device that is in without a secret knows only those of pairs. Names may be many,
    /// so each is compared with the pairs of only some members.
    private mutating func maker(of name: InstanceName) -> Credential? {
        let epochs = diallingCredentials()
        if let maker = epochs.first(where: { name.isMade(with: $0, using: cryptography) }) { return maker }
        guard isMember || isLetIn else { return nil }
        for device in copies + unmetMembers.prefix(limits.namedPairsMax) {
            guard let maker = pair(with: device), name.isMade(with: maker, using: cryptography) else { continue }
            return maker
        }
        return nil
    }

    mutating func appeared(_ instance: String, using generator: inout some RandomNumberGenerator) {
        guard !discovery.names.contains(instance), let name = InstanceName(instance),
            !discovery.publication.isOwn(name)
        else { return }
        let maker = maker(of: name)
        if maker == nil, discovery.names.unknownCount >= limits.instancesMax {
            reached(.instances)
            return
        }
        if maker != nil {
            guard makeRoom(using: &generator) else { return }
            hold(instance)
        }
        discovery.names.insert(instance, madeBy: maker, at: now.monotonic, limits: limits)
    }

    /// A name leads to a member of this trip. It stays, for any number of other names.
    private mutating func hold(_ instance: String) {
        turn.effects.append(.hold(instance: instance))
        if isCrowded { discovery.topology.hasNews = true }
    }

    /// Looks again at the names that are present, after a new secret came.
    mutating func recogniseAnew() {
        let unknown = discovery.names.unknown
        for instance in unknown {
            guard let name = InstanceName(instance), let credential = maker(of: name) else { continue }
            let found = discovery.names.recognise(instance, as: credential)
            hold(instance)
            believe(found, of: instance, made: name, by: credential)
        }
    }

    mutating func disappeared(_ instance: String) {
        if discovery.names.remove(instance) { discovery.addresses.forget(instance: instance) }
    }

    mutating func resolved(_ instance: String, _ found: [ServiceAddress]) {
        guard !found.isEmpty else {
            discovery.names.unanswered(instance, at: now.monotonic, limits: limits)
            return
        }
        guard let credential = discovery.names.credential(of: instance), let name = InstanceName(instance) else {
            discovery.names.keep(found, of: instance)
            return
        }
        believe(found, of: instance, made: name, by: credential)
    }

    /// Takes the addresses behind a name that its maker stated. A node that copies a name can't add its own address.
    private mutating func believe(
        _ found: [ServiceAddress], of instance: String, made name: InstanceName, by maker: Credential
    ) {
        for service in found.prefix(limits.resolvedAddressesMax) {
            guard let tag = name.addressTag(of: service.address, maker, using: cryptography),
                service.tags.contains(tag),
                // Said again it is no news.
                discovery.addresses.entries[service.address]?.instance != instance
            else { continue }
            discovery.addresses.add(service.address, instance: instance, isNamed: false, at: now.monotonic)
        }
    }

    /// Looks up addresses of names that are due: as many as allowed, chosen at random.
    mutating func lookUpNames(using generator: inout some RandomNumberGenerator) {
        var due = discovery.names.due(at: now.monotonic)
        while !due.isEmpty, discovery.lookups.take(at: now.monotonic, limits: limits) {
            let instance = due.remove(at: Int(number(below: UInt64(due.count), using: &generator)))
            discovery.names.lookedUp(instance, at: now.monotonic, limits: limits)
            turn.effects.append(.resolve(instance: instance))
        }
    }

    /// When there is a name to look up.
    var nextLookup: UInt64? {
        discovery.names.nextLookup.map { max($0, discovery.lookups.next(after: now.monotonic, limits: limits)) }
    }
}
