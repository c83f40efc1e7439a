import PeerTransport
import SyncEngine
import Synchronization

/// Slows peers that send faster than the node handles. It counts the waiting bytes of each connection, and stops reading one
/// that exceeds its bound until most of them are handled. So the sender waits, and memory does not fill.
final class Intake: Sendable {
    /// Bytes of one connection that may wait. A chunk and what the system has buffered may still come on top.
    static let waitingMax = 512 << 10
    /// Reading goes on once no more than so many wait.
    static let resumeAt = 128 << 10
    /// What one input counts at least, however few bytes it has: so all connections together fill no more than
    /// `Inbox.inputsMax` places.
    static let inputBytesMin = 4 << 10

    private struct State {
        var transport: TCPTransport?
        var waiting: [ConnectionID: Int] = [:]
        var held: Set<ConnectionID> = []
        /// Those of which the node has enough itself.
        var heldByNode: Set<ConnectionID> = []

        func read(_ id: ConnectionID) {
            transport?.setReading(!held.contains(id) && !heldByNode.contains(id), for: id)
        }
    }

    private let state = Mutex(State())

    /// The transport whose connections these are; nil lets go of it.
    func attach(_ transport: TCPTransport?) {
        state.withLock { $0 = State(transport: transport) }
    }

    /// Notes bytes that came and wait to be handled. From any thread.
    func arrived(_ count: Int, on id: ConnectionID) {
        state.withLock { state in
            state.waiting[id, default: 0] += max(count, Intake.inputBytesMin)
            guard state.waiting[id, default: 0] > Intake.waitingMax, state.held.insert(id).inserted else { return }
            state.read(id)
        }
    }

    /// Reads on, or no more, because the node says so.
    func read(_ isRead: Bool, _ id: ConnectionID) {
        state.withLock { state in
            if isRead { state.heldByNode.remove(id) } else { state.heldByNode.insert(id) }
            state.read(id)
        }
    }

    /// Notes bytes that were handled.
    func handled(_ count: Int, on id: ConnectionID) {
        state.withLock { state in
            guard let before = state.waiting[id] else { return }
            let waiting = max(0, before - max(count, Intake.inputBytesMin))
            state.waiting[id] = waiting
            guard waiting <= Intake.resumeAt, state.held.remove(id) != nil else { return }
            state.read(id)
        }
    }

    /// Bytes that wait, on all connections, each input counted as `inputBytesMin` at least.
    var waitingBytes: Int { state.withLock { $0.waiting.values.reduce(0, +) } }

    /// Notes that a connection is over, after all that came on it.
    func ended(_ id: ConnectionID) {
        state.withLock { state in
            state.waiting[id] = nil
            state.held.remove(id)
            state.heldByNode.remove(id)
        }
    }
}
