/// Changes valid bytes blindly, as somebody would who wants to do harm: bits, bytes, and numbers at the limits of readers.
enum Forgery {
    /// Limits of counters and times, as they are written and as runs and votes are, in four times the number.
    private static let limits: [UInt64] = [
        (1 << 56) - 2, (1 << 56) - 1, 1 << 56, (1 << 58) - 8, (1 << 58) - 7, (1 << 58) - 6, (1 << 58) - 4,
        (1 << 58) - 3, (1 << 58) - 2, 1 << 58, (1 << 62) - 1, (1 << 63) - 1, 1 << 63, .max - 1, .max,
    ]

    static func forged(_ bytes: [UInt8], _ random: inout SplitMix64) -> [UInt8] {
        var bytes = bytes
        for _ in 0...random.below(3) where !bytes.isEmpty {
            let place = random.below(bytes.count)
            switch random.below(6) {
            case 0: bytes[place] ^= 1 << UInt8(random.below(8))
            case 1: bytes[place] = UInt8(random.below(256))
            case 2: bytes.insert(UInt8(random.below(256)), at: place)
            case 3: bytes.remove(at: place)
            default: bytes.replaceSubrange(place...place, with: written(limits[random.below(limits.count)]))
            }
        }
        return bytes
    }

    private static func written(_ number: UInt64) -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = number
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        return bytes + [UInt8(rest)]
    }
}
