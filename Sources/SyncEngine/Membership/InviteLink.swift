package import ChangeLog
import DeltaCRDT

/// What a joiner is given: `caravan:` and the base 32 of the trip's id, the invite's secret and address hints.
package struct InviteLink: Hashable, Sendable {
    package let trip: Bytes32
    package let secret: Bytes32
    /// Addresses and ports at which a member may be reached where multicast is blocked, as `host:port`.
    package let hints: [String]
    /// Whose further device is to come by it; nil for a new participant.
    package let participant: Bytes32?

    package init(trip: Bytes32, secret: Bytes32, hints: [String], participant: Bytes32? = nil) {
        self.participant = participant
        self.trip = trip
        self.secret = secret
        self.hints = Array(hints.prefix(InviteLink.hintsMax))
    }

    /// Why a text is not an invite.
    package enum Failure: Error, Hashable, Sendable {
        /// It does not begin with `caravan:`.
        case notAnInvite
        /// Its end, or something in it, is missing or altered.
        case damaged
        /// It was made by a newer version.
        case newerVersion
    }

    /// Addresses in one link.
    package static let hintsMax = 4
    private static let scheme = "caravan:"
    private static let version: UInt8 = 1
    private static let checksumSize = 4
    private static let hintBytesMax = 64
    private static let lengthMax = 1_000

    /// What the person who comes by it is called after (`Origin`).
    package func inviteID(using cryptography: some Cryptography) -> Bytes32 {
        Invite.id(ofSecret: secret, using: cryptography)
    }

    package func text(using cryptography: some Cryptography) -> String {
        var encoder = CanonicalEncoder()
        encoder.encode(fixed: CollectionOfOne(InviteLink.version))
        encoder.encode(fixed: trip.bytes)
        encoder.encode(fixed: secret.bytes)
        encoder.encode(count: hints.count)
        for hint in hints { encoder.encode(hint) }
        encoder.encode(participant != nil)
        if let participant { encoder.encode(fixed: participant.bytes) }
        let checksum = cryptography.hash(encoder.bytes).bytes.prefix(InviteLink.checksumSize)
        return InviteLink.scheme + Base32.encode(encoder.bytes + checksum)
    }

    package init(text: String, using cryptography: some Cryptography) throws(Failure) {
        guard text.utf8.count <= InviteLink.lengthMax else { throw .damaged }
        guard text.lowercased().hasPrefix(InviteLink.scheme) else { throw .notAnInvite }
        guard let bytes = Base32.decode(text.dropFirst(InviteLink.scheme.count)),
            let version = bytes.first, bytes.count > InviteLink.checksumSize
        else { throw .damaged }
        guard version <= InviteLink.version else { throw .newerVersion }
        let body = Array(bytes.dropLast(InviteLink.checksumSize))
        guard cryptography.hash(body).bytes.starts(with: bytes.suffix(InviteLink.checksumSize)) else { throw .damaged }
        do {
            var decoder = CanonicalDecoder(body)
            guard try decoder.decodeByte() == InviteLink.version else { throw DecodingFailure.unknown }
            trip = try decoder.decodeBytes32()
            secret = try decoder.decodeBytes32()
            var hints: [String] = []
            for _ in 0..<(try decoder.decodeCount(limit: InviteLink.hintsMax)) {
                hints.append(try decoder.decodeString(limit: InviteLink.hintBytesMax))
            }
            self.hints = hints
            participant = try decoder.decodeBool() ? try decoder.decodeBytes32() : nil
            try decoder.finish()
        } catch {
            throw .damaged
        }
    }
}
