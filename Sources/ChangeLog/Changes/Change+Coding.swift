import DeltaCRDT

extension Change {
    private static let form: UInt8 = 1

    /// What is hashed, and signed by its hash.
    package func header(_ digest: BodyDigest?) -> [UInt8] {
        var encoder = CanonicalEncoder(reservingCapacity: 200 + (heads.count + subjects.count) * 32)
        encoder.encode(byte: Change.form)
        encoder.encode(fixed: trip.bytes)
        encoder.encode(replica)
        encoder.encode(number)
        if let previous { encoder.encode(fixed: previous.bytes) }
        encoder.encode(hashes: heads)
        encoder.encode(hashes: subjects)
        encoder.encode(lamport)
        encoder.encode(wallTime)
        if let statement { statement.encode(into: &encoder) } else { encoder.encode(byte: 0) }
        encoder.encode(count: digest?.size ?? 0)
        if let digest { encoder.encode(fixed: digest.hash.bytes) }
        return encoder.bytes
    }

    /// What the header holds the hash of: the salt, the boxes of a grant, and the content; nil where there are neither boxes nor
    /// content.
    package var body: [UInt8]? {
        let boxes = statement?.grant?.boxes ?? []
        guard !boxes.isEmpty || !content.isEmpty else { return nil }
        var encoder = CanonicalEncoder(
            reservingCapacity: 32 + boxes.count * (16 + SealedBox.size) + content.count)
        encoder.encode(fixed: salt.bytes)
        if statement?.grant != nil { encoder.encode(boxes) }
        encoder.encode(fixed: content)
        return encoder.bytes
    }

    /// Reads a header and leaves the decoder behind it.
    static func header(
        from decoder: inout CanonicalDecoder, using cryptography: some Cryptography
    ) throws(DecodingFailure) -> (Change, BodyDigest?) {
        guard try decoder.decodeByte() == Change.form else { throw .unknown }
        let trip = try decoder.decodeBytes32()
        let replica = try decoder.decodeReplicaID()
        let number = try decoder.decodeUInt64()
        guard number >= 1, number <= ChangeBounds.numberMax else { throw .tooLarge }
        let previous = number == 1 ? nil : try decoder.decodeBytes32()
        let heads = try decoder.decodeHashes(limit: ChangeBounds.headsMax)
        let subjects = try decoder.decodeHashes(limit: ChangeBounds.subjectsMax)
        let lamport = try decoder.decodeUInt64()
        guard lamport >= 1, lamport <= ChangeBounds.lamportMax else { throw .tooLarge }
        let wallTime = try decoder.decodeInt64()
        let tag = try decoder.decodeByte()
        let statement = tag == 0 ? nil : try Statement(tag: tag, from: &decoder, using: cryptography)
        let size = try decoder.decodeUInt64()
        guard size <= UInt64(ChangeBounds.bodyBytesMax) else { throw .tooLarge }
        let digest = size == 0 ? nil : BodyDigest(size: Int(size), hash: try decoder.decodeBytes32())
        let change = Change(
            trip: trip, replica: replica, number: number, previous: previous, heads: heads, subjects: subjects,
            lamport: lamport, wallTime: wallTime, statement: statement, content: [])
        return (change, digest)
    }

    /// The same change with what its body holds. A body that cannot be read says nothing: some nodes hold the change without it,
    /// so it is no reason to refuse the change.
    func with(body: [UInt8]) -> Change {
        var decoder = CanonicalDecoder(body)
        do throws(DecodingFailure) {
            let salt = try decoder.decodeBytes16()
            let boxes = statement?.grant == nil ? [] : try decoder.decodeBoxes()
            let content = Array(try decoder.decodeFixed(decoder.remaining))
            guard content.count <= ChangeBounds.contentBytesMax else { return self }
            return with(salt: salt, boxes: boxes, content: content)
        } catch {
            return self
        }
    }

    var withoutBody: Change { with(salt: Bytes16(high: 0, low: 0), boxes: [], content: []) }

    private func with(salt: Bytes16, boxes: [EpochGrant.Box], content: [UInt8]) -> Change {
        Change(
            trip: trip, replica: replica, number: number, previous: previous, heads: heads, subjects: subjects,
            lamport: lamport, wallTime: wallTime, statement: statement?.with(boxes: boxes), salt: salt,
            content: content)
    }
}

extension CanonicalEncoder {
    fileprivate mutating func encode(hashes: [Bytes32]) {
        encode(count: hashes.count)
        for hash in hashes { encode(fixed: hash.bytes) }
    }
}

extension CanonicalDecoder {
    /// Hashes, ascending.
    fileprivate mutating func decodeHashes(limit: Int) throws(DecodingFailure) -> [Bytes32] {
        var hashes: [Bytes32] = []
        for _ in 0..<(try decodeCount(limit: limit, minimumSize: 32)) {
            let hash = try decodeBytes32()
            if let last = hashes.last, hash <= last { throw .notCanonical }
            hashes.append(hash)
        }
        return hashes
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
            encoder.encode(optional: admission.grant) { $1.encode($0) }
        case .remove(let participant, let kept, let grant):
            encoder.encode(byte: 5)
            encoder.encode(fixed: participant.bytes)
            encoder.encode(optional: kept) { $1.encode(hashes: $0) }
            encoder.encode(optional: grant) { $1.encode(fixed: $0.epoch.bytes) }
        case .beginEpoch(let grant):
            encoder.encode(byte: 6)
            encoder.encode(fixed: grant.epoch.bytes)
        case .grant(let grant):
            encoder.encode(byte: 7)
            encoder.encode(fixed: grant.epoch.bytes)
        case .end(let replica, let last, let grant):
            encoder.encode(byte: 8)
            encoder.encode(replica)
            encoder.encode(optional: last) { $1.encode(fixed: $0.bytes) }
            encoder.encode(optional: grant) { $1.encode(fixed: $0.epoch.bytes) }
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
            let kept = try decoder.decodeBool() ? try decoder.decodeHashes(limit: ChangeBounds.keptMax) : nil
            self = .remove(participant: participant, kept: kept, grant: try decoder.decodeOptionalGrant())
        case 6: self = .beginEpoch(EpochGrant(epoch: try decoder.decodeBytes16(), boxes: []))
        case 7: self = .grant(EpochGrant(epoch: try decoder.decodeBytes16(), boxes: []))
        case 8:
            let replica = try decoder.decodeReplicaID()
            let last = try decoder.decodeBool() ? try decoder.decodeBytes32() : nil
            self = .end(replica: replica, last: last, grant: try decoder.decodeOptionalGrant())
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
    /// An epoch whose boxes stand in the body.
    fileprivate mutating func decodeOptionalGrant() throws(DecodingFailure) -> EpochGrant? {
        try decodeBool() ? EpochGrant(epoch: try decodeBytes16(), boxes: []) : nil
    }

    fileprivate mutating func decodeAdmission(
        using cryptography: some Cryptography
    ) throws(DecodingFailure) -> Admission {
        let device = try decodeDevice(using: cryptography)
        let name = try decodeString(limit: ChangeBounds.nameBytesMax)
        let invite = try decodeBool() ? try decodeBytes32() : nil
        let consent = Array(try decodeFixed(64))
        let grant = try decodeBool() ? try decodeDeviceGrant() : nil
        return Admission(device: device, name: name, invite: invite, consent: consent, grant: grant)
    }
}
