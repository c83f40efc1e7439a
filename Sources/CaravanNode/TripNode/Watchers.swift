import TripService

/// Listeners to the events of a trip.
struct Watchers {
    private struct Watcher {
        weak var queue: EventQueue?
    }

    /// Those that listen, and some that left since the last event.
    private var all: [Watcher] = []
    private var isFinished = false

    var isEmpty: Bool { !all.contains { $0.queue != nil } }

    /// - Returns: what happens from now on. A listener that lets go of it is forgotten.
    mutating func add() -> AsyncStream<TripEvent> {
        let queue = EventQueue()
        if isFinished { queue.finish() } else { all.append(Watcher(queue: queue)) }
        return queue.events
    }

    mutating func tell(_ event: TripEvent) {
        all.removeAll { $0.queue == nil }
        for watcher in all { watcher.queue?.put(event) }
    }

    /// Tells everybody that nothing more will come.
    mutating func finish() {
        isFinished = true
        for watcher in all { watcher.queue?.finish() }
        all = []
    }
}
