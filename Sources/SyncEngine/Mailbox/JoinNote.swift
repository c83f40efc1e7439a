import ChangeLog
import DeltaCRDT

/// A request or answer in an invite's slots (Documentation/Protocol.md, section 14). Everybody with the link can write and read it.
enum JoinNote: Sendable {
    case request(JoinRequest)
    case answer(SignedGrant)
}

/// A member's answer to an admitted joiner: an epoch's secret. The receiver doesn't know the author yet, and believes the answer
/// only once it leads to the log. Members see by the signature who has answered already.
struct SignedGrant: Hashable, Sendable {
    let receiver: ReplicaID
    let grant: DeviceGrant
    let author: ReplicaID
    private let signature: Signature

    private static let signatureSize = 64

    init(
        of grant: DeviceGrant, to receiver: ReplicaID, by author: DeviceSecrets, in slot: MailboxSlot,
        using cryptography: some Cryptography
    ) {
        (self.receiver, self.grant, self.author) = (receiver, grant, author.device.replica)
        let body = Self.body(receiver, grant, author.device.replica)
        signature = cryptography.sign(Self.signedMessage(body, in: slot), seed: author.signingSeed)
    }

    var encoding: [UInt8] { Self.body(receiver, grant, author) + signature }

    /// Reads an answer, of which nothing is believed. It may grow at its end.
    init(decoding bytes: [UInt8]) throws(DecodingFailure) {
        var decoder = CanonicalDecoder(bytes)
        receiver = try decoder.decodeReplicaID()
        grant = try decoder.decodeDeviceGrant()
        author = try decoder.decodeReplicaID()
        signature = Array(try decoder.decodeFixed(Self.signatureSize))
    }

    func isSigned(by device: Device, in slot: MailboxSlot, using cryptography: some Cryptography) -> Bool {
        device.replica == author
            && cryptography.isValid(
                signature, of: Self.signedMessage(Self.body(receiver, grant, author), in: slot), by: device.signingKey)
    }

    private static func body(_ receiver: ReplicaID, _ grant: DeviceGrant, _ author: ReplicaID) -> [UInt8] {
        var encoder = CanonicalEncoder()
        encoder.encode(receiver)
        encoder.encode(grant)
        encoder.encode(author)
        return encoder.bytes
    }

    private static func signedMessage(_ body: [UInt8], in slot: MailboxSlot) -> [UInt8] {
        Array("caravan join answer".utf8) + slot.associatedData + body
    }
}

extension JoinRequest {
    init(
        of secrets: DeviceSecrets, for trip: Bytes32, by invitation: Invitation, using cryptography: some Cryptography
    ) {
        let message = Admission.consentMessage(trip: trip, device: secrets.device, name: invitation.name)
        (device, name) = (secrets.device, invitation.name)
        consent = cryptography.sign(message, seed: secrets.signingSeed)
    }

    /// As in a session.
    var encoding: [UInt8] {
        var encoder = CanonicalEncoder()
        encode(into: &encoder)
        return encoder.bytes
    }

    func encode(into encoder: inout CanonicalEncoder) {
        encoder.encode(device)
        encoder.encode(name)
        encoder.encode(fixed: consent)
    }

    init(from decoder: inout CanonicalDecoder, using cryptography: some Cryptography) throws(DecodingFailure) {
        device = try decoder.decodeDevice(using: cryptography)
        name = try decoder.decodeString(limit: ChangeBounds.nameBytesMax)
        consent = Array(try decoder.decodeFixed(64))
    }
}
