/// How often somebody may do something: in a burst, and on average.
struct RateLimit: Hashable, Sendable {
    let perSecond: Double
    let burst: Double

    static let owner = RateLimit(perSecond: 20, burst: 60)
    static let guests = RateLimit(perSecond: 5, burst: 15)
}

/// A bucket of tokens a session (Turner's token bucket), filled as time goes.
struct RateLimiter: Sendable {
    private struct Bucket {
        var left: Double
        var filled: ContinuousClock.Instant
    }

    private var buckets: [Token: Bucket] = [:]

    /// As many as there are sessions.
    private static let bucketsMax = 2 * PageMemory.sessionsMax

    /// Takes one; false where none is left.
    mutating func take(from session: Token, _ limit: RateLimit, at now: ContinuousClock.Instant) -> Bool {
        var bucket = buckets[session] ?? Bucket(left: limit.burst, filled: now)
        let seconds = (now - bucket.filled) / .seconds(1)
        bucket = Bucket(left: min(limit.burst, bucket.left + seconds * limit.perSecond), filled: now)
        let isThere = bucket.left >= 1
        if isThere { bucket.left -= 1 }
        if buckets[session] == nil, buckets.count >= Self.bucketsMax,
            let oldest = buckets.min(by: { $0.value.filled < $1.value.filled })?.key
        {
            buckets[oldest] = nil
        }
        buckets[session] = bucket
        return isThere
    }
}
