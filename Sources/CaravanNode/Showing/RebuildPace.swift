/// How often the view is rebuilt. Any member can cause that with each removal that cuts content, and it costs as
/// much as the whole log. So rebuilding takes at most a tenth of a core.
struct RebuildPace {
    /// The pause, as a multiple of the time that the last rebuild took.
    private static let restFactor = 9

    private var restsUntil: ContinuousClock.Instant?
    /// Whether a rebuild is due.
    private(set) var isDue = false

    /// Notes that a rebuild is due.
    ///
    /// - Returns: how long to wait before it; nil if one was due already.
    mutating func ask(at now: ContinuousClock.Instant) -> Duration? {
        guard !isDue else { return nil }
        isDue = true
        return restsUntil.map { max(.zero, now.duration(to: $0)) } ?? .zero
    }

    /// Notes a rebuild.
    mutating func note(from start: ContinuousClock.Instant, to end: ContinuousClock.Instant) {
        isDue = false
        restsUntil = end + start.duration(to: end) * Self.restFactor
    }
}
