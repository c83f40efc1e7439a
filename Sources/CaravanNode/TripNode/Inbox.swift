import AvahiDiscovery
import SyncEngine
import Synchronization
import TripStore

/// A node's unhandled inputs, in order.
///
/// Inputs that others cause have a bounded number of places. An answer to the node's own request always has a place: there are
/// no more answers than requests, and the node would wait indefinitely for a lost answer of the disk.
final class Inbox: Sendable {
    enum Input: Sendable {
        case event(Event)
        case persisted(Result<UInt64, StoreError>, writer: StoreWriter.Generation)
        case discovery(DiscoveryEvent)
        /// So many inputs found no place.
        case missed(Int)
    }

    private struct State {
        var waiting = 0
        var missed = 0
    }

    let inputs: AsyncStream<Input>
    private let continuation: AsyncStream<Input>.Continuation
    private let state = Mutex(State())

    /// The greatest number of inputs that others can make wait.
    static let inputsMax = 65_536

    init() { (inputs, continuation) = AsyncStream.makeStream(bufferingPolicy: .unbounded) }

    /// Adds an input that others caused, from any thread. Without a place it is dropped, and so are all inputs by others until the
    /// node has handled `missed`.
    /// - Returns: whether there was a place.
    @discardableResult
    func offer(_ input: Input) -> Bool {
        let isFirstMissed: Bool? = state.withLock { state in
            guard state.missed > 0 || state.waiting >= Self.inputsMax else {
                state.waiting += 1
                return nil
            }
            state.missed += 1
            guard state.missed == 1 else { return false }
            state.waiting += 1
            return true
        }
        guard let isFirstMissed else {
            continuation.yield(input)
            return true
        }
        if isFirstMissed { continuation.yield(.missed(0)) }
        return false
    }

    /// Adds an answer to this node's own request, from any thread.
    func deliver(_ input: Input) {
        state.withLock { $0.waiting += 1 }
        continuation.yield(input)
    }

    /// To be called with each of the inputs as it is taken.
    /// - Returns: what to handle.
    func took(_ input: Input) -> Input {
        state.withLock { state in
            state.waiting -= 1
            guard case .missed = input else { return input }
            defer { state.missed = 0 }
            return .missed(state.missed)
        }
    }

    func finish() { continuation.finish() }
}
