/// How often somebody may do something: in a burst, and on average.
struct RateLimit: Hashable, Sendable {
    let perSecond: Double
    let burst: Double

    static let owner = RateLimit(perSecond: 20, burst: 60)
    static let guests = RateLimit(perSecond: 5, burst: 15)
    /// Pages and streams of a guest: each is drawn.
    static let guestPages = RateLimit(perSecond: 2, burst: 20)
    /// Pictures of a guest: each is read from the disk and opened.
    static let guestPictures = RateLimit(perSecond: 30, burst: 300)
    /// A calendar program asks every few minutes.
    static let calendars = RateLimit(perSecond: 1, burst: 20)
}

/// A bucket of tokens for each session and limit (Turner's token bucket), filled as time goes.
struct RateLimiter: Sendable {
    private struct Bucket {
        var left: Double
        var filled: ContinuousClock.Instant
    }

    private struct Key: Hashable {
        let session: Token
        let limit: RateLimit
    }

    private var buckets: [Key: Bucket] = [:]

    /// As many as there are sessions and limits.
    private static let bucketsMax = 4 * PageMemory.sessionsMax

    /// Takes one; false where none is left.
    mutating func take(from session: Token, _ limit: RateLimit, at now: ContinuousClock.Instant) -> Bool {
        let key = Key(session: session, limit: limit)
        var bucket = buckets[key] ?? Bucket(left: limit.burst, filled: now)
        let seconds = (now - bucket.filled) / .seconds(1)
        bucket = Bucket(left: min(limit.burst, bucket.left + seconds * limit.perSecond), filled: now)
        let isThere = bucket.left >= 1
        if isThere { bucket.left -= 1 }
        if buckets[key] == nil, buckets.count >= Self.bucketsMax,
            let oldest = buckets.min(by: { $0.value.filled < $1.value.filled })?.key
        {
            buckets[oldest] = nil
        }
        buckets[key] = bucket
        return isThere
    }
}
