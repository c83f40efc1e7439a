import DeltaCRDT

/// Blind changes of bytes, as somebody makes them who wants to do harm.
public struct Alteration: Sendable {
    /// All of them follow from it.
    let seed: UInt64

    /// How often the same bytes are altered, each time otherwise.
    static var attempts: Int { 16 }

    /// Where readers and writers end: 2⁵⁶ is the end of DeltaCRDT's counters, which stand shifted by two bits in its runs.
    private static let limits: [UInt64] = [
        (1 << 56) - 2, (1 << 56) - 1, 1 << 56, (1 << 58) - 8, (1 << 58) - 7, (1 << 58) - 6, (1 << 58) - 4,
        (1 << 58) - 3,
        (1 << 58) - 2, 1 << 58, (1 << 62) - 1, (1 << 63) - 1, 1 << 63, .max - 1, .max,
    ]

    /// The bytes, altered in one or two places in each attempt; those of no length stay as they are. O(bytes · attempts).
    func altered(_ bytes: [UInt8]) -> [[UInt8]] {
        var generator = SeededGenerator(seed: seed)
        return (0..<Self.attempts).map { _ in
            var bytes = bytes
            for _ in 1...generator.number(in: 1...2) where !bytes.isEmpty { Self.edit(&bytes, &generator) }
            return bytes
        }
    }

    private static func edit(_ bytes: inout [UInt8], _ generator: inout SeededGenerator) {
        let place = generator.number(in: 0...bytes.count - 1)
        switch generator.number(in: 0...8) {
        case 0: bytes[place] ^= 1 << UInt8(generator.number(in: 0...7))
        case 1: bytes[place] = UInt8(generator.number(in: 0...255))
        case 2: bytes.insert(UInt8(generator.number(in: 0...255)), at: place)
        case 3: bytes.remove(at: place)
        case 4:
            // A number of fixed width.
            let end = min(bytes.count, place + 8)
            bytes.replaceSubrange(place..<end, with: repeatElement(0xFF, count: end - place))
        default:
            // A number as DeltaCRDT writes it: LEB128.
            var encoder = CanonicalEncoder()
            encoder.encode(limits[generator.number(in: 0...limits.count - 1)])
            bytes.replaceSubrange(place...place, with: encoder.bytes)
        }
    }
}
