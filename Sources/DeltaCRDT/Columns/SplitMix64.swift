/// The parts of SplitMix64 (Steele, Lea, Flood: *Fast splittable pseudorandom number generators*, 2014).
@usableFromInline package enum SplitMix64 {
    /// What its state grows by: 2⁶⁴ over the golden ratio, and odd.
    @usableFromInline package static let increment: UInt64 = 0x9E37_79B9_7F4A_7C15

    /// Its finaliser: a bijection of 64 bits in which every input bit reaches every output bit.
    @inlinable
    package static func mixed(_ word: UInt64) -> UInt64 {
        var mixed = word
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }
}
