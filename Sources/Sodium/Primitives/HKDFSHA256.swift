import CSodium

/// HKDF (RFC 5869) over HMAC-SHA256, which libsodium has only from 1.0.19 on.
enum HKDFSHA256 {
    /// The pseudorandom key of `input`. No salt is the same as 32 zero bytes.
    static func extract(_ input: Span<UInt8>, salt: Span<UInt8>) -> SecretBytes {
        SecretBytes(count: 32) { key in
            var code = HMACSHA256(key: salt)
            code.update(input)
            code.finish(into: key)
        }
    }

    /// The first blocks of the output keying material, 32 bytes each; at most 255 of them.
    static func expand(_ key: SecretBytes, info: Span<UInt8>, blocks: UInt8) -> [SecretBytes] {
        var output: [SecretBytes] = []
        output.reserveCapacity(Int(blocks))
        for number in stride(from: 1, through: blocks, by: 1) {
            let block = SecretBytes(count: 32) { block in
                var code = key.withSpan { HMACSHA256(key: $0) }
                output.last?.withSpan { code.update($0) }
                code.update(info)
                code.update(number)
                code.finish(into: block)
            }
            output.append(block)
        }
        return output
    }
}
