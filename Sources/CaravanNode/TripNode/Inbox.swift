import AvahiDiscovery
import SyncEngine
import TripStore

/// What happened outside a node and is not handled yet, in order; bounded.
struct Inbox: Sendable {
    enum Input: Sendable {
        case event(Event)
        case persisted(Result<UInt64, StoreError>, writer: StoreWriter.Generation)
        case discovery(DiscoveryEvent)
    }

    let inputs: AsyncStream<Input>
    private let continuation: AsyncStream<Input>.Continuation

    /// The greatest number of inputs that wait.
    private static let inputsMax = 65_536

    init() {
        (inputs, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(Self.inputsMax))
    }

    /// Puts something in, from any thread. Says whether there was room.
    @discardableResult
    func post(_ input: Input) -> Bool {
        if case .dropped = continuation.yield(input) { return false }
        return true
    }

    func finish() { continuation.finish() }
}
