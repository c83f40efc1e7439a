import NIOCore

/// The listener of a transport, and those before it that still accept. Lives on the event loop.
final class Listeners {
    var current: Listener?
    /// The oldest first.
    private var lingering: [Listener] = []
    private var isStopped = false

    func replace(
        by new: Listener, lingering linger: Duration, limits: TCPTransport.Limits, on loop: any EventLoop
    ) {
        guard !isStopped else { return new.stop() }
        if let old = current {
            lingering.append(old)
            loop.assumeIsolated().scheduleTask(in: TimeAmount(linger)) {
                old.stop()
                self.lingering.removeAll { $0 === old }
            }
        }
        current = new
        while lingering.count > limits.lingeringListeners { lingering.removeFirst().stop() }
    }

    func stop() {
        isStopped = true
        for listener in lingering + [current].compactMap({ $0 }) { listener.stop() }
        lingering = []
    }
}
