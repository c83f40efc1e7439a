import DeltaCRDT

/// A generator whose every number follows from its seed, on every machine: SplitMix64 (Steele, Lea, Flood: *Fast
/// splittable pseudorandom number generators*, 2014).
///
/// Not a cryptographic one: it is for runs that must repeat.
public struct SeededGenerator: RandomNumberGenerator, Sendable {
    private var state: UInt64

    /// Any seed is as good as any other.
    public init(seed: UInt64) { state = seed }

    public mutating func next() -> UInt64 {
        state &+= SplitMix64.increment
        return SplitMix64.mixed(state)
    }

    /// A number below `bound`, which must be positive. The same in every release of the standard library.
    public mutating func below(_ bound: UInt64) -> UInt64 {
        precondition(bound > 0, "there is no number below 0")
        return next().multipliedFullWidth(by: bound).high
    }

    /// A number of a range that is not empty.
    public mutating func number(in range: ClosedRange<Int>) -> Int {
        range.lowerBound + Int(below(UInt64(range.upperBound - range.lowerBound) + 1))
    }

    /// True once in `times`, on average.
    public mutating func oneIn(_ times: UInt64) -> Bool { below(times) == 0 }
}
