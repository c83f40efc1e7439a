package import DeltaCRDT

/// A device as the others know it: its public keys and whose it is.
package struct Device: Hashable, Sendable {
    /// The Ed25519 key that signs its changes.
    package let signingKey: Bytes32
    /// The X25519 key that it shows in sessions, and to which secrets are sealed.
    package let agreementKey: Bytes32
    /// The participant that it acts for.
    package let participant: Bytes32
    /// The name of its log: the first half of a hash of all of the above.
    package let replica: ReplicaID

    package init(
        signingKey: Bytes32, agreementKey: Bytes32, participant: Bytes32, using cryptography: some Cryptography
    ) {
        self.signingKey = signingKey
        self.agreementKey = agreementKey
        self.participant = participant
        let description = Array("caravan device".utf8) + signingKey.bytes + agreementKey.bytes + participant.bytes
        replica = cryptography.hash(description).replicaID
    }
}

/// How a participant joined the trip, which their name records for good (Documentation/Protocol.md, section 2).
package enum Origin: Hashable, Sendable {
    case founder
    /// By an invite, whose opener is the participant's parent.
    case invited(Bytes32)
    /// As a guest of a participant, who is its parent.
    case guest(of: Bytes32)

    /// The name of the participant whose first device signs with a key: a hash of the key and of the origin, so that nobody else
    /// can take the name, and nobody can be given another parent.
    package func participant(signingKey: Bytes32, using cryptography: some Cryptography) -> Bytes32 {
        let prefix = Array("caravan participant".utf8) + signingKey.bytes
        return switch self {
        case .founder: cryptography.hash(prefix + [0])
        case .invited(let invite): cryptography.hash(prefix + [1] + invite.bytes)
        case .guest(let host): cryptography.hash(prefix + [2] + host.bytes)
        }
    }
}

/// A device's own secrets for one trip.
package struct DeviceSecrets: Hashable, Sendable {
    /// The Ed25519 seed.
    package let signingSeed: Bytes32
    /// The X25519 secret.
    package let agreementSecret: Bytes32
    package let device: Device

    /// A participant's first device, by which the participant is named.
    package init(
        signingSeed: Bytes32, agreementSecret: Bytes32, firstOf origin: Origin, using cryptography: some Cryptography
    ) {
        let signingKey = cryptography.signingPublicKey(seed: signingSeed)
        self.init(
            signingSeed: signingSeed, agreementSecret: agreementSecret,
            of: origin.participant(signingKey: signingKey, using: cryptography), using: cryptography)
    }

    /// A device of a participant whose name is known.
    package init(
        signingSeed: Bytes32, agreementSecret: Bytes32, of participant: Bytes32, using cryptography: some Cryptography
    ) {
        self.signingSeed = signingSeed
        self.agreementSecret = agreementSecret
        device = Device(
            signingKey: cryptography.signingPublicKey(seed: signingSeed),
            agreementKey: cryptography.agreementPublicKey(secret: agreementSecret), participant: participant,
            using: cryptography)
    }

    /// A guest's.
    ///
    /// - Parameter seed: random, and known to the host's device alone.
    package init(guestOf host: Bytes32, seed: Bytes32, using cryptography: some Cryptography) {
        self.init(
            signingSeed: cryptography.deriveKey(from: seed, label: "caravan guest signing"),
            agreementSecret: cryptography.deriveKey(from: seed, label: "caravan guest agreement"),
            firstOf: .guest(of: host), using: cryptography)
    }
}

extension CanonicalEncoder {
    /// Appends a device's keys and its participant: 96 bytes.
    package mutating func encode(_ device: Device) {
        encode(fixed: device.signingKey.bytes)
        encode(fixed: device.agreementKey.bytes)
        encode(fixed: device.participant.bytes)
    }
}

extension CanonicalDecoder {
    package mutating func decodeDevice(using cryptography: some Cryptography) throws(DecodingFailure) -> Device {
        let signingKey = try decodeBytes32()
        let agreementKey = try decodeBytes32()
        return Device(
            signingKey: signingKey, agreementKey: agreementKey, participant: try decodeBytes32(), using: cryptography)
    }
}
