import AvahiDiscovery
import Synchronization

/// Everything that one discovery has reported, and the wait for a thing to be among it.
final class Witness: Sendable {
    private struct Waiter {
        let isSatisfied: @Sendable (State) -> Bool
        let continuation: CheckedContinuation<Bool, Never>
    }

    private struct State {
        var events: [DiscoveryEvent] = []
        var hasEnded = false
        var waiters: [Int: Waiter] = [:]
        var nextWaiter = 0
    }

    private let state = Mutex(State())

    init(_ discovery: AvahiDiscovery) {
        let events = discovery.events
        Task {
            for await event in events { self.note { $0.events.append(event) } }
            self.note { $0.hasEnded = true }
        }
    }

    var events: [DiscoveryEvent] { state.withLock(\.events) }

    /// True once all that was reported satisfies the condition; false if it does not within the time.
    func sees(
        within time: Duration = .seconds(15), _ isSatisfied: @escaping @Sendable ([DiscoveryEvent]) -> Bool
    ) async -> Bool {
        await waits(time) { isSatisfied($0.events) }
    }

    /// True once the stream of events is over.
    func ends(within time: Duration = .seconds(15)) async -> Bool { await waits(time, for: \.hasEnded) }

    private func waits(_ time: Duration, for isSatisfied: @escaping @Sendable (State) -> Bool) async -> Bool {
        await withCheckedContinuation { continuation in
            let waiter: Int? = state.withLock { state in
                guard !isSatisfied(state) else { return nil }
                state.nextWaiter += 1
                state.waiters[state.nextWaiter] = Waiter(isSatisfied: isSatisfied, continuation: continuation)
                return state.nextWaiter
            }
            guard let waiter else { return continuation.resume(returning: true) }
            Task {
                try? await Task.sleep(for: time)
                self.state.withLock { $0.waiters.removeValue(forKey: waiter) }?.continuation.resume(returning: false)
            }
        }
    }

    /// The same, counting only what comes after this call.
    func seesAnew(_ event: DiscoveryEvent, within time: Duration = .seconds(15)) async -> Bool {
        let before = events.count
        return await sees(within: time) { $0.dropFirst(before).contains(event) }
    }

    private func note(_ change: (inout State) -> Void) {
        let satisfied = state.withLock { state in
            change(&state)
            let satisfied = state.waiters.filter { $0.value.isSatisfied(state) }
            for key in satisfied.keys { state.waiters[key] = nil }
            return satisfied.values.map(\.continuation)
        }
        for continuation in satisfied { continuation.resume(returning: true) }
    }
}
