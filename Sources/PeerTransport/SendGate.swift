import SyncEngine
import Synchronization

/// The part of a transport that every thread may touch: how much waits unsent where, and what was counted.
///
/// `send` asks here before it hops to the event loop, so the bound holds even while that loop is busy.
final class SendGate: Sendable {
    enum Answer {
        case granted
        /// The bound is hit: this connection is to be closed, and takes nothing more.
        case overLimit
        /// No such connection, or it takes nothing more.
        case shut
    }

    private struct State {
        var unsentBytes: [ConnectionID: Int] = [:]
        var counters = TCPTransport.Counters()
    }

    private let limit: Int
    private let state = Mutex(State())

    init(limit: Int) {
        self.limit = limit
    }

    func open(_ id: ConnectionID) {
        state.withLock { $0.unsentBytes[id] = 0 }
    }

    func close(_ id: ConnectionID) {
        state.withLock { _ = $0.unsentBytes.removeValue(forKey: id) }
    }

    func ask(_ size: Int, on id: ConnectionID) -> Answer {
        state.withLock { state in
            guard let unsent = state.unsentBytes[id] else { return .shut }
            guard size <= limit - unsent else {
                state.unsentBytes[id] = nil
                state.counters.overflowed += 1
                return .overLimit
            }
            state.unsentBytes[id] = unsent + size
            return .granted
        }
    }

    func didHandOver(_ size: Int, of id: ConnectionID) {
        state.withLock { state in
            if let unsent = state.unsentBytes[id] { state.unsentBytes[id] = unsent - size }
            state.counters.sentBytes += UInt64(size)
        }
    }

    func count(_ change: (inout TCPTransport.Counters) -> Void) {
        state.withLock { change(&$0.counters) }
    }

    var counters: TCPTransport.Counters {
        state.withLock { state in
            var counters = state.counters
            counters.unsentBytes = state.unsentBytes.values.reduce(0, +)
            return counters
        }
    }
}
