import TripService

/// Those who hear what happens. At most 1,024 events wait for a slow one, who misses the oldest.
struct Watchers {
    private var continuations: [UInt64: AsyncStream<TripEvent>.Continuation] = [:]
    private var next: UInt64 = 1
    private var isFinished = false

    private static let eventsMax = 1_024

    var isEmpty: Bool { continuations.isEmpty }

    /// - Parameter left: told the number of a watcher who listens no more, from any thread.
    mutating func add(left: @escaping @Sendable (UInt64) -> Void) -> AsyncStream<TripEvent> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: TripEvent.self, bufferingPolicy: .bufferingNewest(Self.eventsMax))
        guard !isFinished else {
            continuation.finish()
            return stream
        }
        let number = next
        next += 1
        continuations[number] = continuation
        continuation.onTermination = { _ in left(number) }
        return stream
    }

    mutating func remove(_ number: UInt64) { continuations[number] = nil }

    func tell(_ event: TripEvent) {
        for continuation in continuations.values { continuation.yield(event) }
    }

    /// Tells everybody that nothing more will come.
    mutating func finish() {
        isFinished = true
        let continuations = continuations
        self.continuations = [:]
        for continuation in continuations.values { continuation.finish() }
    }
}
