/// Delays that double, up to a most.
struct Backoff {
    private let first: Duration
    private let most: Duration
    private var delay: Duration

    init(first: Duration, most: Duration) {
        self.first = first
        self.most = most
        delay = first
    }

    mutating func next() -> Duration {
        defer { delay = min(delay * 2, most) }
        return delay
    }

    mutating func reset() { delay = first }
}
