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
        if anew || isDue {
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
        /// Made with the key that this node dials under.
        case ours
        /// Made with no key that is here, so far.
        case foreign
    }

    mutating func appeared(_ instance: String) {
        guard instances[instance] == nil, !departed.contains(instance), let name = InstanceName(instance),
            !publication.ownNonces.contains(name.nonce)
        else { return }
        if isRecognised(name) {
            instances[instance] = .ours
            effects.append(.resolve(instance: instance))
        } else if instances.count < limits.instancesMax {
            instances[instance] = .foreign
        }
    }

    /// Looks again at the names that are present, after a new secret came.
    mutating func recogniseAnew() {
        for instance in instances.keys.sorted() where instances[instance] == .foreign {
            guard let name = InstanceName(instance), isRecognised(name) else { continue }
            instances[instance] = .ours
            effects.append(.resolve(instance: instance))
        }
    }

    private func isRecognised(_ name: InstanceName) -> Bool {
        diallingCredential.map { name.isMade(with: $0, using: cryptography) } ?? false
    }

    mutating func disappeared(_ instance: String) {
        guard let recognition = instances.removeValue(forKey: instance) else { return }
        guard recognition == .ours else { return }
        departed.insert(instance, limit: limits.rememberedInstances)
        addresses.forget(instance: instance)
    }

    mutating func resolved(_ instance: String, _ found: [PeerAddress]) {
        guard instances[instance] == .ours else { return }
        for address in found.prefix(16) { addresses.add(address, instance: instance, at: now.monotonic) }
    }
}
