/// An Ed25519 signature: 64 bytes.
package typealias Signature = [UInt8]

/// The primitives that the log stands on. All are deterministic: what is random is drawn by the caller.
///
/// `Sodium` has the real ones; the simulator has fast ones that keep the same promises among honest code.
package protocol Cryptography: Sendable {
    /// BLAKE2b-256 (RFC 7693).
    func hash(_ message: [UInt8]) -> Bytes32
    /// BLAKE2b-256 with a key.
    func hash(_ message: [UInt8], key: Bytes32) -> Bytes32

    /// The Ed25519 public key of a seed (RFC 8032).
    func signingPublicKey(seed: Bytes32) -> Bytes32
    /// An Ed25519 signature.
    func sign(_ message: [UInt8], seed: Bytes32) -> Signature
    func isValid(_ signature: Signature, of message: [UInt8], by publicKey: Bytes32) -> Bool
    /// Which of several signatures hold, in their order: the real ones are checked on all cores.
    func areValid(_ checks: [SignatureCheck]) -> [Bool]

    /// The X25519 public key of a secret (RFC 7748).
    func agreementPublicKey(secret: Bytes32) -> Bytes32
    /// The X25519 shared secret, or nil where it would be all zero.
    func agree(secret: Bytes32, publicKey: Bytes32) -> Bytes32?

    /// XChaCha20-Poly1305-IETF: the ciphertext and its 16-byte tag. The nonce has 24 bytes.
    func encrypt(_ plaintext: [UInt8], nonce: [UInt8], key: Bytes32, authenticating header: [UInt8]) -> [UInt8]
    /// The plaintext, or nil where anything was altered.
    func decrypt(_ ciphertext: [UInt8], nonce: [UInt8], key: Bytes32, authenticating header: [UInt8]) -> [UInt8]?

    /// HKDF-SHA256 (RFC 5869) with no salt: 32 bytes for one purpose, named by `label`.
    func deriveKey(from secret: Bytes32, label: String) -> Bytes32
    /// HMAC-SHA256 (RFC 2104).
    func authenticate(_ message: [UInt8], key: Bytes32) -> Bytes32
}

/// A signature, and what it is to be of and by.
package struct SignatureCheck: Sendable {
    package let signature: Signature
    package let message: [UInt8]
    package let key: Bytes32

    package init(signature: Signature, message: [UInt8], key: Bytes32) {
        self.signature = signature
        self.message = message
        self.key = key
    }
}

extension Cryptography {
    package func areValid(_ checks: [SignatureCheck]) -> [Bool] {
        checks.map { isValid($0.signature, of: $0.message, by: $0.key) }
    }
}
