package import ChangeLog
import DeltaCRDT

/// What a joiner is given: `caravan:` and the base 32 of the trip's id, the invite's secret, address hints and mailboxes.
package struct InviteLink: Hashable, Sendable {
    package let trip: Bytes32
    package let secret: Bytes32
    /// Addresses and ports at which a member may be reached where multicast is blocked, as `host:port`.
    package let hints: [String]
    /// Whose further device is to come by it; nil for a new participant.
    package let participant: Bytes32?
    /// Where a joiner can ask who is on no network with a member.
    package let mailboxes: [Mailbox]

    /// A mailbox of the trip.
    package struct Mailbox: Hashable, Sendable {
        package let prefix: Bytes16
        /// A server's; nil for a folder, whose path differs from home to home.
        package let address: String?

        /// An address that is too long for a link is left out.
        package init(prefix: Bytes16, address: String?) {
            self.prefix = prefix
            self.address = address.flatMap { (1...InviteLink.addressBytesMax).contains($0.utf8.count) ? $0 : nil }
        }
    }

    /// - Parameters:
    ///   - hints: the first four are kept, and fewer where the link would be too long.
    ///   - mailboxes: the first two are kept.
    package init(
        trip: Bytes32, secret: Bytes32, hints: [String], participant: Bytes32? = nil, mailboxes: [Mailbox] = []
    ) {
        self.participant = participant
        self.trip = trip
        self.secret = secret
        self.mailboxes = Array(mailboxes.prefix(InviteLink.mailboxesMax))
        var hints = Array(hints.prefix(InviteLink.hintsMax))
        while !hints.isEmpty,
            !Self.fits(Self.body(trip, secret, hints, participant, self.mailboxes).count)
        { hints.removeLast() }
        self.hints = hints
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
    package static let mailboxesMax = 2
    fileprivate static let addressBytesMax = 160
    private static let scheme = "caravan:"
    /// A link with mailboxes has another first byte, so that an older version says what it lacks.
    private static let version: UInt8 = 1
    private static let versionWithMailboxes: UInt8 = 2
    private static let checksumSize = 4
    private static let hintBytesMax = 64
    private static let lengthMax = 1_000

    /// What the person who comes by it is called after (`Origin`).
    package func inviteID(using cryptography: some Cryptography) -> Bytes32 {
        Invite.id(ofSecret: secret, using: cryptography)
    }

    package func text(using cryptography: some Cryptography) -> String {
        let body = Self.body(trip, secret, hints, participant, mailboxes)
        let checksum = cryptography.hash(body).bytes.prefix(InviteLink.checksumSize)
        return InviteLink.scheme + Base32.encode(body + checksum)
    }

    private static func body(
        _ trip: Bytes32, _ secret: Bytes32, _ hints: [String], _ participant: Bytes32?, _ mailboxes: [Mailbox]
    ) -> [UInt8] {
        var encoder = CanonicalEncoder()
        encoder.encode(byte: mailboxes.isEmpty ? version : versionWithMailboxes)
        encoder.encode(fixed: trip.bytes)
        encoder.encode(fixed: secret.bytes)
        encoder.encode(count: hints.count)
        for hint in hints { encoder.encode(hint) }
        encoder.encode(participant != nil)
        if let participant { encoder.encode(fixed: participant.bytes) }
        guard !mailboxes.isEmpty else { return encoder.bytes }
        encoder.encode(count: mailboxes.count)
        for mailbox in mailboxes {
            encoder.encode(fixed: mailbox.prefix.bytes)
            encoder.encode(mailbox.address != nil)
            if let address = mailbox.address { encoder.encode(address) }
        }
        return encoder.bytes
    }

    /// Whether a link of so many bytes has few enough characters: 8 for each 5 bytes.
    private static func fits(_ bytes: Int) -> Bool {
        scheme.utf8.count + ((bytes + checksumSize) * 8 + 4) / 5 <= lengthMax
    }

    package init(text: String, using cryptography: some Cryptography) throws(Failure) {
        guard text.utf8.count <= InviteLink.lengthMax else { throw .damaged }
        guard text.lowercased().hasPrefix(InviteLink.scheme) else { throw .notAnInvite }
        guard let bytes = Base32.decode(text.dropFirst(InviteLink.scheme.count)),
            let version = bytes.first, bytes.count > InviteLink.checksumSize
        else { throw .damaged }
        guard version <= InviteLink.versionWithMailboxes else { throw .newerVersion }
        let body = Array(bytes.dropLast(InviteLink.checksumSize))
        guard cryptography.hash(body).bytes.starts(with: bytes.suffix(InviteLink.checksumSize)) else { throw .damaged }
        do {
            var decoder = CanonicalDecoder(body)
            let version = try decoder.decodeByte()
            guard version >= InviteLink.version else { throw DecodingFailure.unknown }
            trip = try decoder.decodeBytes32()
            secret = try decoder.decodeBytes32()
            var hints: [String] = []
            for _ in 0..<(try decoder.decodeCount(limit: InviteLink.hintsMax)) {
                hints.append(try decoder.decodeString(limit: InviteLink.hintBytesMax))
            }
            self.hints = hints
            participant = try decoder.decodeBool() ? try decoder.decodeBytes32() : nil
            var mailboxes: [Mailbox] = []
            if version == InviteLink.versionWithMailboxes {
                for _ in 0..<(try decoder.decodeCount(limit: InviteLink.mailboxesMax)) {
                    mailboxes.append(try Mailbox(from: &decoder))
                }
                guard !mailboxes.isEmpty else { throw DecodingFailure.notCanonical }
            }
            self.mailboxes = mailboxes
            try decoder.finish()
        } catch {
            throw .damaged
        }
    }
}

extension InviteLink.Mailbox {
    fileprivate init(from decoder: inout CanonicalDecoder) throws(DecodingFailure) {
        prefix = try decoder.decodeBytes16()
        address = try decoder.decodeBool() ? try decoder.decodeString(limit: InviteLink.addressBytesMax) : nil
        guard address != "" else { throw .notCanonical }
    }
}
