/// FNV-1a, 64 bits (RFC 9923): finds every single altered byte, and others but for one in 2⁶⁴.
///
/// Against accidents alone: against people there are the signatures in what it covers.
struct Checksum {
    private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

    mutating func add(_ bytes: some Sequence<UInt8>) {
        for byte in bytes { value = (value ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
    }
}

extension UInt64 {
    /// Eight bytes, the least significant first.
    var littleEndianBytes: [UInt8] { withUnsafeBytes(of: littleEndian) { Array($0) } }
}
