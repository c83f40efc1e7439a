import Synchronization

/// Says that something is to be done, once however often it was said: what a stream waits for instead of a queue.
final class DirtyFlag: Sendable {
    private struct State {
        var isSet = false
        var hasEnded = false
        var waiting: CheckedContinuation<Bool, Never>?
    }

    private let state = Mutex(State())

    func set() {
        let waiting = state.withLock { state in
            guard let waiting = state.waiting else {
                state.isSet = true
                return nil as CheckedContinuation<Bool, Never>?
            }
            state.waiting = nil
            return waiting
        }
        waiting?.resume(returning: true)
    }

    func end() {
        let waiting = state.withLock { state in
            state.hasEnded = true
            defer { state.waiting = nil }
            return state.waiting
        }
        waiting?.resume(returning: false)
    }

    /// Waits until the flag is set, and takes it down. False at the end. One waits at a time.
    func wait() async -> Bool {
        await withCheckedContinuation { continuation in
            let answer: Bool? = state.withLock { state in
                if state.hasEnded { return false }
                if state.isSet {
                    state.isSet = false
                    return true
                }
                state.waiting = continuation
                return nil
            }
            if let answer { continuation.resume(returning: answer) }
        }
    }
}
