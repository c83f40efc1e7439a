import Synchronization
import TripService

/// Events on their way to one listener. Nobody who tells an event waits: at most `eventsMax` events wait for a slow listener, who
/// loses the oldest, and reads `TripEvent.missed` in their place.
final class EventQueue: Sendable {
    private struct State {
        var waiting: [TripEvent] = []
        /// How many were lost before those that wait.
        var missed = 0
        var isFinished = false
        var listener: CheckedContinuation<TripEvent?, Never>?

        mutating func next() -> TripEvent? {
            guard missed == 0 else {
                defer { missed = 0 }
                return .missed(missed)
            }
            return waiting.isEmpty ? nil : waiting.removeFirst()
        }
    }

    static let eventsMax = 1_024

    private let state = Mutex(State())

    init() {}

    /// Complexity: O(1), amortized.
    func put(_ event: TripEvent) {
        let listener = state.withLock { state in
            guard !state.isFinished else { return nil as CheckedContinuation<TripEvent?, Never>? }
            guard state.listener == nil else { return state.listener.take() }
            if state.waiting.count == Self.eventsMax {
                // Half of them at once: to move the rest for each event would cost as much as all of them.
                for lost in state.waiting.prefix(Self.eventsMax / 2) {
                    if case .missed(let count) = lost { state.missed += count } else { state.missed += 1 }
                }
                state.waiting.removeFirst(Self.eventsMax / 2)
            }
            state.waiting.append(event)
            return nil
        }
        listener?.resume(returning: event)
    }

    /// Takes no more events. Those that wait are still read.
    func finish() {
        let listener = state.withLock { state in
            state.isFinished = true
            return state.listener.take()
        }
        listener?.resume(returning: nil)
    }

    /// The events, for one listener, until `finish` or until the listener's task is canceled.
    var events: AsyncStream<TripEvent> {
        AsyncStream {
            await self.next()
        } onCancel: {
            self.finish()
        }
    }

    private func next() async -> TripEvent? {
        await withCheckedContinuation { continuation in
            let event: TripEvent?? = state.withLock { state in
                if let event = state.next() { return event }
                if state.isFinished { return .some(nil) }
                state.listener = continuation
                return nil
            }
            if let event { continuation.resume(returning: event) }
        }
    }
}
