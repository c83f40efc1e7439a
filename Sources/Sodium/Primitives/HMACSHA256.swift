import CSodium

/// HMAC-SHA256 (RFC 2104) over a message in parts, under a key of any length.
struct HMACSHA256: ~Copyable {
    private var state = crypto_auth_hmacsha256_state()

    init(key: Span<UInt8>) {
        key.withUnsafeBufferPointer { key in
            // libsodium wants an address, which an empty key may lack.
            withUnsafePointer(to: 0 as UInt8) { nothing in
                _ = crypto_auth_hmacsha256_init(&state, key.baseAddress ?? nothing, key.count)
            }
        }
    }

    mutating func update(_ part: Span<UInt8>) {
        part.withUnsafeBufferPointer { _ = crypto_auth_hmacsha256_update(&state, $0.baseAddress, UInt64($0.count)) }
    }

    mutating func update(_ byte: UInt8) {
        withUnsafePointer(to: byte) { _ = crypto_auth_hmacsha256_update(&state, $0, 1) }
    }

    /// Writes the tag's 32 bytes; libsodium wipes the state as it ends.
    consuming func finish(into tag: UnsafeMutablePointer<UInt8>) {
        crypto_auth_hmacsha256_final(&state, tag)
    }
}
