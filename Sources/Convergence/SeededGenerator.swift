import DeltaCRDT

/// A generator whose every number follows from its seed, on every machine: SplitMix64 (Steele, Lea, Flood: *Fast
/// splittable pseudorandom number generators*, 2014).
///
/// Not a cryptographic one: it is for runs that must repeat.
public struct SeededGenerator: RandomNumberGenerator, Sendable {
    private var state: UInt64
    private let tape: Tape?

    /// Any seed is as good as any other.
    public init(seed: UInt64) { (state, tape) = (seed, nil) }

    /// Writes what follows from a seed on a tape.
    init(seed: UInt64, recordingOn tape: Tape) { (state, self.tape) = (seed, tape) }

    /// Plays a tape.
    init(playing tape: Tape) { (state, self.tape) = (0, tape) }

    public mutating func next() -> UInt64 {
        guard let tape else { return drawn() }
        return tape.next { drawn() }
    }

    private mutating func drawn() -> UInt64 {
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

/// The numbers that a generator gave, or is to give; one after the last is 0. Of one thread.
final class Tape: @unchecked Sendable {
    private let isRecorded: Bool
    private var words: [UInt64]
    private var place = 0

    /// An empty one to record on.
    init() { (isRecorded, words) = (false, []) }

    /// One to play.
    init(_ words: [UInt64]) { (isRecorded, self.words) = (true, words) }

    func next(_ draw: () -> UInt64) -> UInt64 {
        if place == words.count { words.append(isRecorded ? 0 : draw()) }
        place += 1
        return words[place - 1]
    }

    /// What it gave since this was last asked.
    func given() -> [UInt64] {
        defer { (words, place) = ([], 0) }
        return Array(words[..<place])
    }
}
