import NIOCore
import NIOPosix
package import SyncEngine
import Synchronization

/// Carries bytes to peers and back over TCP. What the bytes mean is not its business.
///
/// One thread serves all connections. Every call may be made from any thread, the event loop's own included, and none
/// but `listen` and `stop` waits for anything. Calls for one connection take effect in the order in which they are made;
/// those for a connection that has ended do nothing.
///
/// Dialled connections bear even numbers, which the caller draws; accepted ones bear odd ones. `stop` must be called before
/// the last reference goes.
package final class TCPTransport: Sendable {
    /// What was counted since the transport was made.
    package struct Counters: Hashable, Sendable {
        /// Connections that were accepted and kept.
        package var accepted: UInt64 = 0
        /// Those of them that came from other machines.
        package var acceptedFromOthers: UInt64 = 0
        /// Dialled connections that were opened.
        package var dialled: UInt64 = 0
        /// Those of them that led to other machines.
        package var dialledToOthers: UInt64 = 0
        /// Connections that were accepted and reset, because a bound on them was hit.
        package var overLimit: UInt64 = 0
        /// Connections that were closed because too much waited unsent.
        package var overflowed: UInt64 = 0
        /// How often the system ended the listening socket, and the transport listened again.
        package var relistened: UInt64 = 0
        package var receivedBytes: UInt64 = 0
        /// Bytes that the system took.
        package var sentBytes: UInt64 = 0
        /// Bytes that it has yet to take, on all connections.
        package var unsentBytes = 0
    }

    private let limits: Limits
    private let group: MultiThreadedEventLoopGroup
    private let loop: any EventLoop
    private let gate: SendGate
    private let table: NIOLoopBoundBox<ConnectionTable>
    private let listeners: NIOLoopBoundBox<Listeners>
    private let isRunning = Mutex(true)

    /// Makes a transport that calls `onEvent` on its event loop, which must not block.
    package init(limits: Limits = .default, onEvent: @escaping @Sendable (TransportEvent) -> Void) {
        self.limits = limits
        group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        loop = group.next()
        gate = SendGate(limit: limits.maximumUnsentBytes)
        table = .makeBoxSendingValue(
            ConnectionTable(limits: limits, gate: gate, onEvent: onEvent), eventLoop: loop)
        listeners = .makeBoxSendingValue(Listeners(), eventLoop: loop)
    }

    package var counters: Counters { gate.counters }

    /// Listens on every address, IPv6 and IPv4 on one socket, or IPv4 alone where there is no IPv6.
    ///
    /// - Parameter port: 0 for a free port of the system's choice.
    /// - Returns: The port.
    package func listen(port: UInt16 = 0) async throws(TransportError) -> UInt16 {
        try await bound(to: port) { self.startListening(port: port) }
    }

    /// Listens at another port, of the system's choice, in place of the one before, which still accepts for a while.
    /// Connections go on.
    ///
    /// - Parameter linger: for how long the one before accepts; less where `Limits.lingeringListeners` others linger already.
    /// - Returns: The new port.
    package func listenAnew(lingering linger: Duration) async throws(TransportError) -> UInt16 {
        try await bound(to: 0) { self.replaceListener(lingering: linger) }
    }

    private func bound(
        to port: UInt16, _ listen: @escaping @Sendable () -> EventLoopFuture<UInt16>
    ) async throws(TransportError) -> UInt16 {
        do {
            let bound = isRunning.withLock { isRunning in isRunning ? loop.flatSubmit(listen) : nil }
            guard let bound else { throw TransportError.stopped }
            return try await bound.get()
        } catch let error as TransportError {
            throw error
        } catch {
            throw TransportError(error, port: port)
        }
    }

    private func replaceListener(lingering linger: Duration) -> EventLoopFuture<UInt16> {
        let made = Listener(limits: limits, gate: gate, table: table)
        let bound = NIOLoopBound(made, eventLoop: loop)
        return made.start(port: 0, on: loop).map { [listeners, limits, loop] port in
            listeners.value.replace(by: bound.value, lingering: linger, limits: limits, on: loop)
            return port
        }
    }

    private func startListening(port: UInt16) -> EventLoopFuture<UInt16> {
        guard listeners.value.current == nil else { return loop.makeFailedFuture(TransportError.alreadyListening) }
        let made = Listener(limits: limits, gate: gate, table: table)
        listeners.value.current = made
        return made.start(port: port, on: loop).flatMapErrorThrowing { [listeners] error in
            listeners.value.current = nil
            throw error
        }
    }

    /// Opens a connection. `connected` or `refused` follows, after `connectTimeout` at the latest.
    ///
    /// Traps on an odd number, and on one that is in use.
    package func dial(_ address: PeerAddress, as id: ConnectionID) {
        precondition(id.rawValue % 2 == 0, "odd numbers are for accepted connections")
        onLoop { [table, loop] in table.value.dial(address, as: id, on: loop) }
    }

    /// Queues bytes. On a connection that is not open they are dropped. More than `maximumUnsentBytes` waiting closes the connection.
    package func send(_ bytes: [UInt8], on id: ConnectionID) {
        isRunning.withLock { isRunning in
            guard isRunning, !bytes.isEmpty else { return }
            // The lock is held over the hop, so that what is sent from two threads is written in the order of its asking.
            switch gate.ask(bytes.count, on: id) {
            case .granted:
                loop.execute { [table, gate] in
                    guard let connection = table.value[id] else { return gate.didHandOver(bytes.count, of: id) }
                    connection.write(bytes)
                }
            case .overLimit: loop.execute { [table] in table.value[id]?.reset() }
            case .shut: break
            }
        }
    }

    /// Stops or resumes reading from a connection, so that the other side's sending stalls. What the system has buffered
    /// (`receiveBufferBytes`) may still be delivered when the other side ends its stream.
    package func setReading(_ on: Bool, for id: ConnectionID) {
        onLoop { [table] in table.value[id]?.setReading(on) }
    }

    /// Ends a connection after what is queued was handed over, `closeTimeout` later at the latest. Nothing more is
    /// received on it; its end follows.
    package func close(_ id: ConnectionID) {
        onLoop { [table] in table.value[id]?.close() }
    }

    /// Ends all connections at once, and drops what is queued here and in the system; their ends follow.
    package func resetAll() {
        onLoop { [table] in table.value.resetAll() }
    }

    /// Closes everything, as `close` does, and ends the thread. No event follows. Later calls do nothing.
    package func stop() async {
        let wasRunning = isRunning.withLock { isRunning in
            defer { isRunning = false }
            return isRunning
        }
        guard wasRunning else { return }
        let closed = loop.flatSubmit { [loop, table, listeners] in
            listeners.value.stop()
            return table.value.closeAll(on: loop)
        }
        try? await closed.get()
        try? await group.shutdownGracefully()
    }

    private func onLoop(_ body: @escaping @Sendable () -> Void) {
        isRunning.withLock { if $0 { loop.execute(body) } }
    }
}
