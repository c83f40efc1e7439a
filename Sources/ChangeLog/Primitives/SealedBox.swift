/// Bytes that only the holder of one X25519 secret can read: an ephemeral key, then XChaCha20-Poly1305.
package enum SealedBox {
    /// Bytes that a box is longer than its content.
    package static let overhead = 32 + 16

    /// Seals `content` to a key. Nil where the key is weak.
    /// - Parameter ephemeralSecret: 32 fresh random bytes, used for this box alone.
    package static func seal(
        _ content: [UInt8], to publicKey: Bytes32, ephemeralSecret: Bytes32, using cryptography: some Cryptography
    ) -> [UInt8]? {
        let ephemeralKey = cryptography.agreementPublicKey(secret: ephemeralSecret)
        guard let shared = cryptography.agree(secret: ephemeralSecret, publicKey: publicKey) else { return nil }
        let key = boxKey(shared, ephemeralKey, publicKey, using: cryptography)
        return ephemeralKey.bytes
            + cryptography.encrypt(content, nonce: nonce, key: key, authenticating: [])
    }

    /// The content, or nil where the box is another's or was altered.
    package static func open(_ box: [UInt8], with secret: Bytes32, using cryptography: some Cryptography) -> [UInt8]? {
        guard box.count >= overhead, let ephemeralKey = Bytes32(box.prefix(32)) else { return nil }
        guard let shared = cryptography.agree(secret: secret, publicKey: ephemeralKey) else { return nil }
        let key = boxKey(shared, ephemeralKey, cryptography.agreementPublicKey(secret: secret), using: cryptography)
        return cryptography.decrypt(Array(box.dropFirst(32)), nonce: nonce, key: key, authenticating: [])
    }

    /// A key is used once, so its nonce may be constant.
    private static let nonce = [UInt8](repeating: 0, count: 24)

    private static func boxKey(
        _ shared: Bytes32, _ ephemeralKey: Bytes32, _ publicKey: Bytes32, using cryptography: some Cryptography
    ) -> Bytes32 {
        let material = Array("caravan sealed box".utf8) + ephemeralKey.bytes + publicKey.bytes
        return cryptography.hash(material, key: shared)
    }
}
