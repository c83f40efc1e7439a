/// Looks in what is sent for what must not be read off the network: six bytes of each secret.
package struct SecretSearch: Sendable {
    private var words: [UInt64] = []
    /// Which first two bytes any of them has, a bit each.
    private var firstBytes: [UInt64] = []
    /// Pieces that were searched.
    package private(set) var count = 0
    private var seen = 0

    /// One piece in so many is searched.
    private static let rarity = 8
    private static let mask: UInt64 = 0xFFFF_FFFF_FFFF

    /// - Parameter secrets: of at least six bytes each; shorter ones are passed over.
    package init(_ secrets: [[UInt8]] = []) {
        guard !secrets.isEmpty else { return }
        firstBytes = Array(repeating: 0, count: 1_024)
        for secret in secrets where secret.count >= 6 {
            let word = secret.prefix(6).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            words.append(word)
            firstBytes[Int(word & 0xFFFF) / 64] |= 1 << (word & 63)
        }
    }

    /// Whether a piece shows a secret. O(bytes), once in a few times.
    mutating func finds(in bytes: [UInt8]) -> Bool {
        guard !words.isEmpty else { return false }
        seen += 1
        guard seen % Self.rarity == 0, bytes.count >= 8 else { return false }
        count += 1
        return bytes.withUnsafeBytes { bytes in
            for offset in 0...bytes.count - 8 {
                let word = bytes.word(at: offset) & Self.mask
                guard firstBytes[Int(word & 0xFFFF) / 64] >> (word & 63) & 1 == 1, words.contains(word) else {
                    continue
                }
                return true
            }
            return false
        }
    }
}
