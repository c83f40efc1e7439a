package import DeltaCRDT

/// What a change may say of who is in (Documentation/Protocol.md, section 4). Few changes say anything, so it lies apart from them.
package indirect enum Statement: Hashable, Sendable {
    /// Founds the trip, whose root is the founder's signing key, and begins its first epoch.
    case found(founder: Device, name: String, epoch: Bytes16)
    /// Opens an invite.
    case invite(Invite)
    /// Closes an invite before its uses or its time are over.
    case closeInvite(id: Bytes32)
    /// Lets a device in.
    case admit(Admission)
    /// Removes a participant, with all devices and guests; carries a new epoch, unless one leaves by oneself. Of their changes, those
    /// count that are in its past; where it names some that are `kept`, those and what is in the past of these.
    case remove(participant: Bytes32, kept: [Bytes32]? = nil, grant: EpochGrant?)
    /// Begins an epoch, for removals that none answers.
    case beginEpoch(EpochGrant)
    /// Hands an epoch's secret to devices that have not got it.
    case grant(EpochGrant)
    /// Ends a further device of the author's own person: of its changes, `last` and those before it count.
    case end(replica: ReplicaID, last: Bytes32?, grant: EpochGrant?)
}

extension Statement {
    /// The epoch's secret that it hands to devices, but for the one that it admits.
    package var grant: EpochGrant? {
        switch self {
        case .remove(_, _, let grant), .end(_, _, let grant): grant
        case .beginEpoch(let grant), .grant(let grant): grant
        case .found, .invite, .closeInvite, .admit: nil
        }
    }

    /// The name by which the person introduces themselves whose device it lets in, or who founds the trip.
    var name: String? {
        switch self {
        case .found(_, let name, _): name
        case .admit(let admission): admission.name
        case .invite, .closeInvite, .remove, .beginEpoch, .grant, .end: nil
        }
    }

    /// The same with other boxes in its grant.
    func with(boxes: [EpochGrant.Box]) -> Statement {
        guard let epoch = grant?.epoch else { return self }
        let grant = EpochGrant(epoch: epoch, boxes: boxes)
        return switch self {
        case .remove(let participant, let kept, _): .remove(participant: participant, kept: kept, grant: grant)
        case .end(let replica, let last, _): .end(replica: replica, last: last, grant: grant)
        case .beginEpoch: .beginEpoch(grant)
        case .grant: .grant(grant)
        case .found, .invite, .closeInvite, .admit: self
        }
    }
}

/// The admission of a device, by the member that it asked.
package struct Admission: Hashable, Sendable {
    package let device: Device
    /// The name by which its person introduced themselves.
    package let name: String
    /// The invite that it came by.
    package let invite: Bytes32?
    /// The device's signature of `consentMessage`: a member can only admit a device that asked this member.
    package let consent: Signature
    /// The newest epoch's secret, sealed to the device; nil for a guest, whose host's node has it.
    package let grant: DeviceGrant?

    package init(
        device: Device, name: String, invite: Bytes32?, consent: Signature, grant: DeviceGrant?
    ) {
        self.device = device
        self.name = name
        self.invite = invite
        self.consent = consent
        self.grant = grant
    }

    /// What a device signs that asks to be let in. It names no host and no invite: the participant's name says whose they are.
    package static func consentMessage(trip: Bytes32, device: Device, name: String) -> [UInt8] {
        var encoder = CanonicalEncoder()
        encoder.encode(fixed: Array("caravan join".utf8))
        encoder.encode(fixed: trip.bytes)
        encoder.encode(device)
        encoder.encode(name)
        return encoder.bytes
    }
}

/// An epoch's secret, sealed to one device.
package struct DeviceGrant: Hashable, Sendable {
    package let epoch: Bytes16
    /// A sealed box.
    package let sealed: [UInt8]

    package init(epoch: Bytes16, sealed: [UInt8]) {
        self.epoch = epoch
        self.sealed = sealed
    }

    /// Seals an epoch's secret to a device; nil where its key is weak. The generator must be a cryptographic one.
    package init?(
        _ epoch: Epoch, to device: Device, using generator: inout some RandomNumberGenerator,
        _ cryptography: some Cryptography
    ) {
        guard let sealed = SealedBox.seal(epoch.secret, to: device, using: &generator, cryptography) else { return nil }
        self.init(epoch: epoch.id, sealed: sealed)
    }

    /// The secret, for the device that it was sealed to; nil where it is another's, or makes another epoch.
    package func open(as secrets: DeviceSecrets, using cryptography: some Cryptography) -> Bytes32? {
        guard let secret = SealedBox.open(sealed, with: secrets.agreementSecret, using: cryptography),
            Epoch(secret: secret, using: cryptography).id == epoch
        else { return nil }
        return secret
    }
}

extension CanonicalEncoder {
    /// Appends an epoch's name and the box of its secret.
    package mutating func encode(_ grant: DeviceGrant) {
        encode(fixed: grant.epoch.bytes)
        encode(fixed: grant.sealed)
    }
}

extension CanonicalDecoder {
    package mutating func decodeDeviceGrant() throws(DecodingFailure) -> DeviceGrant {
        let epoch = try decodeBytes16()
        return DeviceGrant(epoch: epoch, sealed: Array(try decodeFixed(SealedBox.size)))
    }
}
