import DeltaCRDT

/// The opening of an invite, as it stands in a change. Members read its seed here, so that any of them can let the joiner in.
package struct Invite: Hashable, Sendable {
    /// Random.
    package let seed: Bytes32
    /// How many devices may come by it, from 1 to `ChangeBounds.inviteUsesMax`.
    package let uses: Int
    /// Milliseconds since 1970 by the clock of the member who lets in; nil means that it does not end by itself.
    package let expires: Int64?
    /// The participant who opens it for a further device of their own, which nobody else may be; nil for new participants.
    package let participant: Bytes32?

    package init(seed: Bytes32, uses: Int, expires: Int64?, participant: Bytes32? = nil) {
        self.seed = seed
        self.uses = uses
        self.expires = expires
        self.participant = participant
    }

    /// What the link of an invite for new participants carries, and every member knows. It follows from the opener and the terms: nobody
    /// else can open the same invite, nor its opener on other terms.
    package func secret(openedBy device: Device, using cryptography: some Cryptography) -> Bytes32 {
        var encoder = CanonicalEncoder()
        encoder.encode(fixed: Invite.secretPrefix)
        encoder.encode(device)
        encoder.encode(self)
        return cryptography.hash(encoder.bytes)
    }

    /// Names the invite among members without showing its secret.
    package func id(openedBy device: Device, using cryptography: some Cryptography) -> Bytes32 {
        Invite.id(ofSecret: secret(openedBy: device, using: cryptography), using: cryptography)
    }

    package static func id(ofSecret secret: Bytes32, using cryptography: some Cryptography) -> Bytes32 {
        cryptography.deriveKey(from: secret, label: "caravan invite id")
    }

    private static let secretPrefix = Array("caravan invite".utf8)
}

extension DeviceSecrets {
    /// What the link of an invite carries that this device opened. That of one for a further device follows from this device's signing
    /// seed too: nobody else may come by it, though all members read the log.
    package func linkSecret(of invite: Invite, using cryptography: some Cryptography) -> Bytes32 {
        let known = invite.secret(openedBy: device, using: cryptography)
        guard invite.participant != nil else { return known }
        let key = cryptography.deriveKey(from: signingSeed, label: "caravan device link")
        return cryptography.hash(known.bytes, key: key)
    }
}
