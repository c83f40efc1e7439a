import ChangeLog

/// The names under which this node is published.
struct Publication: Sendable {
    /// Where the transport accepts connections; nil while it does not.
    var port: UInt16?
    private(set) var names: [Published] = []
    /// When new names are due; nil before the first.
    private(set) var renewal: UInt64?
    /// Nonces of names that were published before, for they may still be seen.
    private var ownNonces = BoundedMemory<[UInt8]>()

    struct Published: Sendable {
        let credential: Credential
        let name: InstanceName
        /// Of a host of its own for every name, for a host can be published once.
        let hostLabel: String
    }

    /// Whether a name is one of this node's own.
    func isOwn(_ name: InstanceName) -> Bool { ownNonces.contains(name.nonce) }

    /// Makes a name for every credential: new ones where asked or due, else only what is missing.
    /// - Returns: whether what is published is something else now.
    mutating func renew(
        for credentials: [Credential], anew: Bool, at now: UInt64, limits: SessionLimits,
        using generator: inout some RandomNumberGenerator, _ cryptography: some Cryptography
    ) -> Bool {
        let isDue = renewal.map { $0 <= now } ?? true
        if !anew, !isDue, credentials == names.map(\.credential) { return false }
        // With a new epoch every name is new: one that stayed would tell who is behind the others.
        let hasNewEpoch = names.first.map { $0.credential != credentials.first } ?? true
        if anew || isDue || hasNewEpoch {
            names = []
            renewal = now + limits.instanceDuration
        }
        var renewed: [Published] = []
        for credential in credentials {
            if let kept = names.first(where: { $0.credential == credential }) {
                renewed.append(kept)
                continue
            }
            let name = InstanceName(credential: credential, nonce: generator.next(), using: cryptography)
            ownNonces.insert(name.nonce, limit: limits.rememberedInstances)
            renewed.append(
                Published(
                    credential: credential, name: name,
                    hostLabel: Base32.encode(Bytes32.random(using: &generator).bytes.prefix(8))))
        }
        names = renewed
        return true
    }
}
