package import DeltaCRDT

/// One act of one person, as it is written to their device's log: an envelope that every node judges alike, and content that
/// none refuses (Documentation/Protocol.md, section 3).
package struct Change: Hashable, Sendable {
    /// BLAKE2b-256 of the founder's root key.
    package let trip: Bytes32
    /// The author's log.
    package let replica: ReplicaID
    /// The change's number in that log, from 1.
    package let number: UInt64
    /// The hash of the author's change before this one; nil exactly when `number` is 1.
    package let previous: Bytes32?
    /// What else the author had seen last, by hash, ascending.
    package let heads: [Bytes32]
    /// The changes in its past that made the items, lists and comments that its content acts on, by hash, ascending.
    package let subjects: [Bytes32]
    /// 1 + the greatest Lamport time in its past; 1 where that is empty.
    package let lamport: UInt64
    /// Milliseconds since 1970 by the author's clock. For people to read, never for a decision.
    package let wallTime: Int64
    /// What it says of who is in.
    package let statement: Statement?
    /// 16 bytes that only the author can foresee, so that nobody can guess a body from its hash. They mean nothing without a body.
    package let salt: Bytes16
    /// What the application wrote: opaque here.
    package let content: [UInt8]

    package init(
        trip: Bytes32, replica: ReplicaID, number: UInt64, previous: Bytes32?, heads: [Bytes32],
        subjects: [Bytes32] = [], lamport: UInt64, wallTime: Int64, statement: Statement?,
        salt: Bytes16 = Bytes16(high: 0, low: 0), content: [UInt8]
    ) {
        self.trip = trip
        self.replica = replica
        self.number = number
        self.previous = previous
        self.heads = heads
        self.subjects = subjects
        self.lamport = lamport
        self.wallTime = wallTime
        self.statement = statement
        self.salt = salt
        self.content = content
    }
}

/// What a header says of its body.
package struct BodyDigest: Hashable, Sendable {
    /// In bytes.
    package let size: Int
    /// BLAKE2b-256.
    package let hash: Bytes32
}

/// Orders changes in a way that extends causality: by Lamport time, ties by hash.
package struct ChangeTimestamp: Hashable, Comparable, Sendable {
    package let lamport: UInt64
    package let hash: Bytes32

    package static func < (left: ChangeTimestamp, right: ChangeTimestamp) -> Bool {
        (left.lamport, left.hash) < (right.lamport, right.hash)
    }
}

/// A change with its hash and its author's signature, with or without its body.
///
/// Immutable, and a class so that one copy serves the log, the store and every session.
package final class SignedChange: Sendable {
    /// Without its body, the content is empty and a grant has no boxes.
    package let change: Change
    /// BLAKE2b-256 of the header: its only name.
    package let hash: Bytes32
    /// Nil where the change has no body.
    package let digest: BodyDigest?
    /// The header, the signature, and the body where it is here: what is stored, sent and backed up.
    package let record: [UInt8]
    /// Bytes of the header and the signature.
    private let headSize: Int

    package var stamp: ChangeTimestamp { ChangeTimestamp(lamport: change.lamport, hash: hash) }

    private init(change: Change, hash: Bytes32, digest: BodyDigest?, record: [UInt8], headSize: Int) {
        self.change = change
        self.hash = hash
        self.digest = digest
        self.record = record
        self.headSize = headSize
    }

    /// Signs a change.
    package convenience init(_ change: Change, signingSeed: Bytes32, using cryptography: some Cryptography) {
        let body = change.body
        let digest = body.map { BodyDigest(size: $0.count, hash: cryptography.hash($0)) }
        let header = change.header(digest)
        let hash = cryptography.hash(header)
        let head = header + cryptography.sign(SignedChange.signedMessage(hash), seed: signingSeed)
        self.init(
            change: body == nil ? change.withoutBody : change, hash: hash, digest: digest, record: head + (body ?? []),
            headSize: head.count)
    }

    /// Reads a record, with or without the body. Does not check the signature.
    package convenience init(record: [UInt8], using cryptography: some Cryptography) throws(Refusal) {
        guard record.count <= ChangeBounds.recordBytesMax else { throw .malformed(.tooLarge) }
        do throws(DecodingFailure) {
            var decoder = CanonicalDecoder(record)
            let (change, digest) = try Change.header(from: &decoder, using: cryptography)
            let header = Array(record[..<(record.count - decoder.remaining)])
            _ = try decoder.decodeFixed(SignedChange.signatureSize)
            let headSize = header.count + SignedChange.signatureSize
            let body = Array(try decoder.decodeFixed(decoder.remaining))
            guard body.isEmpty || digest == BodyDigest(size: body.count, hash: cryptography.hash(body)) else {
                throw DecodingFailure.notCanonical
            }
            self.init(
                change: body.isEmpty ? change : change.with(body: body), hash: cryptography.hash(header),
                digest: digest, record: record, headSize: headSize)
        } catch {
            throw .malformed(error)
        }
    }

    /// Whether nothing of it is absent.
    package var isWhole: Bool { digest == nil || record.count > headSize }

    /// Bytes of the whole record.
    package var size: Int { headSize + (digest?.size ?? 0) }

    /// The header and the signature.
    package var head: [UInt8] { isWhole && digest != nil ? Array(record[..<headSize]) : record }

    /// The same change without its body.
    package var withoutBody: SignedChange {
        guard isWhole, digest != nil else { return self }
        return SignedChange(change: change.withoutBody, hash: hash, digest: digest, record: head, headSize: headSize)
    }

    /// The same change with the body of another record of it.
    package func with(bodyOf other: SignedChange) -> SignedChange {
        guard !isWhole, other.isWhole, other.digest == digest else { return self }
        return SignedChange(
            change: other.change, hash: hash, digest: digest, record: head + other.record[other.headSize...],
            headSize: headSize)
    }

    package var signature: Signature { Array(record[(headSize - SignedChange.signatureSize)..<headSize]) }

    private static let signatureSize = 64
    private static let signedPrefix = Array("caravan change".utf8)

    static func signedMessage(_ hash: Bytes32) -> [UInt8] {
        var message: [UInt8] = []
        message.reserveCapacity(signedPrefix.count + 32)
        message.append(contentsOf: signedPrefix)
        hash.append(to: &message)
        return message
    }
}
