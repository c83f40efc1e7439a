/// A hash of bytes under keys that differ from process to process, so that nobody outside can choose texts that collide.
///
/// Sixteen bytes at a time, each half mixed with a key, multiplied to 128 bits and folded; several times as quick as the
/// standard library's SipHash on short texts, which is what making a table of 100,000 texts costs.
enum TextHash {
    private static let keys: (UInt64, UInt64) = (random(1), random(2))

    /// The standard library's hash has a seed of the process's own.
    private static func random(_ number: Int) -> UInt64 {
        var hasher = Hasher()
        hasher.combine(number)
        return UInt64(bitPattern: Int64(hasher.finalize()))
    }

    static func hash(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
        let (first, second) = keys
        var state = first ^ UInt64(bytes.count)
        var position = 0
        while position + 16 <= bytes.count {
            let low = bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self)
            let high = bytes.loadUnaligned(fromByteOffset: position + 8, as: UInt64.self)
            state = fold(low ^ state, high ^ second)
            position += 16
        }
        if position < bytes.count {
            let (low, high) = tail(bytes, position)
            state = fold(low ^ state, high ^ second)
        }
        state = fold(state, second ^ 0x9E37_79B9_7F4A_7C15)
        return UInt32(truncatingIfNeeded: state ^ state >> 32)
    }

    /// Whether the bytes are the same, eight at a time.
    static func areEqual(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Bool {
        guard left.count == right.count else { return false }
        var position = 0
        while position + 8 <= left.count {
            let mine = left.loadUnaligned(fromByteOffset: position, as: UInt64.self)
            if mine != right.loadUnaligned(fromByteOffset: position, as: UInt64.self) { return false }
            position += 8
        }
        while position < left.count {
            if left[position] != right[position] { return false }
            position += 1
        }
        return true
    }

    /// The last 1 to 15 bytes.
    private static func tail(_ bytes: UnsafeRawBufferPointer, _ position: Int) -> (low: UInt64, high: UInt64) {
        let rest = bytes.count - position
        if rest >= 8 {
            return (
                bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self),
                bytes.loadUnaligned(fromByteOffset: bytes.count - 8, as: UInt64.self)
            )
        }
        if rest >= 4 {
            return (
                UInt64(bytes.loadUnaligned(fromByteOffset: position, as: UInt32.self)),
                UInt64(bytes.loadUnaligned(fromByteOffset: bytes.count - 4, as: UInt32.self))
            )
        }
        let ends = UInt64(bytes[position]) << 16 | UInt64(bytes[position + rest / 2]) << 8
        return (ends | UInt64(bytes[bytes.count - 1]), 0)
    }

    private static func fold(_ left: UInt64, _ right: UInt64) -> UInt64 {
        let product = left.multipliedFullWidth(by: right)
        return product.high ^ product.low
    }
}
