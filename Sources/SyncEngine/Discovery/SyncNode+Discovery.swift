import ChangeLog

// Discovery is a hint: instance names are published and recognised here, found and resolved by the shell.
extension SyncNode {
    /// Publishes a name for every credential under which this node is met.
    mutating func publish(anew: Bool, using generator: inout some RandomNumberGenerator) {
        guard let port = discovery.publication.port else { return }
        let credentials = acceptedCredentials() + doubtfulPairs()
        let isRenewed = discovery.publication.renew(
            for: credentials, at: port, anew: anew, now: now.monotonic, limits: limits, using: &generator, cryptography)
        if isRenewed { turn.effects.append(.advertise(discovery.publication.advertisements)) }
    }

    /// What this device shares with members who need not hold the newest epoch's secret, and are not met: a few at a time,
    /// others each time that names are made anew.
    private mutating func doubtfulPairs() -> [Credential] {
        guard isMember, log.hasRemovals else { return [] }
        let doubtful = epochs.doubtful(among: unmetMembers, in: log)
        guard !doubtful.isEmpty else { return [] }
        let first = Int((discovery.publication.renewal ?? 0) / max(1, limits.instanceDuration)) % doubtful.count
        return (0..<min(limits.pairNamesMax, doubtful.count))
            .compactMap { pair(with: doubtful[(first * limits.pairNamesMax + $0) % doubtful.count]) }
    }

    /// The keys that names may be made with which lead to members: the newest epoch's, older ones' where a member was away, and
    /// those of pairs, where others have gone on to an epoch that this node has not heard of.
    private mutating func nameCredentials() -> [Credential] {
        var credentials = diallingCredentials()
        guard isMember else { return credentials }
        for device in unmetMembers.prefix(limits.pairsTriedMax) {
            if let credential = pair(with: device) { credentials.append(credential) }
        }
        return credentials
    }

    private mutating func maker(of name: InstanceName) -> Credential? {
        nameCredentials().first { name.isMade(with: $0, using: cryptography) }
    }

    mutating func appeared(_ instance: String, using generator: inout some RandomNumberGenerator) {
        guard !discovery.names.contains(instance), !discovery.names.hasDeparted(instance),
            let name = InstanceName(instance), !discovery.publication.isOwn(name)
        else { return }
        if let credential = maker(of: name) {
            guard makeRoom(using: &generator) else { return }
            discovery.names.insert(instance, madeBy: .credential(credential))
            resolveOrDefer(instance)
        } else if discovery.names.count < limits.instancesMax {
            discovery.names.insert(instance, madeBy: .unknown)
        } else {
            reached(.instances)
        }
    }

    /// Looks again at the names that are present, after a new secret came.
    mutating func recogniseAnew() {
        let unknown = discovery.names.makers.keys.filter { discovery.names.credential(of: $0) == nil }.sorted()
        guard !unknown.isEmpty else { return }
        let credentials = nameCredentials()
        for instance in unknown {
            guard let name = InstanceName(instance),
                let credential = credentials.first(where: { name.isMade(with: $0, using: cryptography) })
            else { continue }
            discovery.names.insert(instance, madeBy: .credential(credential))
            resolveOrDefer(instance)
        }
    }

    mutating func disappeared(_ instance: String) {
        guard discovery.names.depart(instance, limit: limits.rememberedInstances) else { return }
        discovery.topology.unresolved.remove(instance)
        discovery.addresses.forget(instance: instance)
    }

    mutating func resolved(_ instance: String, _ found: [ServiceAddress]) {
        guard let credential = discovery.names.credential(of: instance), let name = InstanceName(instance) else {
            return
        }
        // Whoever repeats a name, and not from where it was made, cannot say where they are.
        let named = found.prefix(limits.resolvedAddressesMax).filter {
            name.addressTag(of: $0.address, credential, using: cryptography).map($0.tags.contains) ?? false
        }.map(\.address)
        guard !named.isEmpty else {
            discovery.names.retry(
                instance, from: limits.resolveDelayMin, within: limits.resolveDelayMax, isStale: false,
                at: now.monotonic)
            return
        }
        if discovery.names.isStale(instance), named.allSatisfy({ isNamed($0) }) {
            discovery.names.isUnchanged(instance)
            return
        }
        discovery.names.resolved(instance)
        for address in named {
            discovery.addresses.add(address, instance: instance, isNamed: false, at: now.monotonic)
        }
    }

    /// Whether a name that is present leads to an address.
    private func isNamed(_ address: PeerAddress) -> Bool {
        discovery.addresses.entries[address]?.instance.map { discovery.names.credential(of: $0) != nil } ?? false
    }

    /// An address that a name led to was dialled in vain: after a few attempts the name is looked up again, less and less
    /// often, for another may have answered for whoever published it.
    mutating func suspectStale(_ address: PeerAddress) {
        guard let entry = discovery.addresses.entries[address], entry.attempts >= limits.staleAttempts,
            let instance = entry.instance, discovery.names.credential(of: instance) != nil,
            !discovery.names.isRetried(instance)
        else { return }
        discovery.names.retry(
            instance, from: limits.resolveDelayMin, within: limits.staleDelayMax, isStale: true, at: now.monotonic)
    }

    /// Asks again for addresses that nobody had. Discovery itself says a name once, for as long as it is published.
    mutating func retryUnresolved() {
        for instance in discovery.names.takeDue(at: now.monotonic) {
            // A crowd has others to dial: a stale address is no news to it.
            if isCrowded, discovery.names.isStale(instance) {
                discovery.topology.unresolved.insert(instance)
            } else {
                resolveOrDefer(instance)
            }
        }
    }
}
