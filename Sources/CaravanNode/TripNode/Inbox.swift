import AvahiDiscovery
import SyncEngine
import Synchronization
import TripStore

/// What happened outside a node and is not handled yet, in order.
///
/// What others cause finds a bounded number of places. What the node itself asked for always finds one: no more of it comes than
/// was asked for, and a lost answer of the disk would be waited for indefinitely.
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

    /// Puts in what others caused, from any thread. Where there is no place it is left out, as is all that others cause until the
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

    /// Puts in what this node asked for, from any thread.
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
