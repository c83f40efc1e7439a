import CAvahi
import LibC
import SyncEngine
import Synchronization

/// What the discovery thread is told, from any thread: orders behind a lock, and an eventfd(2) that wakes it.
///
/// The lock is never held across a call out of this file.
final class DiscoveryInbox: Sendable {
    struct Orders: Sendable {
        var isStarted = false
        var isStopping = false
        /// What is to be published from now on; nil where that has not changed.
        var advertisements: [Advertisement]?
        var resolve: [String] = []
    }

    let events: AsyncStream<DiscoveryEvent>.Continuation
    /// Readable while there are orders. -1 where the system gave none: then the thread looks every second.
    let wakeDescriptor: Int32
    private let orders = Mutex(Orders())

    init(_ events: AsyncStream<DiscoveryEvent>.Continuation) {
        self.events = events
        wakeDescriptor = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
    }

    deinit {
        if wakeDescriptor >= 0 { close(wakeDescriptor) }
    }

    /// Changes the orders and wakes the thread.
    @discardableResult
    func change<Answer: Sendable>(_ body: (inout sending Orders) -> Answer) -> Answer {
        let answer = orders.withLock { body(&$0) }
        var one: UInt64 = 1
        // Fails only where the counter is full, and then it is readable already.
        _ = write(wakeDescriptor, &one, MemoryLayout<UInt64>.size)
        return answer
    }

    /// What was ordered since the last time.
    func take() -> Orders {
        var count: UInt64 = 0
        _ = read(wakeDescriptor, &count, MemoryLayout<UInt64>.size)
        return orders.withLock { orders in
            let taken = orders
            orders.advertisements = nil
            orders.resolve = []
            return taken
        }
    }
}
