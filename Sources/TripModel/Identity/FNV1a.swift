/// FNV-1a in 64 bits (Fowler, Noll, Vo): tells things apart where nobody gains by making two that collide.
package enum FNV1a {
    /// O(n).
    package static func hash(_ bytes: some Sequence<UInt8>) -> UInt64 {
        bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }

    /// Sixteen lowercase hexadecimal digits.
    package static func digits(_ hash: UInt64) -> String {
        let digits = String(hash, radix: 16)
        return String(repeating: "0", count: 16 - digits.utf8.count) + digits
    }
}
