package import SyncEngine

/// A machine's two clocks, which need not agree with the world's.
package struct Clock: Hashable, Sendable {
    /// Milliseconds since 1970 at the world's beginning.
    package static let epoch: Int64 = 1_700_000_000_000

    /// What is added to the wall clock.
    package private(set) var offset: Int64 = 0
    /// By how many millionths both clocks run too fast.
    package private(set) var drift: Int64 = 0
    private var baseTime: UInt64 = 0
    private var baseReading: UInt64 = 0

    package init() {}

    /// What the clocks show at a time of the world.
    package func now(at time: UInt64) -> Now {
        let monotonic = reading(at: time)
        return Now(monotonic: monotonic, wall: Self.epoch + Int64(monotonic) + offset)
    }

    private func reading(at time: UInt64) -> UInt64 {
        guard drift != 0 else { return baseReading + time - baseTime }
        return baseReading + UInt64(Int64(time - baseTime) * (1_000_000 + drift) / 1_000_000)
    }

    /// The first time of the world at which the monotonic clock shows a reading.
    package func time(of reading: UInt64) -> UInt64 {
        guard reading > baseReading else { return baseTime }
        guard drift != 0 else { return baseTime + (reading - baseReading) }
        return baseTime + (reading - baseReading) * 1_000_000 / UInt64(1_000_000 + drift) + 1
    }

    /// Sets the wall clock forward, or back.
    package mutating func jump(by milliseconds: Int64) { offset += milliseconds }

    /// Lets both clocks run too fast, or too slow, from a time on. From −500,000 to 1,000,000 millionths.
    package mutating func drift(by millionths: Int64, from time: UInt64) {
        baseReading = reading(at: time)
        baseTime = time
        drift = min(max(millionths, -500_000), 1_000_000)
    }
}
