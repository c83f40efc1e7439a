import CSodium
package import ChangeLog
import SyncEngine

/// A ChaCha20-Poly1305 key and the number of its next message (Noise revision 34, sections 5.1 and 12.3).
package struct CipherState: Sendable {
    /// What a sealed message is longer by, in bytes.
    package static let tagLength = Int(crypto_aead_chacha20poly1305_ietf_ABYTES)

    /// None before a handshake's first secret: then messages pass in the clear.
    private var key: SecretBytes?
    private var nonce: UInt64

    init(key: SecretBytes?) {
        self.key = key
        nonce = 0
    }

    /// A cipher that goes on from a message number.
    package init(key: Bytes32, nonce: UInt64) {
        self.key = SecretBytes(key)
        self.nonce = nonce
    }

    var hasKey: Bool { key != nil }

    /// ENCRYPTWITHAD: nil when the nonces are used up. The last number, 2^64 - 1, is kept for REKEY.
    mutating func encrypt(_ plaintext: Span<UInt8>, authenticating header: Span<UInt8>) -> [UInt8]? {
        guard let key else { return plaintext.withUnsafeBufferPointer(Array.init) }
        guard nonce < .max else { return nil }
        defer { nonce += 1 }
        return Self.seal(plaintext, authenticating: header, key: key, nonce: nonce)
    }

    /// DECRYPTWITHAD: nil where the tag does not fit, or the nonces are used up; the number then stays as it was.
    mutating func decrypt(_ ciphertext: Span<UInt8>, authenticating header: Span<UInt8>) -> [UInt8]? {
        guard let key else { return ciphertext.withUnsafeBufferPointer(Array.init) }
        guard nonce < .max, ciphertext.count >= Self.tagLength else { return nil }
        guard let plaintext = Self.open(ciphertext, authenticating: header, key: key, nonce: nonce) else { return nil }
        nonce += 1
        return plaintext
    }

    /// 32 zero bits, then the number, little-endian.
    private static func withNonce<Result>(_ number: UInt64, _ body: (UnsafePointer<UInt8>) -> Result) -> Result {
        let high = UInt32(truncatingIfNeeded: number >> 32).littleEndian
        let words = (UInt32(0), UInt32(truncatingIfNeeded: number).littleEndian, high)
        return withUnsafeBytes(of: words) { body($0.assumingMemoryBound(to: UInt8.self).baseAddress!) }
    }

    private static func seal(
        _ plaintext: Span<UInt8>, authenticating header: Span<UInt8>, key: SecretBytes, nonce: UInt64
    ) -> [UInt8] {
        let length = plaintext.count + tagLength
        return [UInt8](unsafeUninitializedCapacity: length) { ciphertext, count in
            plaintext.withUnsafeBufferPointer { plaintext in
                header.withUnsafeBufferPointer { header in
                    key.withUnsafePointer { key in
                        withNonce(nonce) { nonce in
                            _ = crypto_aead_chacha20poly1305_ietf_encrypt(
                                ciphertext.baseAddress!, nil, plaintext.baseAddress, UInt64(plaintext.count),
                                header.baseAddress, UInt64(header.count), nil, nonce, key)
                        }
                    }
                }
            }
            count = length
        }
    }

    /// The ciphertext must hold a tag at least.
    private static func open(
        _ ciphertext: Span<UInt8>, authenticating header: Span<UInt8>, key: SecretBytes, nonce: UInt64
    ) -> [UInt8]? {
        let length = ciphertext.count - tagLength
        var isAuthentic = false
        let plaintext = [UInt8](unsafeUninitializedCapacity: length) { plaintext, count in
            isAuthentic = ciphertext.withUnsafeBufferPointer { ciphertext in
                header.withUnsafeBufferPointer { header in
                    key.withUnsafePointer { key in
                        withNonce(nonce) { nonce in
                            crypto_aead_chacha20poly1305_ietf_decrypt(
                                plaintext.baseAddress, nil, nil, ciphertext.baseAddress!, UInt64(ciphertext.count),
                                header.baseAddress, UInt64(header.count), nonce, key) == 0
                        }
                    }
                }
            }
            count = isAuthentic ? length : 0
        }
        return isAuthentic ? plaintext : nil
    }
}

extension CipherState: TransportCipher {
    /// Nil also for a plaintext of more than 65,519 bytes, whose message would be too long for Noise.
    package mutating func seal(_ plaintext: [UInt8]) -> [UInt8]? {
        guard plaintext.count <= NoiseProtocol.messageLengthMax - Self.tagLength else { return nil }
        return encrypt(plaintext.span, authenticating: Span())
    }

    /// After a refusal the cipher still waits for the message that is due.
    package mutating func open(_ ciphertext: [UInt8]) -> [UInt8]? {
        guard ciphertext.count <= NoiseProtocol.messageLengthMax else { return nil }
        return decrypt(ciphertext.span, authenticating: Span())
    }

    /// libsodium seals in place.
    package mutating func seal(_ buffer: inout [UInt8], from start: Int) -> Bool {
        let length = buffer.count - start
        guard length <= NoiseProtocol.messageLengthMax - Self.tagLength, let key, nonce < .max else { return false }
        buffer.append(contentsOf: repeatElement(0, count: Self.tagLength))
        buffer.withUnsafeMutableBufferPointer { buffer in
            let text = UnsafeMutableBufferPointer(rebasing: buffer[start...]).baseAddress!
            key.withUnsafePointer { key in
                Self.withNonce(nonce) { nonce in
                    _ = crypto_aead_chacha20poly1305_ietf_encrypt(
                        text, nil, text, UInt64(length), nil, 0, nil, nonce, key)
                }
            }
        }
        nonce += 1
        return true
    }

    package mutating func open(_ buffer: [UInt8], in range: Range<Int>) -> [UInt8]? {
        guard range.count <= NoiseProtocol.messageLengthMax else { return nil }
        return decrypt(buffer.span.extracting(range), authenticating: Span())
    }

    /// The new key is the start of 32 zero bytes sealed under the last number (section 4.2). The numbers go on.
    package mutating func rekey() {
        guard let old = key else { return }
        let zeros = [UInt8](repeating: 0, count: 32)
        var sealed = Self.seal(zeros.span, authenticating: Span(), key: old, nonce: .max)
        key = SecretBytes(count: 32) { $0.update(from: sealed, count: 32) }
        sodium_memzero(&sealed, sealed.count)
    }
}
