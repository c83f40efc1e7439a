package import Attachments
package import ChangeLog
package import DeltaCRDT

/// What a device tells the others through a mailbox: some changes, and all that is durable there.
package struct MailboxLetter: Hashable, Sendable {
    package let author: ReplicaID
    /// Milliseconds since 1970 by its author's clock, and greater than in the author's letters before: of a device's letters the latest
    /// says what it holds.
    package let time: Int64
    /// Of changes, each after its past.
    package let records: [[UInt8]]
    /// Changes that are durable at its author, with their pasts, but for the absent bodies.
    package let have: [Bytes32]
    package let absent: AbsentBodies
    /// Blocks that its author finds damaged, again and again.
    package let damaged: [BlockName]
    /// Chunks of photos that its author lacks, and wants to be put.
    package let wants: [BlobHash]
    /// A device that is out, and is told so: the records are its removal and the past of that, and the letter says nothing of its author.
    package let told: ReplicaID?
    /// Whether it came sealed to the devices that its author knew to be in, and to no others.
    package var isBoxed = false
    /// The author's, of `signedMessage`.
    private let signature: Signature
    private let body: [UInt8]

    /// Changes named in `have`.
    package static let haveMax = PeerKnowledge.summaryMax
    package static let damagedMax = 64
    /// Chunks named in `wants`: a picture of the greatest size.
    package static let wantsMax = Blob.chunksMax
    /// Records in one letter.
    package static let recordsMax = 4_096
    /// Bytes of the records of a letter that holds more than one.
    package static let recordBytesMax = 48 << 10
    private static let signatureSize = 64

    /// Writes a letter for one slot.
    package init(
        by author: DeviceSecrets, at time: Int64, records: [[UInt8]], have: [Bytes32], absent: AbsentBodies,
        damaged: [BlockName] = [], wants: [BlobHash] = [], telling told: ReplicaID? = nil, in slot: MailboxSlot,
        using cryptography: some Cryptography
    ) {
        var encoder = CanonicalEncoder()
        encoder.encode(author.device.replica)
        encoder.encode(time)
        encoder.encode(count: records.count)
        for record in records { encoder.encode(record) }
        encoder.encode(count: have.count)
        for hash in have { encoder.encode(fixed: hash.bytes) }
        absent.encode(into: &encoder)
        encoder.encode(count: damaged.count)
        for name in damaged { encoder.encode(fixed: name.hash.bytes) }
        if !wants.isEmpty || told != nil { encoder.encode(count: wants.count) }
        for chunk in wants { encoder.encode(chunk) }
        if let told { encoder.encode(told) }
        self.author = author.device.replica
        (self.time, self.records, self.have, self.absent) = (time, records, have, absent)
        (self.damaged, self.wants, self.told) = (damaged, wants, told)
        body = encoder.bytes
        signature = cryptography.sign(
            Self.signedMessage(encoder.bytes, in: slot, using: cryptography), seed: author.signingSeed)
    }

    package var encoding: [UInt8] {
        var encoder = CanonicalEncoder(reservingCapacity: body.count + 80)
        encoder.encode(body)
        encoder.encode(fixed: signature)
        return encoder.bytes
    }

    /// Reads a letter, of which nothing is believed before `isSigned`. A body may grow at its end.
    package init(decoding bytes: [UInt8]) throws(DecodingFailure) {
        var decoder = CanonicalDecoder(bytes)
        body = try decoder.decodeBytes(limit: MailboxBlock.sizeMax)
        signature = Array(try decoder.decodeFixed(Self.signatureSize))
        try decoder.finish()
        var inner = CanonicalDecoder(body)
        author = try inner.decodeReplicaID()
        time = try inner.decodeInt64()
        var records: [[UInt8]] = []
        for _ in 0..<(try inner.decodeCount(limit: Self.recordsMax, minimumSize: Self.signatureSize)) {
            records.append(try inner.decodeBytes(limit: ChangeBounds.recordBytesMax))
        }
        self.records = records
        var have: [Bytes32] = []
        for _ in 0..<(try inner.decodeCount(limit: Self.haveMax, minimumSize: 32)) {
            have.append(try inner.decodeBytes32())
        }
        self.have = have
        absent = try AbsentBodies(from: &inner)
        var damaged: [BlockName] = []
        for _ in 0..<(try inner.decodeCount(limit: Self.damagedMax, minimumSize: 32)) {
            damaged.append(BlockName(try inner.decodeBytes32()))
        }
        self.damaged = damaged
        var wants: [BlobHash] = []
        let count = inner.remaining > 0 ? try inner.decodeCount(limit: Self.wantsMax, minimumSize: 32) : 0
        for _ in 0..<count {
            wants.append(try inner.decodeBlobHash())
        }
        self.wants = wants
        told = inner.remaining > 0 ? try inner.decodeReplicaID() : nil
    }

    /// Whether a device wrote it, for this slot.
    package func isSigned(by device: Device, in slot: MailboxSlot, using cryptography: some Cryptography) -> Bool {
        device.replica == author
            && cryptography.isValid(
                signature, of: Self.signedMessage(body, in: slot, using: cryptography), by: device.signingKey)
    }

    private static func signedMessage(
        _ body: [UInt8], in slot: MailboxSlot, using cryptography: some Cryptography
    ) -> [UInt8] {
        slot.associatedData + cryptography.hash(body).bytes
    }
}

extension MailboxLetter {
    /// Reads a letter from an opened block; nil where none is there.
    init?(of content: MailboxBlock.Content) {
        switch content {
        case .letter(let bytes), .boxedLetter(let bytes):
            guard let letter = try? MailboxLetter(decoding: bytes) else { return nil }
            self = letter
            if case .boxedLetter = content { isBoxed = true }
        case .joinRequest, .joinAnswer, .chunks, .notForThisDevice, .unknown: return nil
        }
    }
}
