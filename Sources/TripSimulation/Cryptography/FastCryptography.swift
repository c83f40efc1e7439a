package import ChangeLog
package import SyncEngine

/// Primitives that keep the promises of the real ones among code that does not attack them, at a hundredth of the cost. Anybody who knows
/// a public key can sign with it. For runs of millions of messages; nothing here is secret.
///
/// As with the real ones, anything altered, truncated, repeated or taken for something else is refused, and a search of ciphertexts finds
/// nothing of their content. Lengths are the same, so traffic that is measured with these is the traffic of the real ones.
package struct FastCryptography: Sendable {
    package init() {}

    /// What a hash is for.
    enum Purpose: UInt64 {
        case hash = 1
        case keyedHash, signingKey, signature, signatureTail, agreementKey, agreement, seal, stream, derivation,
            authentication, handshake, split, rekey
    }

    static func hash(_ purpose: Purpose, key: Bytes32? = nil, _ parts: [UInt8]...) -> Bytes32 {
        var hash = FastHash(purpose: purpose.rawValue, key: key?.words ?? (0, 0, 0, 0))
        for part in parts { hash.absorb(part) }
        return Bytes32(words: hash.words())
    }

    static func hash(_ purpose: Purpose, key: Bytes32, with other: Bytes32) -> Bytes32 {
        var hash = FastHash(purpose: purpose.rawValue, key: key.words)
        let words = other.words
        hash.absorb(words.0, words.1, words.2, words.3)
        return Bytes32(words: hash.words())
    }
}

extension FastCryptography: Cryptography {
    package func hash(_ message: [UInt8]) -> Bytes32 { Self.hash(.hash, message) }

    package func hash(_ message: [UInt8], key: Bytes32) -> Bytes32 { Self.hash(.keyedHash, key: key, message) }

    package func signingPublicKey(seed: Bytes32) -> Bytes32 { Self.hash(.signingKey, key: seed) }

    package func sign(_ message: [UInt8], seed: Bytes32) -> Signature {
        Self.signature(of: message, by: signingPublicKey(seed: seed))
    }

    package func isValid(_ signature: Signature, of message: [UInt8], by publicKey: Bytes32) -> Bool {
        let first = Self.hash(.signature, key: publicKey, message)
        let tail = Self.hash(.signatureTail, key: publicKey, with: first)
        return signature.count == 64 && Bytes32(signature[..<32]) == first && Bytes32(signature[32...]) == tail
    }

    private static func signature(of message: [UInt8], by publicKey: Bytes32) -> Signature {
        let first = hash(.signature, key: publicKey, message)
        return first.bytes + hash(.signatureTail, key: publicKey, with: first).bytes
    }

    package func agreementPublicKey(secret: Bytes32) -> Bytes32 { Self.hash(.agreementKey, key: secret) }

    package func agree(secret: Bytes32, publicKey: Bytes32) -> Bytes32? {
        let own = agreementPublicKey(secret: secret)
        let (low, high) = own < publicKey ? (own, publicKey) : (publicKey, own)
        return Self.hash(.agreement, key: low, with: high)
    }

    package func encrypt(
        _ plaintext: [UInt8], nonce: [UInt8], key: Bytes32, authenticating header: [UInt8]
    ) -> [UInt8] {
        FastCipher.seal(plaintext, under: Self.hash(.stream, key: key, nonce), authenticating: header)
    }

    package func decrypt(
        _ ciphertext: [UInt8], nonce: [UInt8], key: Bytes32, authenticating header: [UInt8]
    ) -> [UInt8]? {
        FastCipher.open(ciphertext, under: Self.hash(.stream, key: key, nonce), authenticating: header)
    }

    package func deriveKey(from secret: Bytes32, label: String) -> Bytes32 {
        Self.hash(.derivation, key: secret, Array(label.utf8))
    }

    package func authenticate(_ message: [UInt8], key: Bytes32) -> Bytes32 {
        Self.hash(.authentication, key: key, message)
    }
}

extension FastCryptography: SessionCryptography {
    package func handshake(
        _ role: HandshakeRole, prologue: [UInt8], presharedKey: Bytes32, staticSecret: Bytes32, ephemeralSecret: Bytes32
    ) -> any Handshake {
        FastHandshake(
            role, prologue: prologue, presharedKey: presharedKey, staticSecret: staticSecret,
            ephemeralSecret: ephemeralSecret)
    }
}
