/// A span of a trip's life in which one set of members holds one secret, and the keys that come of it.
package struct Epoch: Hashable, Sendable {
    package let secret: Bytes32
    /// Names the epoch beside a sealed change; says nothing of the secret.
    package let id: Bytes16
    /// Seals changes (XChaCha20-Poly1305).
    package let sealingKey: Bytes32
    /// Makes the nonces of sealed changes (keyed BLAKE2b).
    package let nonceKey: Bytes32
    /// Makes and recognises discovery's instance names (HMAC-SHA256).
    package let discoveryKey: Bytes32
    /// The pre-shared key of sessions.
    package let sessionKey: Bytes32

    package init(secret: Bytes32, using cryptography: some Cryptography) {
        self.secret = secret
        id = cryptography.deriveKey(from: secret, label: "caravan epoch id").prefix16
        sealingKey = cryptography.deriveKey(from: secret, label: "caravan change seal")
        nonceKey = cryptography.deriveKey(from: secret, label: "caravan change nonce")
        discoveryKey = cryptography.deriveKey(from: secret, label: "caravan discovery")
        sessionKey = cryptography.deriveKey(from: secret, label: "caravan session")
    }
}
