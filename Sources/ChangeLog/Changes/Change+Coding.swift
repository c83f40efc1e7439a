package import DeltaCRDT

extension Change {
    private static let form: UInt8 = 1

    /// The one encoding of this change: what is hashed, and signed by its hash.
    package var encoding: [UInt8] {
        var encoder = CanonicalEncoder(reservingCapacity: 160 + heads.count * 32 + content.count)
        encoder.encode(byte: Change.form)
        encoder.encode(fixed: trip.bytes)
        encoder.encode(replica)
        encoder.encode(number)
        if let previous { encoder.encode(fixed: previous.bytes) }
        encoder.encode(count: heads.count)
        for head in heads { encoder.encode(fixed: head.bytes) }
        encoder.encode(lamport)
        encoder.encode(wallTime)
        if let statement { statement.encode(into: &encoder) } else { encoder.encode(byte: 0) }
        encoder.encode(content)
        return encoder.bytes
    }

    /// Reads one change and leaves the decoder behind it.
    package init(from decoder: inout CanonicalDecoder, using cryptography: some Cryptography) throws(DecodingFailure) {
        guard try decoder.decodeByte() == Change.form else { throw .unknown }
        trip = try decoder.decodeBytes32()
        replica = try decoder.decodeReplicaID()
        number = try decoder.decodeUInt64()
        guard number >= 1, number <= ChangeBounds.numberMax else { throw .tooLarge }
        previous = number == 1 ? nil : try decoder.decodeBytes32()
        var heads: [Bytes32] = []
        for _ in 0..<(try decoder.decodeCount(limit: ChangeBounds.headsMax, minimumSize: 32)) {
            let head = try decoder.decodeBytes32()
            if let last = heads.last, head <= last { throw .notCanonical }
            heads.append(head)
        }
        self.heads = heads
        lamport = try decoder.decodeUInt64()
        guard lamport >= 1, lamport <= ChangeBounds.lamportMax else { throw .tooLarge }
        wallTime = try decoder.decodeInt64()
        let tag = try decoder.decodeByte()
        statement = tag == 0 ? nil : try Statement(tag: tag, from: &decoder, using: cryptography)
        content = try decoder.decodeBytes(limit: ChangeBounds.contentBytesMax)
    }
}

extension Statement {
    fileprivate func encode(into encoder: inout CanonicalEncoder) {
        switch self {
        case .found(let founder, let name, let epoch):
            encoder.encode(byte: 1)
            encoder.encode(founder)
            encoder.encode(name)
            encoder.encode(fixed: epoch.bytes)
        case .invite(let invite):
            encoder.encode(byte: 2)
            encoder.encode(invite)
        case .closeInvite(let id):
            encoder.encode(byte: 3)
            encoder.encode(fixed: id.bytes)
        case .admit(let admission):
            encoder.encode(byte: 4)
            encoder.encode(admission.device)
            encoder.encode(admission.name)
            encoder.encode(optional: admission.invite) { $1.encode(fixed: $0.bytes) }
            encoder.encode(fixed: admission.consent)
            encoder.encode(optional: admission.grant) { grant, encoder in
                encoder.encode(fixed: grant.epoch.bytes)
                encoder.encode(fixed: grant.sealed)
            }
        case .remove(let participant, let grant):
            encoder.encode(byte: 5)
            encoder.encode(fixed: participant.bytes)
            encoder.encode(optional: grant) { $1.encode($0) }
        case .beginEpoch(let grant):
            encoder.encode(byte: 6)
            encoder.encode(grant)
        case .grant(let grant):
            encoder.encode(byte: 7)
            encoder.encode(grant)
        case .end(let replica, let last, let grant):
            encoder.encode(byte: 8)
            encoder.encode(replica)
            encoder.encode(optional: last) { $1.encode(fixed: $0.bytes) }
            encoder.encode(optional: grant) { $1.encode($0) }
        }
    }

    fileprivate init(
        tag: UInt8, from decoder: inout CanonicalDecoder, using cryptography: some Cryptography
    ) throws(DecodingFailure) {
        switch tag {
        case 1:
            let founder = try decoder.decodeDevice(using: cryptography)
            let name = try decoder.decodeString(limit: ChangeBounds.nameBytesMax)
            self = .found(founder: founder, name: name, epoch: try decoder.decodeBytes16())
        case 2:
            let seed = try decoder.decodeBytes32()
            let uses = try decoder.decodeUInt64()
            guard uses >= 1, uses <= UInt64(ChangeBounds.inviteUsesMax) else { throw .tooLarge }
            let expires = try decoder.decodeBool() ? try decoder.decodeInt64() : nil
            let participant = try decoder.decodeBool() ? try decoder.decodeBytes32() : nil
            self = .invite(Invite(seed: seed, uses: Int(uses), expires: expires, participant: participant))
        case 3: self = .closeInvite(id: try decoder.decodeBytes32())
        case 4: self = .admit(try decoder.decodeAdmission(using: cryptography))
        case 5:
            let participant = try decoder.decodeBytes32()
            self = .remove(
                participant: participant, grant: try decoder.decodeBool() ? try decoder.decodeEpochGrant() : nil)
        case 6: self = .beginEpoch(try decoder.decodeEpochGrant())
        case 7: self = .grant(try decoder.decodeEpochGrant())
        case 8:
            let replica = try decoder.decodeReplicaID()
            let last = try decoder.decodeBool() ? try decoder.decodeBytes32() : nil
            self = .end(
                replica: replica, last: last, grant: try decoder.decodeBool() ? try decoder.decodeEpochGrant() : nil)
        default: throw .unknown
        }
    }
}

extension CanonicalEncoder {
    mutating func encode(_ invite: Invite) {
        encode(fixed: invite.seed.bytes)
        encode(count: invite.uses)
        encode(optional: invite.expires) { $1.encode($0) }
        encode(optional: invite.participant) { $1.encode(fixed: $0.bytes) }
    }

    fileprivate mutating func encode<Value>(
        optional value: Value?, _ body: (Value, inout CanonicalEncoder) -> Void
    ) {
        encode(value != nil)
        if let value { body(value, &self) }
    }
}

extension CanonicalDecoder {
    fileprivate mutating func decodeAdmission(
        using cryptography: some Cryptography
    ) throws(DecodingFailure) -> Admission {
        let device = try decodeDevice(using: cryptography)
        let name = try decodeString(limit: ChangeBounds.nameBytesMax)
        let invite = try decodeBool() ? try decodeBytes32() : nil
        let consent = Array(try decodeFixed(64))
        var grant: DeviceGrant?
        if try decodeBool() {
            let epoch = try decodeBytes16()
            grant = DeviceGrant(epoch: epoch, sealed: Array(try decodeFixed(EpochGrant.boxSize)))
        }
        return Admission(
            device: device, name: name, invite: invite, consent: consent, grant: grant)
    }
}
