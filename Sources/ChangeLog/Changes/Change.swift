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
    /// 1 + the greatest Lamport time in its past; 1 where that is empty.
    package let lamport: UInt64
    /// Milliseconds since 1970 by the author's clock. For people to read, never for a decision.
    package let wallTime: Int64
    /// What it says of who is in.
    package let statement: Statement?
    /// What the application wrote: opaque here.
    package let content: [UInt8]
}

/// Orders changes in a way that extends causality: by Lamport time, ties by hash.
package struct ChangeStamp: Hashable, Comparable, Sendable {
    package let lamport: UInt64
    package let hash: Bytes32

    package static func < (left: ChangeStamp, right: ChangeStamp) -> Bool {
        (left.lamport, left.hash) < (right.lamport, right.hash)
    }
}

/// A change with its hash and its author's signature.
///
/// Immutable, and a class so that one copy serves the log, the store and every session.
package final class SignedChange: Sendable {
    package let change: Change
    /// BLAKE2b-256 of the change's encoding: its only name.
    package let hash: Bytes32
    /// The change's encoding, then the signature: what is stored, sent and backed up.
    package let record: [UInt8]

    package var stamp: ChangeStamp { ChangeStamp(lamport: change.lamport, hash: hash) }

    private init(change: Change, hash: Bytes32, record: [UInt8]) {
        self.change = change
        self.hash = hash
        self.record = record
    }

    /// Signs a change.
    package init(_ change: Change, signingSeed: Bytes32, using cryptography: some Cryptography) {
        let encoding = change.encoding
        self.change = change
        hash = cryptography.hash(encoding)
        record = encoding + cryptography.sign(SignedChange.signedMessage(hash), seed: signingSeed)
    }

    /// Reads a record. Does not check the signature.
    package convenience init(record: [UInt8], using cryptography: some Cryptography) throws(Refusal) {
        guard record.count <= ChangeBounds.recordBytesMax else { throw .malformed(.tooLarge) }
        guard record.count > SignedChange.signatureSize else { throw .malformed(.truncated) }
        let encoding = Array(record.dropLast(SignedChange.signatureSize))
        do {
            var decoder = CanonicalDecoder(encoding)
            let change = try Change(from: &decoder, using: cryptography)
            try decoder.finish()
            self.init(change: change, hash: cryptography.hash(encoding), record: record)
        } catch {
            throw .malformed(error)
        }
    }

    package var signature: Signature { Array(record[(record.count - SignedChange.signatureSize)...]) }

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
