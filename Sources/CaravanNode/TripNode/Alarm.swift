import SyncEngine

/// Rings once, at the earliest time that was asked for.
struct Alarm {
    private var pending: (time: UInt64, task: Task<Void, Never>)?

    /// - Parameters:
    ///   - time: of the monotonic clock, in milliseconds.
    ///   - ring: called with the time, from a task.
    mutating func set(for time: UInt64, ring: @escaping @Sendable (UInt64) async -> Void) {
        if let pending, pending.time <= time { return }
        cancel()
        let now = Now.current.monotonic
        let delay = time > now ? time - now : 0
        let task = Task {
            guard (try? await Task.sleep(for: .milliseconds(Int64(delay)))) != nil else { return }
            await ring(time)
        }
        pending = (time, task)
    }

    /// Whether the ring for this time is the one that is waited for; it is then over.
    mutating func isDue(_ time: UInt64) -> Bool {
        guard pending?.time == time else { return false }
        pending = nil
        return true
    }

    mutating func cancel() {
        pending?.task.cancel()
        pending = nil
    }
}
