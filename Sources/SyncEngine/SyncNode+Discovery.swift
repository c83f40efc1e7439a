import ChangeLog

// Discovery is a hint: instance names are published and recognised here, found and resolved by the shell.
extension SyncNode {
    /// What is published now.
    struct Publication: Sendable {
        var names: [(credential: Credential, name: InstanceName, hostLabel: String)] = []
        /// When new names are due.
        var renewal: UInt64?
        /// Nonces of names that were published before, for they may still be seen.
        var ownNonces = BoundedMemory<[UInt8]>()
    }

    /// Publishes a name for every accepted credential: new ones where asked or due, else only what is missing.
    mutating func publish(anew: Bool, using generator: inout some RandomNumberGenerator) {
        guard let port else { return }
        let isDue = publication.renewal.map { $0 <= now.monotonic } ?? true
        let credentials = acceptedCredentials()
        if !anew, !isDue, credentials == publication.names.map(\.credential) { return }
        // With a new epoch every name is new: one that stayed would tell who is behind the others.
        let hasNewEpoch = publication.names.first.map { $0.credential != credentials.first } ?? true
        if anew || isDue || hasNewEpoch {
            publication.names = []
            publication.renewal = now.monotonic + limits.instanceDuration
        }
        publication.names = credentials.map { credential in
            if let kept = publication.names.first(where: { $0.credential == credential }) { return kept }
            let name = InstanceName(credential: credential, nonce: generator.next(), using: cryptography)
            publication.ownNonces.insert(name.nonce, limit: limits.rememberedInstances)
            // A host of its own for every name, for a host can be published once.
            return (credential, name, Base32.encode(Bytes32.random(using: &generator).bytes.prefix(8)))
        }
        effects.append(
            .advertise(
                publication.names.map {
                    Advertisement(instance: $0.name.text, hostLabel: $0.hostLabel, port: port)
                }))
    }

    /// What is known of an instance name that is present.
    enum Recognition: Sendable {
        /// Made with a key that this node dials under.
        case ours(Credential)
        /// Made with no key that is here, so far.
        case foreign
        /// As before, and looked at nevertheless: it may be a member's who has gone on to another epoch.
        case guessed

        var isOurs: Bool {
            guard case .ours = self else { return false }
            return true
        }
    }

    /// A name of ours behind which no address was found, or none at which anybody was met: a link was down, a packet was
    /// lost, or somebody else answered.
    struct Unanswered: Sendable {
        /// When to ask again.
        var due: UInt64
        var backoff: Backoff
        /// Whether there are addresses, and nobody was met there.
        let isDoubted: Bool
    }

    /// An address that a name led to was dialled in vain: after a few attempts the name is looked up again, less and less
    /// often, for another may have answered for whoever published it.
    mutating func doubt(_ address: PeerAddress) {
        guard let entry = addresses.entries[address], entry.attempts >= limits.doubtedAttempts,
            let instance = entry.instance, instances[instance]?.isOurs ?? false,
            unanswered[instance]?.due ?? .max == .max
        else { return }
        askLater(for: instance, within: limits.doubtDelayMax, isDoubted: true)
    }

    private mutating func askLater(for instance: String, within longest: UInt64, isDoubted: Bool) {
        var backoff = unanswered[instance]?.backoff ?? Backoff(first: limits.resolveDelayMin)
        let due = now.monotonic + backoff.next(upTo: longest)
        unanswered[instance] = Unanswered(due: due, backoff: backoff, isDoubted: isDoubted)
    }

    /// Asks again for addresses that nobody had. Discovery itself says a name once, for as long as it is published.
    mutating func askAgain() {
        guard !unanswered.isEmpty else { return }
        for instance in unanswered.keys.sorted() {
            guard let due = unanswered[instance]?.due, due <= now.monotonic else { continue }
            guard instances[instance] != nil else {
                unanswered[instance] = nil
                continue
            }
            // The answer sets the next time; until it comes, nothing is asked.
            unanswered[instance]?.due = .max
            // A crowd has others to dial: a doubt is no news to it.
            if isCrowded, unanswered[instance]?.isDoubted ?? false {
                overlay.unresolved.insert(instance)
            } else {
                consider(instance)
            }
        }
    }

    mutating func appeared(_ instance: String, using generator: inout some RandomNumberGenerator) {
        guard instances[instance] == nil, !departed.contains(instance), let name = InstanceName(instance),
            !publication.ownNonces.contains(name.nonce)
        else { return }
        if let credential = maker(of: name) {
            guard makeRoom(using: &generator) else { return }
            instances[instance] = .ours(credential)
            consider(instance)
        } else if instances.count < limits.instancesMax {
            instances[instance] = .foreign
            guess()
        } else {
            reached(.instances)
        }
    }

    /// Where members were taken out in two places at once, each side has gone on to an epoch that the other does not
    /// know: then members may be behind names that say nothing here.
    private mutating func guess() {
        guard case .member = role, log.membership.countingRemovals.count > 0,
            log.membership.isIn(secrets.device.replica),
            log.membership.membersWithNode.contains(where: { !isMet($0.device.replica) && $0.device != secrets.device })
        else { return }
        var guessed = instances.values.count {
            if case .guessed = $0 { true } else { false }
        }
        for instance in instances.keys.sorted() where guessed < limits.guessedInstancesMax {
            guard case .foreign = instances[instance] else { continue }
            instances[instance] = .guessed
            guessed += 1
            effects.append(.resolve(instance: instance))
        }
    }

    /// Looks again at the names that are present, after a new secret came.
    mutating func recogniseAnew() {
        for instance in instances.keys.sorted() {
            if case .ours = instances[instance] { continue }
            guard let name = InstanceName(instance), let credential = maker(of: name) else { continue }
            instances[instance] = .ours(credential)
            consider(instance)
        }
        guess()
    }

    /// The key that made a name: the newest epoch's, or an older one's where a member was away.
    private func maker(of name: InstanceName) -> Credential? {
        diallingCredentials.first { name.isMade(with: $0, using: cryptography) }
    }

    mutating func disappeared(_ instance: String) {
        guard let recognition = instances.removeValue(forKey: instance) else { return }
        if case .foreign = recognition { return }
        overlay.unresolved.remove(instance)
        unanswered[instance] = nil
        departed.insert(instance, limit: limits.rememberedInstances)
        addresses.forget(instance: instance)
        guard recognition.isOurs else { return }
        // One that says nothing may lead to the same place, and was no news while this one did.
        for other in instances.keys.sorted() {
            if case .guessed = instances[other] { effects.append(.resolve(instance: other)) }
        }
    }

    mutating func resolved(_ instance: String, _ found: [PeerAddress]) {
        switch instances[instance] {
        case .ours, .guessed: break
        case .foreign, nil: return
        }
        guard !found.isEmpty else {
            askLater(for: instance, within: limits.resolveDelayMax, isDoubted: false)
            return
        }
        if unanswered[instance]?.isDoubted ?? false, found.prefix(16).allSatisfy({ isNamed($0) }) {
            // Nothing else was said: what was planned holds.
            unanswered[instance]?.due = .max
            return
        }
        unanswered[instance] = nil
        let isOurs = instances[instance]?.isOurs ?? false
        for address in found.prefix(16) {
            // A name that says nothing hides none that says by which key whoever is there is to be dialled.
            addresses.add(address, instance: isOurs || !isNamed(address) ? instance : nil, at: now.monotonic)
        }
    }

    /// Whether a name of ours that is present leads to an address.
    private func isNamed(_ address: PeerAddress) -> Bool {
        addresses.entries[address]?.instance.flatMap { instances[$0] }?.isOurs ?? false
    }
}
