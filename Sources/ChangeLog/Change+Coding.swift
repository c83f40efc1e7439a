package import DeltaCRDT

extension Change {
    private static let version: UInt8 = 1

    /// The one encoding of this change: what is hashed, and signed by its hash.
    package var encoding: [UInt8] {
        var encoder = CanonicalEncoder(reservingCapacity: 160 + heads.count * 32)
        encoder.encode(fixed: CollectionOfOne(Change.version))
        encoder.encode(fixed: trip.bytes)
        encoder.encode(replica)
        encoder.encode(counter)
        if let previous { encoder.encode(fixed: previous.bytes) }
        encoder.encode(count: heads.count)
        for head in heads { encoder.encode(fixed: head.bytes) }
        encoder.encode(lamport)
        encoder.encode(wallTime)
        encoder.encode(count: operationCount)
        switch body {
        case .content(let bytes):
            encoder.encode(fixed: CollectionOfOne(UInt8(0)))
            encoder.encode(bytes)
        case .membership(let operation):
            operation.encode(into: &encoder)
        }
        return encoder.bytes
    }

    /// Reads one change and leaves the decoder behind it.
    package init(from decoder: inout CanonicalDecoder, using cryptography: some Cryptography) throws(DecodingFailure) {
        guard try decoder.decodeByte() == Change.version else { throw .unknown }
        trip = try decoder.decodeBytes32()
        replica = try decoder.decodeReplicaID()
        counter = try decoder.decodeUInt64()
        guard counter >= 1, counter <= ChangeLimits.counterMax else { throw .tooLarge }
        previous = counter == 1 ? nil : try decoder.decodeBytes32()
        var heads: [Bytes32] = []
        for _ in 0..<(try decoder.decodeCount(limit: ChangeLimits.headsMax, minimumSize: 32)) {
            let head = try decoder.decodeBytes32()
            if let last = heads.last, head <= last { throw .notCanonical }
            heads.append(head)
        }
        self.heads = heads
        lamport = try decoder.decodeUInt64()
        guard lamport >= 1, lamport <= ChangeLimits.lamportMax else { throw .tooLarge }
        wallTime = try decoder.decodeInt64()
        let count = try decoder.decodeUInt64()
        guard count >= 1, count <= UInt64(ChangeLimits.operationsMax) else { throw .tooLarge }
        guard counter + count - 1 <= ChangeLimits.counterMax else { throw .tooLarge }
        operationCount = Int(count)
        let tag = try decoder.decodeByte()
        if tag == 0 {
            body = .content(try decoder.decodeBytes(limit: ChangeLimits.contentBytesMax))
        } else {
            body = .membership(try MembershipOperation(tag: tag, from: &decoder, using: cryptography))
            guard count == 1 else { throw .notCanonical }
        }
    }
}

extension MembershipOperation {
    fileprivate func encode(into encoder: inout CanonicalEncoder) {
        switch self {
        case .found(let founder, let name):
            encoder.encode(fixed: CollectionOfOne(UInt8(1)))
            encoder.encode(founder)
            encoder.encode(name)
        case .invite(let invite):
            encoder.encode(fixed: CollectionOfOne(UInt8(2)))
            encoder.encode(fixed: invite.secret.bytes)
            encoder.encode(count: invite.uses)
            encoder.encode(invite.expires != nil)
            if let expires = invite.expires { encoder.encode(expires) }
            encoder.encode(invite.participant != nil)
            if let participant = invite.participant { encoder.encode(fixed: participant.bytes) }
        case .closeInvite(let id):
            encoder.encode(fixed: CollectionOfOne(UInt8(3)))
            encoder.encode(fixed: id.bytes)
        case .admit(let admission):
            encoder.encode(fixed: CollectionOfOne(UInt8(4)))
            encoder.encode(admission.device)
            encoder.encode(admission.name)
            encoder.encode(admission.invite != nil)
            if let invite = admission.invite { encoder.encode(fixed: invite.bytes) }
            encoder.encode(admission.isGuest)
            encoder.encode(admission.sealedSecrets)
        case .remove(let participant, let epoch):
            encoder.encode(fixed: CollectionOfOne(UInt8(5)))
            encoder.encode(fixed: participant.bytes)
            encoder.encode(epoch != nil)
            if let epoch { encoder.encode(epoch) }
        case .beginEpoch(let grant):
            encoder.encode(fixed: CollectionOfOne(UInt8(6)))
            encoder.encode(grant)
        case .grant(let grant):
            encoder.encode(fixed: CollectionOfOne(UInt8(7)))
            encoder.encode(grant)
        }
    }

    fileprivate init(
        tag: UInt8, from decoder: inout CanonicalDecoder, using cryptography: some Cryptography
    ) throws(DecodingFailure) {
        switch tag {
        case 1:
            let founder = try decoder.decodeDevice(using: cryptography)
            self = .found(founder: founder, name: try decoder.decodeString(limit: ChangeLimits.nameBytesMax))
        case 2:
            let secret = try decoder.decodeBytes32()
            let uses = try decoder.decodeUInt64()
            guard uses >= 1, uses <= UInt64(ChangeLimits.inviteUsesMax) else { throw .tooLarge }
            let expires = try decoder.decodeBool() ? try decoder.decodeInt64() : nil
            let participant = try decoder.decodeBool() ? try decoder.decodeBytes16() : nil
            self = .invite(Invite(secret: secret, uses: Int(uses), expires: expires, participant: participant))
        case 3:
            self = .closeInvite(id: try decoder.decodeBytes32())
        case 4:
            let device = try decoder.decodeDevice(using: cryptography)
            let name = try decoder.decodeString(limit: ChangeLimits.nameBytesMax)
            let invite = try decoder.decodeBool() ? try decoder.decodeBytes32() : nil
            let isGuest = try decoder.decodeBool()
            let sealed = try decoder.decodeBytes(limit: SealedBox.overhead + ChangeLimits.epochsMax * 32)
            self = .admit(
                Admission(device: device, name: name, invite: invite, isGuest: isGuest, sealedSecrets: sealed))
        case 5:
            let participant = try decoder.decodeBytes16()
            self = .remove(
                participant: participant, epoch: try decoder.decodeBool() ? try decoder.decodeEpochGrant() : nil)
        case 6: self = .beginEpoch(try decoder.decodeEpochGrant())
        case 7: self = .grant(try decoder.decodeEpochGrant())
        default:
            throw .unknown
        }
    }
}

extension CanonicalEncoder {
    package mutating func encode(_ grant: EpochGrant) {
        encode(fixed: grant.epoch.bytes)
        encode(count: grant.boxes.count)
        for box in grant.boxes {
            encode(box.replica)
            encode(fixed: box.sealed)
        }
    }

    /// Appends a device's keys and its participant: 80 bytes.
    package mutating func encode(_ device: Device) {
        encode(fixed: device.signingKey.bytes)
        encode(fixed: device.agreementKey.bytes)
        encode(fixed: device.participant.bytes)
    }
}

extension CanonicalDecoder {
    package mutating func decodeEpochGrant() throws(DecodingFailure) -> EpochGrant {
        let epoch = try decodeBytes16()
        var boxes: [EpochGrant.Box] = []
        let count = try decodeCount(limit: ChangeLimits.grantBoxesMax, minimumSize: 16 + EpochGrant.boxSize)
        for _ in 0..<count {
            let replica = try decodeReplicaID()
            if let last = boxes.last, replica <= last.replica { throw .notCanonical }
            boxes.append(EpochGrant.Box(replica: replica, sealed: Array(try decodeFixed(EpochGrant.boxSize))))
        }
        return EpochGrant(epoch: epoch, boxes: boxes)
    }

    package mutating func decodeBytes16() throws(DecodingFailure) -> Bytes16 {
        guard let bytes = Bytes16(try decodeFixed(16)) else { throw .truncated }
        return bytes
    }

    package mutating func decodeBytes32() throws(DecodingFailure) -> Bytes32 {
        guard let bytes = Bytes32(try decodeFixed(32)) else { throw .truncated }
        return bytes
    }

    package mutating func decodeDevice(using cryptography: some Cryptography) throws(DecodingFailure) -> Device {
        let signingKey = try decodeBytes32()
        let agreementKey = try decodeBytes32()
        return Device(
            signingKey: signingKey, agreementKey: agreementKey, participant: try decodeBytes16(), using: cryptography)
    }
}
