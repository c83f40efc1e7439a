import NIOCore
import NIOPosix
import SyncEngine
import Synchronization

/// All connections of a transport. Lives on its event loop, and is touched nowhere else.
final class ConnectionTable {
    let limits: TCPTransport.Limits
    private let gate: SendGate
    private let onEvent: @Sendable (TransportEvent) -> Void
    private var connections: [ConnectionID: TCPConnection] = [:]
    private var acceptedFrom: [String: Int] = [:]
    private var acceptedCount = 0
    private var dialledCount = 0
    private var nextAccepted: UInt64 = 1
    private var whenEmpty: EventLoopPromise<Void>?

    init(limits: TCPTransport.Limits, gate: SendGate, onEvent: @escaping @Sendable (TransportEvent) -> Void) {
        self.limits = limits
        self.gate = gate
        self.onEvent = onEvent
    }

    subscript(id: ConnectionID) -> TCPConnection? { connections[id] }

    func deliver(_ event: TransportEvent) { onEvent(event) }

    func count(_ change: (inout TCPTransport.Counters) -> Void) { gate.count(change) }

    func didHandOver(_ size: Int, of id: ConnectionID) { gate.didHandOver(size, of: id) }

    // MARK: Beginning

    struct OverLimit: Error {}

    /// Takes in a channel that was just accepted, or throws where a bound says no.
    func admit(_ channel: any Channel) throws {
        guard whenEmpty == nil, let address = channel.remoteAddress, let host = address.peerHost else {
            throw ChannelError.ioOnClosedChannel
        }
        let bound = address.isLoopback ? limits.acceptedPerLoopbackAddress : limits.acceptedPerAddress
        guard acceptedCount < limits.acceptedConnections, acceptedFrom[host, default: 0] < bound else {
            gate.count { $0.overLimit += 1 }
            // A reset: the one that would hold a closed connection for a minute is the one that closes it.
            channel.resetOnClose()
            throw OverLimit()
        }
        let connection = TCPConnection(id: ConnectionID(rawValue: nextAccepted), acceptedFrom: address, table: self)
        nextAccepted += 2
        acceptedCount += 1
        acceptedFrom[host, default: 0] += 1
        gate.count { $0.accepted += 1 }
        enter(connection)
        try channel.pipeline.syncOperations.addHandler(connection)
    }

    func dial(_ address: PeerAddress, as id: ConnectionID, on loop: any EventLoop) {
        precondition(connections[id] == nil, "a connection's number is used once")
        let connection = TCPConnection(id: id, acceptedFrom: nil, table: self)
        dialledCount += 1
        enter(connection)
        guard whenEmpty == nil else { return connection.fail("the transport was stopped") }
        guard dialledCount <= limits.dialledConnections else { return connection.fail("too many connections") }
        guard address.port != 0, let target = SocketAddress(address) else {
            return connection.fail("\(address) is not a numeric address and port")
        }
        let bound = NIOLoopBound(connection, eventLoop: loop)
        ClientBootstrap(group: loop)
            .connectTimeout(TimeAmount(limits.connectTimeout))
            .channelOptions(of: limits)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    guard !bound.value.hasEnded else { throw ChannelError.ioOnClosedChannel }
                    try channel.pipeline.syncOperations.addHandler(bound.value)
                }
            }
            .connect(to: target)
            .assumeIsolated()
            .whenFailure { connection.fail(Self.reason(of: $0)) }
    }

    private func enter(_ connection: TCPConnection) {
        connections[connection.id] = connection
        gate.open(connection.id)
    }

    // MARK: Ending

    /// Forgets a connection, and tells so last.
    func remove(_ connection: TCPConnection, saying event: TransportEvent?) {
        guard connections.removeValue(forKey: connection.id) != nil else { return }
        gate.close(connection.id)
        if let address = connection.acceptedFrom {
            acceptedCount -= 1
            let host = address.peerHost ?? ""
            acceptedFrom[host] = acceptedFrom[host].flatMap { $0 > 1 ? $0 - 1 : nil }
        } else {
            dialledCount -= 1
        }
        if let event { deliver(event) }
        if connections.isEmpty { whenEmpty?.succeed(()) }
    }

    /// Ends every connection at once, with nothing that the system sends again.
    func resetAll() {
        for id in connections.keys.sorted() { connections[id]?.reset() }
    }

    /// Closes every connection, and completes when the last has ended.
    func closeAll(on loop: any EventLoop) -> EventLoopFuture<Void> {
        if let whenEmpty { return whenEmpty.futureResult }
        let promise = loop.makePromise(of: Void.self)
        whenEmpty = promise
        for id in connections.keys.sorted() { connections[id]?.close() }
        if connections.isEmpty { promise.succeed(()) }
        return promise.futureResult
    }

    private static func reason(of error: any Error) -> String {
        switch error {
        case ChannelError.connectTimeout: "no answer"
        case let error as IOError: error.description
        default: String(describing: error)
        }
    }
}
