import CSodium
import SyncEngine

/// The chaining key, the running hash and the cipher of a handshake (Noise revision 34, section 5.2).
struct SymmetricState: Sendable {
    /// The hash of all that was sent, received or known beforehand so far: 32 bytes.
    private(set) var hash: [UInt8]
    private var chainingKey: SecretBytes
    private var cipher = CipherState(key: nil)

    /// A name of up to 32 bytes is the first hash itself, filled up with zeros; a longer one is hashed.
    init(protocolName: String) {
        let name = Array(protocolName.utf8)
        if name.count <= 32 {
            hash = name + [UInt8](repeating: 0, count: 32 - name.count)
        } else {
            hash = [UInt8](unsafeUninitializedCapacity: 32) { hash, count in
                crypto_hash_sha256(hash.baseAddress!, name, UInt64(name.count))
                count = 32
            }
        }
        chainingKey = SecretBytes(count: 32) { [hash] in $0.update(from: hash, count: 32) }
    }

    var hasKey: Bool { cipher.hasKey }

    mutating func mixKey(_ input: Span<UInt8>) {
        let keys = keys(from: input, count: 2)
        chainingKey = keys[0]
        cipher = CipherState(key: keys[1])
    }

    mutating func mixHash(_ data: Span<UInt8>) {
        var state = crypto_hash_sha256_state()
        crypto_hash_sha256_init(&state)
        crypto_hash_sha256_update(&state, hash, UInt64(hash.count))
        data.withUnsafeBufferPointer { _ = crypto_hash_sha256_update(&state, $0.baseAddress, UInt64($0.count)) }
        crypto_hash_sha256_final(&state, &hash)
    }

    mutating func mixKeyAndHash(_ input: Span<UInt8>) {
        let keys = keys(from: input, count: 3)
        chainingKey = keys[0]
        keys[1].withSpan { mixHash($0) }
        cipher = CipherState(key: keys[2])
    }

    mutating func encryptAndHash(_ plaintext: Span<UInt8>) throws(HandshakeFailure) -> [UInt8] {
        let hash = hash
        guard let ciphertext = cipher.encrypt(plaintext, authenticating: hash.span) else { throw .authentication }
        mixHash(ciphertext.span)
        return ciphertext
    }

    mutating func decryptAndHash(_ ciphertext: Span<UInt8>) throws(HandshakeFailure) -> [UInt8] {
        let hash = hash
        guard let plaintext = cipher.decrypt(ciphertext, authenticating: hash.span) else { throw .authentication }
        mixHash(ciphertext)
        return plaintext
    }

    /// The ciphers of the session: the first for what the initiator sends, the second for what the responder sends.
    func split() -> (CipherState, CipherState) {
        let keys = keys(from: Span(), count: 2)
        return (CipherState(key: keys[0]), CipherState(key: keys[1]))
    }

    /// Noise's HKDF (section 4.3) is RFC 5869's, with the chaining key as the salt and no info.
    private func keys(from input: Span<UInt8>, count: UInt8) -> [SecretBytes] {
        let key = chainingKey.withSpan { HKDFSHA256.extract(input, salt: $0) }
        return HKDFSHA256.expand(key, info: Span(), blocks: count)
    }
}
