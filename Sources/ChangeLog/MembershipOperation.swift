package import DeltaCRDT

/// What a member may say about who is in.
package enum MembershipOperation: Hashable, Sendable {
    /// The first change of a trip, by its founder, whose signing key is the trip's root.
    case found(founder: Device, name: String)
    /// Opens an invite. Its secret travels in the sealed change, so that any member can let the joiner in.
    case invite(Invite)
    /// Closes an invite before its uses or its time are over.
    case closeInvite(id: Bytes32)
    /// Lets a device in.
    case admit(Admission)
    /// Takes a participant out, with all devices and guests. Counts where its author brought them, or brought whoever
    /// did, or is that participant. Carries the secret of a new epoch, unless one leaves by oneself.
    case remove(participant: Bytes16, epoch: EpochGrant?)
    /// Begins an epoch, for removals that no epoch answers yet.
    case beginEpoch(EpochGrant)
    /// Hands the secret of an epoch to devices that were not among those it was sealed to.
    case grant(EpochGrant)
}

/// A secret that lets whoever shows it ask to be let in.
package struct Invite: Hashable, Sendable {
    package let secret: Bytes32
    /// How many may be let in by it.
    package let uses: Int
    /// Milliseconds since 1970 by the clock of the member who lets in; nil means that it does not end by itself.
    package let expires: Int64?
    /// Whose further device may come by it, and nobody else; nil for an invite to new participants.
    package let participant: Bytes16?

    package init(secret: Bytes32, uses: Int, expires: Int64?, participant: Bytes16? = nil) {
        self.secret = secret
        self.uses = uses
        self.expires = expires
        self.participant = participant
    }

    /// Names the invite among members without showing its secret.
    package func id(using cryptography: some Cryptography) -> Bytes32 {
        Invite.id(ofSecret: secret, using: cryptography)
    }

    package static func id(ofSecret secret: Bytes32, using cryptography: some Cryptography) -> Bytes32 {
        cryptography.deriveKey(from: secret, label: "caravan invite id")
    }
}

/// A device let in, and what it needs to read along.
package struct Admission: Hashable, Sendable {
    package let device: Device
    /// The name by which its person introduced themselves.
    package let name: String
    /// The invite that it came by.
    package let invite: Bytes32?
    /// Whether the participant has no node of their own: the log is kept by the device that lets it in, its host.
    package let isGuest: Bool
    /// The secrets of all epochs, oldest first, sealed to the device's agreement key; empty for a guest, whose host's node
    /// has them.
    package let sealedSecrets: [UInt8]

    package init(device: Device, name: String, invite: Bytes32?, isGuest: Bool = false, sealedSecrets: [UInt8]) {
        self.device = device
        self.name = name
        self.invite = invite
        self.isGuest = isGuest
        self.sealedSecrets = sealedSecrets
    }
}

/// An epoch's secret, sealed to each of some devices.
package struct EpochGrant: Hashable, Sendable {
    /// The epoch that the secret makes.
    package let epoch: Bytes16
    /// In ascending order of the devices' logs' names.
    package let boxes: [Box]

    package struct Box: Hashable, Sendable {
        package let replica: ReplicaID
        /// `EpochGrant.boxSize` bytes that only the device can open.
        package let sealed: [UInt8]

        package init(replica: ReplicaID, sealed: [UInt8]) {
            self.replica = replica
            self.sealed = sealed
        }
    }

    /// Bytes of a sealed secret.
    package static let boxSize = SealedBox.overhead + 32

    package init(epoch: Bytes16, boxes: [Box]) {
        self.epoch = epoch
        self.boxes = boxes
    }

    /// Seals an epoch's secret to devices; one whose key is weak is left out, and so are those beyond
    /// `ChangeLimits.grantBoxesMax`: another grant is for them. The generator must be a cryptographic one.
    package init(
        _ epoch: Epoch, to devices: [Device], using generator: inout some RandomNumberGenerator,
        _ cryptography: some Cryptography
    ) {
        var boxes: [Box] = []
        for device in devices.sorted(by: { $0.replica < $1.replica }) where boxes.count < ChangeLimits.grantBoxesMax {
            let sealed = SealedBox.seal(
                epoch.secret.bytes, to: device.agreementKey, ephemeralSecret: .random(using: &generator),
                using: cryptography)
            if let sealed { boxes.append(Box(replica: device.replica, sealed: sealed)) }
        }
        self.init(epoch: epoch.id, boxes: boxes)
    }

    /// The epoch, for a device that it was sealed to. Nil where it was not, or what it was given makes another epoch.
    package func open(as secrets: DeviceSecrets, using cryptography: some Cryptography) -> Epoch? {
        guard let box = boxes.first(where: { $0.replica == secrets.device.replica }),
            let bytes = SealedBox.open(box.sealed, with: secrets.agreementSecret, using: cryptography),
            let secret = Bytes32(bytes)
        else { return nil }
        let epoch = Epoch(secret: secret, using: cryptography)
        return epoch.id == self.epoch ? epoch : nil
    }
}
