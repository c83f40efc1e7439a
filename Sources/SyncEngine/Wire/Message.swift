package import Attachments
package import ChangeLog
package import DeltaCRDT

/// What nodes say to each other inside a session (Documentation/Protocol.md, section 8). Each may grow at its end, and one of
/// unknown kind is passed over.
package enum Message: Hashable, Sendable {
    /// The digest of what is retained. Where both sides' are equal there is nothing more to say. And the sender's incarnation:
    /// another for each start of a node.
    case hello(digest: Bytes32, incarnation: Bytes16)
    case frontier(Frontier)
    /// Records of changes, each after its past.
    case changes([[UInt8]])
    /// Changes that are durable here, with their pasts, but for the bodies that were said to be absent.
    case have([Bytes32])
    /// Hashes of one replica's changes that are here, for the other side to find the last that both hold.
    case locator(ReplicaID, [Bytes32])
    /// What the receiver sends comes by another way first: a have is enough.
    case lazy
    /// A change that the receiver said it holds has not come by any way: it is to push what comes from now on.
    case want(Bytes32)
    case joinRequest(JoinRequest)
    case joinAnswer(JoinAnswer)
    /// The sender is in, and has not got the secret of this epoch.
    case epochWanted(Bytes16)
    /// The sender needs the bodies of these changes, whose headers it has.
    case bodiesWanted([Bytes32])
    /// The bodies that are needed and absent here: all of them, in place of what was said before.
    case bodiesAbsent(AbsentBodies)
    /// Of chunks of photos.
    case blob(BlobMessage)
    /// What the sender says of itself.
    case introduction(Introduction)
    /// Those who write in notes at the sender's node now: all of them, in place of what was said before.
    case writers([PresenceEntry])
    case ping
    /// The sender's next message is under its next key.
    case rekey
    /// Nothing follows.
    case end
    /// What this version does not know.
    case unknown
}

/// A device asks to be let in.
package struct JoinRequest: Hashable, Sendable {
    package let device: Device
    package let name: String
    /// By the device's signing key (`Admission.consentMessage`).
    package let consent: Signature
}

package enum JoinAnswer: Hashable, Sendable {
    /// The newest epoch's secret, sealed to the device.
    case admitted(DeviceGrant)
    case refused(JoinRefusal)
}

extension Message {
    /// Bytes of the longest message: one change of the greatest size, or a full batch.
    package static let sizeMax = 2 << 20

    package var encoding: [UInt8] {
        var encoder = CanonicalEncoder(reservingCapacity: sizeEstimate)
        func tag(_ value: UInt8) { encoder.encode(byte: value) }
        switch self {
        case .hello(let digest, let incarnation):
            tag(1)
            encoder.encode(fixed: digest.bytes)
            encoder.encode(fixed: incarnation.bytes)
            // No features yet.
            encoder.encode(UInt64(0))
        case .frontier(let frontier):
            tag(2)
            frontier.encode(into: &encoder)
        case .changes(let records):
            tag(3)
            encoder.encode(count: records.count)
            for record in records { encoder.encode(record) }
        case .have(let hashes):
            tag(4)
            encoder.encode(hashes)
        case .locator(let replica, let hashes):
            tag(5)
            encoder.encode(replica)
            encoder.encode(hashes)
        case .joinRequest(let request):
            tag(6)
            request.encode(into: &encoder)
        case .joinAnswer(.admitted(let grant)):
            tag(7)
            encoder.encode(grant)
        case .joinAnswer(.refused(let refusal)):
            tag(8)
            tag(refusal.rawValue)
        case .ping: tag(9)
        case .rekey: tag(10)
        case .end: tag(11)
        case .lazy: tag(12)
        case .want(let hash):
            tag(13)
            encoder.encode(fixed: hash.bytes)
        case .epochWanted(let epoch):
            tag(14)
            encoder.encode(fixed: epoch.bytes)
        case .blob(let message):
            tag(message.kind.rawValue)
            encoder.encode(fixed: message.body)
        case .bodiesWanted(let hashes):
            tag(21)
            encoder.encode(hashes)
        case .bodiesAbsent(let absent):
            tag(22)
            absent.encode(into: &encoder)
        case .writers(let writers):
            tag(23)
            encoder.encode(count: writers.count)
            for writer in writers { writer.encode(into: &encoder) }
        case .introduction(let introduction):
            tag(introduction.kind.rawValue)
            introduction.encode(into: &encoder)
        // Of a kind that no version has: only tests write it.
        case .unknown: tag(255)
        }
        return encoder.bytes
    }

    /// Bytes to make room for: enough for all but what is sent once in a session.
    private var sizeEstimate: Int {
        switch self {
        case .changes(let records): records.reduce(4) { $0 + 3 + $1.count }
        case .have(let hashes), .locator(_, let hashes), .bodiesWanted(let hashes): 24 + 32 * hashes.count
        case .bodiesAbsent(let absent): 16 + 32 * absent.named.count
        case .frontier(let frontier): 8 + 56 * frontier.tips.count
        case .hello: 50
        case .want, .epochWanted, .introduction: 33
        case .blob(.lack(let chunks)), .blob(.hold(let chunks)): 4 + 32 * chunks.count
        case .blob(.ask): 33
        case .blob(.chunk(_, let bytes)): 40 + bytes.count
        case .joinRequest, .joinAnswer: 256
        case .writers(let writers): 2 + writers.reduce(0) { $0 + 36 + $1.place.count }
        case .lazy, .ping, .rekey, .end, .unknown: 1
        }
    }

    package init(
        _ bytes: [UInt8], limits: SessionLimits, using cryptography: some Cryptography
    ) throws(DecodingFailure) {
        try self.init(bytes, in: bytes.indices, limits: limits, using: cryptography)
    }

    /// Reads a message that is part of some bytes; what follows its body there is of a newer version, and is passed over.
    init(
        _ bytes: [UInt8], in range: Range<Int>, limits: SessionLimits, using cryptography: some Cryptography
    ) throws(DecodingFailure) {
        var decoder = CanonicalDecoder(bytes, in: range)
        let kind = try decoder.decodeByte()
        switch kind {
        case 1:
            self = .hello(digest: try decoder.decodeBytes32(), incarnation: try decoder.decodeBytes16())
            _ = try decoder.decodeUInt64()
        case 2: self = .frontier(try Frontier(from: &decoder, limit: limits.frontierTipsMax))
        case 3:
            let count = try decoder.decodeCount(limit: limits.batchChangesMax, minimumSize: 64)
            var records: [[UInt8]] = []
            records.reserveCapacity(count)
            for _ in 0..<count { records.append(try decoder.decodeBytes(limit: ChangeBounds.recordBytesMax)) }
            self = .changes(records)
        case 4: self = .have(try decoder.decodeHashes(limit: limits.frontierTipsMax))
        case 5:
            let replica = try decoder.decodeReplicaID()
            self = .locator(replica, try decoder.decodeHashes(limit: TripLog.locatorHashesMax))
        case 6:
            self = .joinRequest(try JoinRequest(from: &decoder, using: cryptography))
        case 7:
            self = .joinAnswer(.admitted(try decoder.decodeDeviceGrant()))
        case 8:
            // A reason of a newer version is none of the request's.
            self = .joinAnswer(.refused(JoinRefusal(rawValue: try decoder.decodeByte()) ?? .inviteClosed))
        case 9: self = .ping
        case 10: self = .rekey
        case 11: self = .end
        case 12: self = .lazy
        case 13: self = .want(try decoder.decodeBytes32())
        case 14: self = .epochWanted(try decoder.decodeBytes16())
        case 21: self = .bodiesWanted(try decoder.decodeHashes(limit: limits.bodiesWantedMax))
        case 22: self = .bodiesAbsent(try AbsentBodies(from: &decoder))
        case 23:
            let count = try decoder.decodeCount(limit: limits.writersMax, minimumSize: 2)
            var writers: [PresenceEntry] = []
            for _ in 0..<count { writers.append(try PresenceEntry(from: &decoder)) }
            self = .writers(writers)
        default:
            if let kind = Introduction.Kind(rawValue: kind) {
                self = .introduction(try Introduction(kind, from: &decoder))
            } else if let kind = BlobMessage.Kind(rawValue: kind) {
                self = .blob(try BlobMessage(kind, from: &decoder))
            } else {
                self = .unknown
            }
        }
    }
}

extension CanonicalEncoder {
    fileprivate mutating func encode(_ hashes: [Bytes32]) {
        encode(count: hashes.count)
        for hash in hashes { encode(fixed: hash.bytes) }
    }
}

extension CanonicalDecoder {
    fileprivate mutating func decodeHashes(limit: Int) throws(DecodingFailure) -> [Bytes32] {
        let count = try decodeCount(limit: limit, minimumSize: 32)
        var hashes: [Bytes32] = []
        hashes.reserveCapacity(count)
        for _ in 0..<count { hashes.append(try decodeBytes32()) }
        return hashes
    }
}
