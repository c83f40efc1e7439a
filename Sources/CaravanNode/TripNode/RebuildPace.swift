/// How often all is shown anew. Any member can ask for that by each removal that cuts content, and it
/// costs as much as the whole log: so it takes a tenth of a core at most.
struct RebuildPace {
    /// How long is rested, by how long it took.
    private static let restFactor = 9

    private var restsUntil: ContinuousClock.Instant?
    /// Whether all is to be shown anew, and was not yet.
    private(set) var isDue = false

    /// Notes that all is to be shown anew.
    ///
    /// - Returns: how long to rest before; nil where that was asked for already.
    mutating func ask(at now: ContinuousClock.Instant) -> Duration? {
        guard !isDue else { return nil }
        isDue = true
        return restsUntil.map { max(.zero, now.duration(to: $0)) } ?? .zero
    }

    /// Notes that all was shown anew.
    mutating func note(from start: ContinuousClock.Instant, to end: ContinuousClock.Instant) {
        isDue = false
        restsUntil = end + start.duration(to: end) * Self.restFactor
    }
}
