import CSodium

/// X25519 (RFC 7748) on secrets that are held in `SecretBytes`.
enum X25519 {
    /// The length in bytes of a public key, of a secret and of a shared secret.
    static let keyLength = 32

    static func publicKey(of secret: SecretBytes) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: keyLength) { key, count in
            secret.withUnsafePointer { _ = crypto_scalarmult_curve25519_base(key.baseAddress!, $0) }
            count = keyLength
        }
    }

    /// The shared secret; nil where it would be all zero (RFC 7748, section 6.1), or a key has another length than 32.
    static func agree(_ secret: SecretBytes, _ publicKey: [UInt8]) -> SecretBytes? {
        guard publicKey.count == keyLength else { return nil }
        var isRefused = false
        let shared = SecretBytes(count: keyLength) { shared in
            isRefused = secret.withUnsafePointer { crypto_scalarmult_curve25519(shared, $0, publicKey) != 0 }
        }
        return isRefused ? nil : shared
    }
}
