/// The way to the consumer: never blocks, and counts what found no room.
struct DiscoveryEventQueue: Sendable {
    private let continuation: AsyncStream<DiscoveryEvent>.Continuation
    private var lost = 0

    init(_ continuation: AsyncStream<DiscoveryEvent>.Continuation) {
        self.continuation = continuation
    }

    /// Whether something was lost that the consumer has not been told of.
    var hasLosses: Bool { lost > 0 }

    mutating func report(_ event: DiscoveryEvent) {
        // Nothing overtakes the word of a loss.
        if lost > 0 { lost += 1 } else if case .dropped = continuation.yield(event) { lost = 1 }
    }

    /// Says how much was lost; true if there is room for that now.
    mutating func reportLosses() -> Bool {
        guard lost > 0, case .enqueued = continuation.yield(.dropped(lost)) else { return false }
        lost = 0
        return true
    }
}
