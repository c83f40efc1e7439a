/// How much of something is allowed: so much at once, and so much more each second.
struct Allowance {
    private let most: Double
    private let perSecond: Double
    private var left: Double
    private var since: ContinuousClock.Instant

    init(_ most: Int, perSecond: Int) {
        (self.most, self.perSecond, left, since) = (Double(most), Double(perSecond), Double(most), .now)
    }

    /// Takes so much; false, and nothing is taken, where there is less.
    mutating func take(_ count: Int = 1, at now: ContinuousClock.Instant) -> Bool {
        left = min(most, left + perSecond * (since.duration(to: now) / .seconds(1)))
        since = now
        guard left >= Double(count) else { return false }
        left -= Double(count)
        return true
    }
}
