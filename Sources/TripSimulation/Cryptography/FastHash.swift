import DeltaCRDT

/// A hash of 256 bits that is quick and keeps no secrets: four lanes of multiplication and rotation, in the manner of
/// wyhash. Every input word enters by a bijection of its lane, so that whatever differs in one word differs in the end.
struct FastHash {
    private var lanes: (UInt64, UInt64, UInt64, UInt64)
    private var length: UInt64 = 0

    /// - Parameter purpose: keeps apart what is hashed for different ends.
    init(purpose: UInt64, key: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)) {
        lanes = (
            key.0 ^ 0x243F_6A88_85A3_08D3 ^ purpose, key.1 ^ 0x1319_8A2E_0370_7344 &+ purpose,
            key.2 ^ 0xA409_3822_299F_31D0, key.3 ^ 0x082E_FA98_EC4E_6C89
        )
    }

    mutating func absorb(_ first: UInt64, _ second: UInt64, _ third: UInt64, _ fourth: UInt64) {
        lanes.0 = Self.step(lanes.0 ^ first, SplitMix64.increment) &+ lanes.1
        lanes.1 = Self.step(lanes.1 ^ second, 0xBF58_476D_1CE4_E5B9) &+ lanes.2
        lanes.2 = Self.step(lanes.2 ^ third, 0x94D0_49BB_1331_11EB) &+ lanes.3
        lanes.3 = Self.step(lanes.3 ^ fourth, 0xD6E8_FEB8_6659_FD93) &+ lanes.0
    }

    private static func step(_ word: UInt64, _ factor: UInt64) -> UInt64 {
        let product = word &* factor
        return product ^ product >> 29
    }

    /// Takes bytes; where one call ends and the next begins counts. O(bytes).
    mutating func absorb(_ bytes: UnsafeRawBufferPointer) {
        var offset = 0
        while offset + 32 <= bytes.count {
            absorb(
                bytes.word(at: offset), bytes.word(at: offset + 8), bytes.word(at: offset + 16),
                bytes.word(at: offset + 24))
            offset += 32
        }
        var tail: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, UInt64(bytes.count))
        withUnsafeMutableBytes(of: &tail) { tail in
            let rest = min(bytes.count - offset, 24)
            if rest > 0 { tail.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + rest])) }
        }
        if bytes.count - offset > 24 {
            var last: UInt64 = 0
            for index in offset + 24..<bytes.count { last = last << 8 | UInt64(bytes[index]) }
            absorb(tail.0, tail.1, tail.2, last)
            tail = (0, 0, 0, tail.3)
        }
        absorb(tail.0.littleEndian, tail.1.littleEndian, tail.2.littleEndian, tail.3.littleEndian)
        length &+= UInt64(bytes.count)
    }

    mutating func absorb(_ bytes: [UInt8]) { bytes.withUnsafeBytes { absorb($0) } }

    /// Four words, each of which follows from every lane.
    func words() -> (UInt64, UInt64, UInt64, UInt64) {
        var end = self
        for round in UInt64(1)...3 { end.absorb(length &+ round, round, length, ~round) }
        return (
            SplitMix64.mixed(end.lanes.0), SplitMix64.mixed(end.lanes.1), SplitMix64.mixed(end.lanes.2),
            SplitMix64.mixed(end.lanes.3)
        )
    }
}

extension UnsafeRawBufferPointer {
    /// The little-endian word at an offset, on every machine.
    func word(at offset: Int) -> UInt64 { UInt64(littleEndian: loadUnaligned(fromByteOffset: offset, as: UInt64.self)) }
}
