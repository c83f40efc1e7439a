import PeerTransport
import SyncEngine
import Synchronization

/// What a transport said, kept in order, and a way to wait for it.
final class EventLog: Sendable {
    private struct Waiter {
        let number: Int
        let condition: @Sendable ([TransportEvent]) -> Bool
        let continuation: CheckedContinuation<Bool, Never>
    }

    private struct State {
        var events: [TransportEvent] = []
        var waiters: [Waiter] = []
        var lastWaiter = 0
    }

    private let state = Mutex(State())

    var events: [TransportEvent] { state.withLock { $0.events } }

    func append(_ event: TransportEvent) {
        let ready = state.withLock { state in
            state.events.append(event)
            let ready = state.waiters.filter { $0.condition(state.events) }
            state.waiters.removeAll { waiter in ready.contains { $0.number == waiter.number } }
            return ready
        }
        for waiter in ready { waiter.continuation.resume(returning: true) }
    }

    /// Waits until the events meet a condition. False when they do not within ten seconds.
    func wait(until condition: @escaping @Sendable ([TransportEvent]) -> Bool) async -> Bool {
        await withCheckedContinuation { continuation in
            let number: Int? = state.withLock { state in
                guard !condition(state.events) else { return nil }
                state.lastWaiter += 1
                state.waiters.append(
                    Waiter(number: state.lastWaiter, condition: condition, continuation: continuation))
                return state.lastWaiter
            }
            guard let number else { return continuation.resume(returning: true) }
            Task {
                try? await Task.sleep(for: .seconds(10))
                giveUp(number)
            }
        }
    }

    private func giveUp(_ number: Int) {
        let waiter = state.withLock { state in
            state.waiters.firstIndex { $0.number == number }.map { state.waiters.remove(at: $0) }
        }
        waiter?.continuation.resume(returning: false)
    }
}

extension [TransportEvent] {
    var accepted: [ConnectionID] { compactMap { if case .accepted(let id, _, _) = $0 { id } else { nil } } }
    var acceptedAt: [PeerAddress] { compactMap { if case .accepted(_, let address, _) = $0 { address } else { nil } } }

    /// The connections that have ended, one entry for each event that says so.
    var ended: [ConnectionID] {
        compactMap {
            switch $0 {
            case .closed(let id), .refused(let id, _): id
            default: nil
            }
        }
    }

    func bytes(on id: ConnectionID) -> [UInt8] {
        flatMap { event -> [UInt8] in
            if case .received(id, let bytes) = event { bytes } else { [] }
        }
    }

    func byteCount(on id: ConnectionID) -> Int {
        reduce(0) { sum, event in
            if case .received(id, let bytes) = event { sum + bytes.count } else { sum }
        }
    }

    /// What is wrong with the order of events: a connection that speaks before it begins or after it ends, or ends twice.
    var disorder: String? {
        var open: Set<ConnectionID> = []
        var ended: Set<ConnectionID> = []
        for event in self {
            switch event {
            case .accepted(let id, _, _), .connected(let id):
                if !open.insert(id).inserted || ended.contains(id) { return "\(id) begins twice" }
            case .received(let id, let bytes):
                if !open.contains(id) || bytes.isEmpty { return "\(id) receives \(bytes.count) bytes while not open" }
            case .closed(let id):
                if open.remove(id) == nil { return "\(id) is closed while not open" }
                ended.insert(id)
            case .refused(let id, _):
                if open.contains(id) || !ended.insert(id).inserted { return "\(id) is refused after it began" }
            }
        }
        return nil
    }
}
