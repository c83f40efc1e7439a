import CSodium
package import ChangeLog

/// libsodium could not be made ready: the system gave it no randomness.
package struct SodiumUnavailable: Error {}

/// The real primitives, on libsodium.
package struct SodiumCryptography: Sendable {
    /// How many signing keys are kept expanded; beyond, the oldest is let go.
    static let signingKeysMax = 32

    /// The protocol of the sessions.
    let sessionProtocol: NoiseProtocol
    private(set) var signingKeys: [SigningKey] = []

    /// Makes libsodium ready; cheap after the first time, and safe from any thread.
    package init() throws(SodiumUnavailable) {
        guard sodium_init() >= 0, let sessions = NoiseProtocol(name: "Noise_XXpsk0_25519_ChaChaPoly_SHA256") else {
            throw SodiumUnavailable()
        }
        sessionProtocol = sessions
    }

    /// The same primitives, with the key of `seed` kept expanded, until the last copy goes: signing with it then takes
    /// half the time. For a seed that signs often.
    package func keeping(signingSeed seed: Bytes32) -> SodiumCryptography {
        var copy = self
        copy.signingKeys = signingKeys.suffix(Self.signingKeysMax - 1) + [SigningKey(seed: seed)]
        return copy
    }

    private func signingKey(_ seed: Bytes32) -> SigningKey {
        signingKeys.first { $0.isOf(seed) } ?? SigningKey(seed: seed)
    }
}

extension SodiumCryptography: Cryptography {
    package func hash(_ message: [UInt8]) -> Bytes32 {
        .filled { crypto_generichash($0, 32, message, UInt64(message.count), nil, 0) }
    }

    package func hash(_ message: [UInt8], key: Bytes32) -> Bytes32 {
        let key = SecretBytes(key)
        return .filled { hash in
            key.withUnsafePointer { _ = crypto_generichash(hash, 32, message, UInt64(message.count), $0, 32) }
        }
    }

    package func signingPublicKey(seed: Bytes32) -> Bytes32 {
        signingKey(seed).publicKey
    }

    package func sign(_ message: [UInt8], seed: Bytes32) -> Signature {
        signingKey(seed).sign(message)
    }

    /// Refuses what libsodium refuses: a signature of another length, an S beyond the order, a key of small order.
    package func isValid(_ signature: Signature, of message: [UInt8], by publicKey: Bytes32) -> Bool {
        guard signature.count == crypto_sign_ed25519_BYTES else { return false }
        return crypto_sign_ed25519_verify_detached(signature, message, UInt64(message.count), publicKey.bytes) == 0
    }

    package func agreementPublicKey(secret: Bytes32) -> Bytes32 {
        let secret = SecretBytes(secret)
        return .filled { key in secret.withUnsafePointer { _ = crypto_scalarmult_curve25519_base(key, $0) } }
    }

    package func agree(secret: Bytes32, publicKey: Bytes32) -> Bytes32? {
        X25519.agree(SecretBytes(secret), publicKey.bytes)?.bytes32
    }

    /// The nonce must have 24 bytes: another number of them is a mistake of the caller, and traps.
    package func encrypt(
        _ plaintext: [UInt8], nonce: [UInt8], key: Bytes32, authenticating header: [UInt8]
    ) -> [UInt8] {
        precondition(nonce.count == crypto_aead_xchacha20poly1305_ietf_NPUBBYTES)
        let key = SecretBytes(key)
        let length = plaintext.count + Int(crypto_aead_xchacha20poly1305_ietf_ABYTES)
        return [UInt8](unsafeUninitializedCapacity: length) { ciphertext, count in
            key.withUnsafePointer {
                _ = crypto_aead_xchacha20poly1305_ietf_encrypt(
                    ciphertext.baseAddress!, nil, plaintext, UInt64(plaintext.count),
                    header, UInt64(header.count), nil, nonce, $0)
            }
            count = length
        }
    }

    /// Nil also where the nonce has not 24 bytes, or the ciphertext fewer than 16.
    package func decrypt(
        _ ciphertext: [UInt8], nonce: [UInt8], key: Bytes32, authenticating header: [UInt8]
    ) -> [UInt8]? {
        let length = ciphertext.count - Int(crypto_aead_xchacha20poly1305_ietf_ABYTES)
        guard length >= 0, nonce.count == crypto_aead_xchacha20poly1305_ietf_NPUBBYTES else { return nil }
        let key = SecretBytes(key)
        var isAuthentic = false
        let plaintext = [UInt8](unsafeUninitializedCapacity: length) { plaintext, count in
            isAuthentic = key.withUnsafePointer {
                crypto_aead_xchacha20poly1305_ietf_decrypt(
                    plaintext.baseAddress, nil, nil, ciphertext, UInt64(ciphertext.count),
                    header, UInt64(header.count), nonce, $0) == 0
            }
            count = isAuthentic ? length : 0
        }
        return isAuthentic ? plaintext : nil
    }

    package func deriveKey(from secret: Bytes32, label: String) -> Bytes32 {
        let key = SecretBytes(secret).withSpan { HKDFSHA256.extract($0, salt: Span()) }
        return HKDFSHA256.expand(key, info: Array(label.utf8).span, blocks: 1)[0].bytes32
    }

    package func authenticate(_ message: [UInt8], key: Bytes32) -> Bytes32 {
        let key = SecretBytes(key)
        return .filled { tag in
            key.withUnsafePointer { _ = crypto_auth_hmacsha256(tag, message, UInt64(message.count), $0) }
        }
    }
}
