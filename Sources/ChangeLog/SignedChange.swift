import DeltaCRDT

/// A change with its hash, its author's signature, and the sealed form that goes to disk and to peers.
///
/// Immutable, and a class so that one copy serves the log, the store and every session.
package final class SignedChange: Sendable {
    package let change: Change
    /// BLAKE2b-256 of the change's encoding.
    package let hash: Bytes32
    package let signature: Signature
    package let sealed: [UInt8]
    /// The content as the application has read it, where it has.
    package let content: (any ReadContent)?

    private init(
        change: Change, hash: Bytes32, signature: Signature, sealed: [UInt8], contents: (any ContentReading)?
    ) {
        if case .content(let bytes) = change.body {
            content = contents?.read(bytes)
        } else {
            content = nil
        }
        self.change = change
        self.hash = hash
        self.signature = signature
        self.sealed = sealed
    }

    /// Signs and seals a change.
    package static func make(
        _ change: Change, signingSeed: Bytes32, epoch: Epoch, contents: (any ContentReading)? = nil,
        using cryptography: some Cryptography
    ) -> SignedChange {
        let encoding = change.encoding
        let hash = cryptography.hash(encoding)
        let signature = cryptography.sign(SignedChange.signedMessage(hash), seed: signingSeed)
        let signed = encoding + signature
        let nonce = SignedChange.nonce(of: signed, epoch: epoch, using: cryptography)
        let header = SignedChange.header(epoch)
        let ciphertext = cryptography.encrypt(signed, nonce: nonce, key: epoch.sealingKey, authenticating: header)
        return SignedChange(
            change: change, hash: hash, signature: signature, sealed: header + nonce + ciphertext,
            contents: contents)
    }

    /// The epoch that a sealed change names, or nil where the bytes cannot be one.
    package static func epochID(ofSealed sealed: [UInt8]) -> Bytes16? {
        guard sealed.count > overhead, sealed.count <= ChangeLimits.sealedBytesMax, sealed[0] == version else {
            return nil
        }
        return Bytes16(sealed[1..<17])
    }

    /// Opens a sealed change. Does not check the signature: `hasValidSignature` does.
    package static func open(
        _ sealed: [UInt8], epoch: Epoch, contents: (any ContentReading)? = nil, using cryptography: some Cryptography
    ) throws(Refusal) -> SignedChange {
        guard epochID(ofSealed: sealed) == epoch.id else { throw .malformed(.unknown) }
        let nonce = Array(sealed[17..<41])
        guard
            let signed = cryptography.decrypt(
                Array(sealed[41...]), nonce: nonce, key: epoch.sealingKey, authenticating: header(epoch)),
            signed.count > 64
        else { throw .altered }
        // One change has one sealed form: a nonce of another's choosing is refused.
        guard SignedChange.nonce(of: signed, epoch: epoch, using: cryptography) == nonce else { throw .altered }
        let encoding = Array(signed.dropLast(64))
        do {
            var decoder = CanonicalDecoder(encoding)
            let change = try Change(from: &decoder, using: cryptography)
            try decoder.finish()
            return SignedChange(
                change: change, hash: cryptography.hash(encoding), signature: Array(signed.suffix(64)), sealed: sealed,
                contents: contents)
        } catch {
            throw .malformed(error)
        }
    }

    package func hasValidSignature(by key: Bytes32, using cryptography: some Cryptography) -> Bool {
        cryptography.isValid(signature, of: SignedChange.signedMessage(hash), by: key)
    }

    private static let version: UInt8 = 1
    private static let overhead = 1 + 16 + 24 + 16

    private static func header(_ epoch: Epoch) -> [UInt8] { [version] + epoch.id.bytes }

    private static let signedPrefix = Array("caravan change".utf8)

    private static func signedMessage(_ hash: Bytes32) -> [UInt8] { signedPrefix + hash.bytes }

    /// Derived from what is sealed, so that a machine restored to an earlier day cannot repeat one for other bytes.
    private static func nonce(of signed: [UInt8], epoch: Epoch, using cryptography: some Cryptography) -> [UInt8] {
        Array(cryptography.hash(signed, key: epoch.nonceKey).bytes.prefix(24))
    }
}
