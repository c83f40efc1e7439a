package import ChangeLog
package import DeltaCRDT

/// What members say to each other inside a session.
package enum Message: Hashable, Sendable {
    /// The digest of what is held. Where both sides' are equal there is nothing more to say. And the sender's incarnation:
    /// another for each start of a node.
    case hello(digest: Bytes32, incarnation: Bytes16)
    case frontier(Frontier)
    /// Sealed changes, each after its past.
    case changes([[UInt8]])
    /// Changes that are durable here, and with each all that came before it in its log.
    case have([Bytes32])
    /// Hashes of one replica's changes that are here, for the other side to find the last that both hold.
    case locator(ReplicaID, [Bytes32])
    /// What the receiver sends comes by another way first: a have is enough.
    case lazy
    /// A change that the receiver said it holds has not come by any way: it is to push what comes from now on.
    case want(Bytes32)
    case joinRequest(JoinRequest)
    case joinAnswer(JoinAnswer)
    case ping
    /// The sender's next message is under its next key.
    case rekey
    /// Nothing follows.
    case end
}

/// A device asks to be let in.
package struct JoinRequest: Hashable, Sendable {
    package let device: Device
    package let name: String
    /// By the device's signing key, over the trip, the invite and all of the above.
    package let signature: Signature

    static func signedMessage(trip: Bytes32, invite: Bytes32, device: Device, name: String) -> [UInt8] {
        var encoder = CanonicalEncoder()
        encoder.encode("caravan join")
        encoder.encode(fixed: trip.bytes)
        encoder.encode(fixed: invite.bytes)
        encoder.encode(device)
        encoder.encode(name)
        return encoder.bytes
    }
}

package enum JoinAnswer: Hashable, Sendable {
    /// The secrets of all epochs, sealed to the device.
    case admitted(sealedSecrets: [UInt8])
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
        case .frontier(let frontier):
            tag(2)
            frontier.encode(into: &encoder)
        case .changes(let changes):
            tag(3)
            encoder.encode(count: changes.count)
            for change in changes { encoder.encode(change) }
        case .have(let hashes):
            tag(4)
            encoder.encode(hashes)
        case .locator(let replica, let hashes):
            tag(5)
            encoder.encode(replica)
            encoder.encode(hashes)
        case .joinRequest(let request):
            tag(6)
            encoder.encode(request.device)
            encoder.encode(request.name)
            encoder.encode(fixed: request.signature)
        case .joinAnswer(.admitted(let sealedSecrets)):
            tag(7)
            encoder.encode(sealedSecrets)
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
        }
        return encoder.bytes
    }

    /// Bytes to make room for: enough for all but what is sent once in a session.
    private var sizeEstimate: Int {
        switch self {
        case .changes(let changes): changes.reduce(4) { $0 + 3 + $1.count }
        case .have(let hashes), .locator(_, let hashes): 24 + 32 * hashes.count
        case .frontier(let frontier): 8 + 56 * frontier.tips.count
        case .hello: 49
        case .want: 33
        case .joinRequest, .joinAnswer: 256
        case .lazy, .ping, .rekey, .end: 1
        }
    }

    package init(
        _ bytes: [UInt8], limits: SessionLimits, using cryptography: some Cryptography
    ) throws(DecodingFailure) {
        try self.init(bytes, in: bytes.indices, limits: limits, using: cryptography)
    }

    /// Reads a message that is part of some bytes.
    init(
        _ bytes: [UInt8], in range: Range<Int>, limits: SessionLimits, using cryptography: some Cryptography
    ) throws(DecodingFailure) {
        var decoder = CanonicalDecoder(bytes, in: range)
        switch try decoder.decodeByte() {
        case 1: self = .hello(digest: try decoder.decodeBytes32(), incarnation: try decoder.decodeBytes16())
        case 2: self = .frontier(try Frontier(from: &decoder, limit: limits.frontierTipsMax))
        case 3:
            let count = try decoder.decodeCount(limit: limits.batchChangesMax, minimumSize: 64)
            var changes: [[UInt8]] = []
            changes.reserveCapacity(count)
            for _ in 0..<count {
                changes.append(try decoder.decodeBytes(limit: ChangeLimits.sealedBytesMax))
            }
            self = .changes(changes)
        case 4: self = .have(try decoder.decodeHashes(limit: limits.frontierTipsMax))
        case 5:
            let replica = try decoder.decodeReplicaID()
            self = .locator(replica, try decoder.decodeHashes(limit: TripLog.locatorHashesMax))
        case 6:
            let device = try decoder.decodeDevice(using: cryptography)
            let name = try decoder.decodeString(limit: ChangeLimits.nameBytesMax)
            self = .joinRequest(
                JoinRequest(device: device, name: name, signature: Array(try decoder.decodeFixed(64))))
        case 7:
            let limit = SealedBox.overhead + ChangeLimits.epochsMax * 32
            self = .joinAnswer(.admitted(sealedSecrets: try decoder.decodeBytes(limit: limit)))
        case 8:
            guard let refusal = JoinRefusal(rawValue: try decoder.decodeByte()) else { throw .unknown }
            self = .joinAnswer(.refused(refusal))
        case 9: self = .ping
        case 10: self = .rekey
        case 11: self = .end
        case 12: self = .lazy
        case 13: self = .want(try decoder.decodeBytes32())
        default: throw .unknown
        }
        try decoder.finish()
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
