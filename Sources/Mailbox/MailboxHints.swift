import Synchronization

/// A stream of hints with at most one pending.
struct MailboxHints: Sendable {
    let stream: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    init() {
        (stream, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    func give() { continuation.yield() }
    func finish() { continuation.finish() }
    /// - Parameter action: what to do once nobody listens any more.
    func onEnd(_ action: @escaping @Sendable () -> Void) {
        continuation.onTermination = { _ in action() }
    }
}
