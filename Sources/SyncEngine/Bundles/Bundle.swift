package import ChangeLog
package import DeltaCRDT

/// A trip's changes in one sealed file, for members without a common network (Documentation/Protocol.md, section 13).
package struct Bundle: Hashable, Sendable {
    package let trip: Bytes32
    /// The device that made it.
    package let author: ReplicaID
    /// Of changes, each after its past.
    package let records: [[UInt8]]
    /// The author's, of `signedMessage`.
    let signature: Signature
    /// What the signature is of.
    let signedMessage: [UInt8]

    static let magic = Array("caravan bundle".utf8)
    static let version: UInt8 = 1
    /// The greatest bundle that is made or read, in bytes.
    package static let bytesMax = 128 << 20
    /// Bytes of the content that are sealed together; the last chunk may hold fewer.
    static let chunkSize = 65_536
    static let tagSize = 16
    static let nonceSize = 24
    static let selectorSize = 16
    /// What stands before the boxes.
    static let prefixSize = magic.count + 1 + nonceSize + selectorSize + 32 + tagSize

    /// Why a bundle is not made or taken. Nothing of it is kept then.
    package enum Failure: Error, Hashable, Sendable {
        /// The bytes do not begin as a bundle's do.
        case notABundle
        case newerVersion
        case tooLarge
        /// Its key is locked for other devices, or for holders of a secret that is not here; or its beginning was altered.
        case notForThisDevice
        /// It was altered or cut.
        case damaged
        case otherTrip
        /// Its author is out, or nobody let them in, as far as what is here and what it holds say together.
        case authorNotIn
        /// It holds a change that no node takes.
        case refused(Refusal)
    }

    /// Whether bytes begin as a bundle's do.
    package static func isBegun(by bytes: some Sequence<UInt8>) -> Bool { bytes.starts(with: magic) }

    /// How many bytes tell that.
    package static var magicSize: Int { magic.count }

    static func selector(of epoch: Epoch, _ nonce: [UInt8], using cryptography: some Cryptography) -> [UInt8] {
        let key = KeySchedule(secret: epoch.secret, using: cryptography).selector
        return Array(cryptography.authenticate(magic + nonce, key: key).bytes.prefix(selectorSize))
    }

    static func lockingKey(of epoch: Epoch, using cryptography: some Cryptography) -> Bytes32 {
        cryptography.deriveKey(from: epoch.secret, label: "caravan bundle")
    }

    /// The key of a bundle seals its chunks alone, so their numbers are nonces enough; the last one says that it is the last
    /// (STREAM of Hoang, Reyhanitabar, Rogaway and Vizár, 2015).
    static func nonce(ofChunk number: Int, isLast: Bool) -> [UInt8] {
        [UInt8](repeating: 0, count: 15)
            + (0..<8).map { UInt8(truncatingIfNeeded: UInt64(number) >> (56 - 8 * $0)) } + [isLast ? 1 : 0]
    }

    static func signedMessage(_ content: [UInt8], using cryptography: some Cryptography) -> [UInt8] {
        magic + cryptography.hash(content).bytes
    }
}

extension TripLog {
    /// Receives all changes of a bundle, or none: each as if it had arrived in a session. A bundle whose author is not a member is
    /// refused.
    ///
    /// Complexity: that of receiving its records, and of one copy of the log.
    package mutating func receive(_ bundle: Bundle) throws(Bundle.Failure) -> Received {
        guard bundle.trip == trip else { throw .otherTrip }
        var grown = self
        let received = grown.receive(bundle.records)
        if let refusal = received.refusal { throw .refused(refusal) }
        guard let author = grown.device(bundle.author), grown.isIn(bundle.author) else { throw .authorNotIn }
        guard cryptography.isValid(bundle.signature, of: bundle.signedMessage, by: author.signingKey) else {
            throw .damaged
        }
        self = grown
        return received
    }
}
