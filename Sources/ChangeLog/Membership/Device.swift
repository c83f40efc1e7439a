package import DeltaCRDT

/// A device as the others know it: its public keys and whose it is.
package struct Device: Hashable, Sendable {
    /// The Ed25519 key that signs its changes.
    package let signingKey: Bytes32
    /// The X25519 key that it shows in sessions, and to which secrets are sealed.
    package let agreementKey: Bytes32
    /// The participant that it acts for.
    package let participant: Bytes16
    /// The name of its log, which commits to all of the above: nobody can claim it for other keys or for
    /// another participant.
    package let replica: ReplicaID

    package init(
        signingKey: Bytes32, agreementKey: Bytes32, participant: Bytes16, using cryptography: some Cryptography
    ) {
        self.signingKey = signingKey
        self.agreementKey = agreementKey
        self.participant = participant
        let description = Array("caravan device".utf8) + signingKey.bytes + agreementKey.bytes + participant.bytes
        replica = cryptography.hash(description).replicaID
    }

    /// The participant whose first device has this key. Nobody else can take the name: it commits to the key.
    package static func participant(
        ofFirstDeviceWith signingKey: Bytes32, using cryptography: some Cryptography
    ) -> Bytes16 {
        cryptography.hash(Array("caravan participant".utf8) + signingKey.bytes).prefix16
    }

    /// Whether this is the device that its participant is named by.
    package func isFirst(using cryptography: some Cryptography) -> Bool {
        participant == Device.participant(ofFirstDeviceWith: signingKey, using: cryptography)
    }
}

/// A device's own secrets for one trip.
package struct DeviceSecrets: Hashable, Sendable {
    /// The Ed25519 seed.
    package let signingSeed: Bytes32
    /// The X25519 secret.
    package let agreementSecret: Bytes32
    package let device: Device

    /// - Parameter participant: whose device it is; nil makes it the first device of a new participant.
    package init(
        signingSeed: Bytes32, agreementSecret: Bytes32, participant: Bytes16? = nil,
        using cryptography: some Cryptography
    ) {
        self.signingSeed = signingSeed
        self.agreementSecret = agreementSecret
        let signingKey = cryptography.signingPublicKey(seed: signingSeed)
        device = Device(
            signingKey: signingKey,
            agreementKey: cryptography.agreementPublicKey(secret: agreementSecret),
            participant: participant ?? Device.participant(ofFirstDeviceWith: signingKey, using: cryptography),
            using: cryptography)
    }

    /// A guest's, who is a new participant.
    ///
    /// - Parameter seed: random, and known to the host's device alone.
    package init(ofGuestWith seed: Bytes32, using cryptography: some Cryptography) {
        self.init(
            signingSeed: cryptography.deriveKey(from: seed, label: "caravan guest signing"),
            agreementSecret: cryptography.deriveKey(from: seed, label: "caravan guest agreement"), using: cryptography)
    }
}

extension CanonicalEncoder {
    /// Appends a device's keys and its participant: 80 bytes.
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
            signingKey: signingKey, agreementKey: agreementKey, participant: try decodeBytes16(), using: cryptography)
    }
}
