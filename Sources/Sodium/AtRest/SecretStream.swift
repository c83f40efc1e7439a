import CSodium

/// Seals a sequence of chunks so that none can be altered, left out, repeated, moved or cut off unseen
/// (libsodium's secretstream, XChaCha20-Poly1305).
package final class SecretStreamSealer {
    private var state = crypto_secretstream_xchacha20poly1305_state()
    /// What the reader needs before the first chunk.
    package private(set) var header = [UInt8](repeating: 0, count: SecretStream.headerSize)

    package init(key: PassphraseKey) {
        key.key.withUnsafeBytes {
            _ = crypto_secretstream_xchacha20poly1305_init_push(
                &state, &header, $0.assumingMemoryBound(to: UInt8.self).baseAddress!)
        }
    }

    deinit { sodium_memzero(&state, MemoryLayout.size(ofValue: state)) }

    /// The next chunk, sealed. The last one says that it is the last.
    package func seal(_ chunk: UnsafeRawBufferPointer, isLast: Bool, context: [UInt8]) -> [UInt8] {
        let tag = isLast ? SecretStream.finalTag : SecretStream.messageTag
        let length = chunk.count + SecretStream.sealSize
        return [UInt8](unsafeUninitializedCapacity: length) { sealed, count in
            _ = crypto_secretstream_xchacha20poly1305_push(
                &state, sealed.baseAddress!, nil, chunk.assumingMemoryBound(to: UInt8.self).baseAddress,
                UInt64(chunk.count), context, UInt64(context.count), tag)
            count = length
        }
    }
}

/// Opens what a `SecretStreamSealer` sealed, chunk by chunk and in order.
package final class SecretStreamOpener {
    private var state = crypto_secretstream_xchacha20poly1305_state()

    /// - Throws: `malformed` where the header has another length than `SecretStream.headerSize`.
    package init(key: PassphraseKey, header: [UInt8]) throws(PassphraseFailure) {
        guard header.count == SecretStream.headerSize else { throw .malformed }
        key.key.withUnsafeBytes {
            _ = crypto_secretstream_xchacha20poly1305_init_pull(
                &state, header, $0.assumingMemoryBound(to: UInt8.self).baseAddress!)
        }
    }

    deinit { sodium_memzero(&state, MemoryLayout.size(ofValue: state)) }

    /// Opens the next chunk, and says whether it is the last.
    /// - Throws: `wrongPassphrase` where it is not the next chunk, whole and unaltered.
    package func open(
        _ sealed: [UInt8], context: [UInt8]
    ) throws(PassphraseFailure) -> (chunk: LockedBytes, isLast: Bool) {
        guard sealed.count >= SecretStream.sealSize else { throw .wrongPassphrase }
        var tag: UInt8 = 0
        do {
            let chunk = try LockedBytes(capacity: sealed.count - SecretStream.sealSize) { chunk in
                let status = crypto_secretstream_xchacha20poly1305_pull(
                    &state, chunk.assumingMemoryBound(to: UInt8.self).baseAddress!, nil, &tag, sealed,
                    UInt64(sealed.count), context, UInt64(context.count))
                guard status == 0 else { throw PassphraseFailure.wrongPassphrase }
                return chunk.count
            }
            guard tag == SecretStream.messageTag || tag == SecretStream.finalTag else {
                throw PassphraseFailure.malformed
            }
            return (chunk, tag == SecretStream.finalTag)
        } catch {
            throw error as? PassphraseFailure ?? .noMemory
        }
    }
}

/// The sizes of a stream of sealed chunks.
package enum SecretStream {
    package static let headerSize = Int(crypto_secretstream_xchacha20poly1305_HEADERBYTES)
    /// How much longer a sealed chunk is.
    package static let sealSize = Int(crypto_secretstream_xchacha20poly1305_ABYTES)
    // What libsodium defines by functions alone for Swift's eyes.
    static let messageTag = crypto_secretstream_xchacha20poly1305_tag_message()
    static let finalTag = crypto_secretstream_xchacha20poly1305_tag_final()
}
