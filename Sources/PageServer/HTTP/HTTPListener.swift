import LibC
import NIOCore
import NIOPosix
import Synchronization

/// A listening socket, and the connections that came by it.
///
/// Out of descriptors, accepting pauses and goes on (NIO tries again a second later). Should the system end the socket, it
/// listens again on the same port.
final class HTTPListener: Sendable {
    private struct State {
        var port: UInt16 = 0
        var listening: (any Channel)?
        var connections: [ObjectIdentifier: Held] = [:]
        var accepted = 0
        var isStopped = false
    }

    /// A connection that is open.
    private struct Held {
        let channel: any Channel
        let address: String
        /// How many came before it.
        let number: Int
        /// Whether a request on it showed a session.
        var isLetIn = false
    }

    private let host: String
    private let limits: HTTPLimits
    private let room: @Sendable (HTTPRequest) async -> BodyRoom?
    private let respond: @Sendable (HTTPRequest) async -> HTTPResponse
    private let priority: TaskPriority
    private let state = Mutex(State())

    /// - Parameters:
    ///   - host: a numeric address; "::" takes IPv4 too where the machine has both.
    ///   - priority: of what is done for those who connect.
    ///   - room: how long the body of a request may be, told of its head; nil for no longer than any.
    init(
        host: String, limits: HTTPLimits, priority: TaskPriority,
        room: @escaping @Sendable (HTTPRequest) async -> BodyRoom?,
        respond: @escaping @Sendable (HTTPRequest) async -> HTTPResponse
    ) {
        self.host = host
        self.limits = limits
        self.priority = priority
        self.room = room
        self.respond = respond
    }

    var port: UInt16 { state.withLock(\.port) }

    /// Listens at a port, 0 for any.
    ///
    /// - Throws: `IOError` where the system does not let it.
    func start(port: UInt16) async throws {
        let channel = try await bind(port: port)
        let isStopped = state.withLock { state in
            state.listening = channel
            state.port = channel.localAddress?.port.flatMap(UInt16.init(exactly:)) ?? port
            return state.isStopped
        }
        if isStopped { try await channel.close() }
        channel.closeFuture.whenComplete { [weak self] _ in self?.listenAgain() }
    }

    /// Closes the socket and all connections, at once.
    func stop() async {
        let channels = state.withLock { state in
            state.isStopped = true
            return state.connections.values.map(\.channel) + (state.listening.map { [$0] } ?? [])
        }
        for channel in channels { channel.close(promise: nil) }
        for channel in channels { try? await channel.closeFuture.get() }
    }

    private func listenAgain() {
        Task { [weak self, delay = limits.relistenDelay] in
            while let (port, isStopped) = self?.state.withLock({ ($0.port, $0.isStopped) }), !isStopped {
                try? await Task.sleep(for: delay)
                if (try? await self?.start(port: port)) != nil { return }
            }
        }
    }

    private func bind(port: UInt16) async throws -> any Channel {
        let bootstrap = ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .serverChannelOption(.backlog, value: limits.backlog)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            // What the system keeps of a stream that nobody reads.
            .childChannelOption(.socketOption(.so_sndbuf), value: SocketOptionValue(limits.sendBufferBytes))
            .childChannelInitializer { [weak self] channel in
                channel.eventLoop.makeCompletedFuture {
                    guard let self else { throw ChannelError.ioOnClosedChannel }
                    try self.accept(channel)
                }
            }
        do {
            return try await bootstrap.bind(host: host, port: Int(port)).get()
        } catch let error as IOError where host == "::" && ![EADDRINUSE, EACCES].contains(error.errnoCode) {
            // A machine without IPv6.
            return try await bootstrap.bind(host: "0.0.0.0", port: Int(port)).get()
        }
    }

    private struct OverLimit: Error {}

    /// Serves a channel that was just accepted, or throws where a bound says no. Called on its event loop.
    private func accept(_ channel: any Channel) throws {
        let key = ObjectIdentifier(channel)
        let leaving = try state.withLock { state in
            let leaving = try makeRoom(for: channel, &state)
            if let leaving { state.connections[ObjectIdentifier(leaving)] = nil }
            state.connections[key] = Held(channel: channel, address: Self.address(of: channel), number: state.accepted)
            state.accepted += 1
            return leaving
        }
        leaving?.close(promise: nil)
        channel.closeFuture.whenComplete { [weak self] _ in self?.forget(key) }
        let served = try HTTPConnection.prepare(channel, limits: limits)
        let connection = HTTPConnection(limits: limits, room: room, respond: respond) { [weak self] in
            self?.noteLetIn(key)
        }
        Task(priority: priority) { await connection.serve(served) }
    }

    /// The connection that gives way to another; nil where there is room: the oldest one on which nobody showed a session.
    ///
    /// - Throws: where there is no room, and none can be made.
    private func makeRoom(for channel: any Channel, _ state: inout State) throws -> (any Channel)? {
        guard !state.isStopped else { throw OverLimit() }
        let address = Self.address(of: channel)
        let isLocal = address.hasPrefix("127.") || address == "::1"
        let neighbors = state.connections.values.filter { $0.address == address }
        let isCrowded = !isLocal && neighbors.count >= limits.connectionsPerAddress
        guard isCrowded || state.connections.count >= limits.connections else { return nil }
        let candidates = (isCrowded ? neighbors : Array(state.connections.values)).filter { !$0.isLetIn }
        guard let oldest = candidates.min(by: { $0.number < $1.number }) else { throw OverLimit() }
        return oldest.channel
    }

    private static func address(of channel: any Channel) -> String { channel.remoteAddress?.ipAddress ?? "" }

    private func noteLetIn(_ key: ObjectIdentifier) { state.withLock { $0.connections[key]?.isLetIn = true } }

    private func forget(_ key: ObjectIdentifier) { state.withLock { $0.connections[key] = nil } }
}
