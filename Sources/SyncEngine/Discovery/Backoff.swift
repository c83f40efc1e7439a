import DeltaCRDT

/// Pauses that double, in milliseconds.
package struct Backoff: Hashable, Sendable {
    private let first: UInt64
    private var pause: UInt64

    package init(first: UInt64) {
        self.first = first
        pause = first
    }

    /// The next pause; the one after it is twice as long, and no longer than `most`.
    package mutating func next(upTo most: UInt64) -> UInt64 {
        defer { pause = min(pause * 2, most) }
        return pause
    }

    package mutating func reset() { pause = first }
}

/// Lets pauses differ by up to a half: where many look for a place at one, they must not knock in step.
package struct Jitter: Sendable {
    /// 0 until it begins.
    private var state: UInt64 = 0

    package init() {}

    /// From now on pauses differ.
    package mutating func begin(using generator: inout some RandomNumberGenerator) {
        if state == 0 { state = generator.next() | 1 }
    }

    package mutating func spread(_ pause: UInt64) -> UInt64 {
        guard state != 0 else { return pause }
        state &+= SplitMix64.increment
        return pause + SplitMix64.mixed(state) % (pause / 2 + 1)
    }
}
