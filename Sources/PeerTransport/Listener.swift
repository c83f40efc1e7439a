import LibC
import NIOCore
import NIOPosix

/// The listening socket. Lives on the event loop.
///
/// The system may end it: accept(2) passes on errors of the network, and NIO closes a listener on most of them. It then listens
/// again on the same port. Running out of descriptors does not end it; NIO tries again a second later.
final class Listener {
    private let limits: TCPTransport.Limits
    private let gate: SendGate
    private let table: NIOLoopBoundBox<ConnectionTable>
    private var channel: (any Channel)?
    private var isStopped = false

    init(limits: TCPTransport.Limits, gate: SendGate, table: NIOLoopBoundBox<ConnectionTable>) {
        self.limits = limits
        self.gate = gate
        self.table = table
    }

    func start(port: UInt16, on loop: any EventLoop) -> EventLoopFuture<UInt16> {
        let bound = NIOLoopBound(self, eventLoop: loop)
        return bind(port: port, on: loop).flatMapThrowing { channel in
            guard let port = channel.localAddress?.port.flatMap(UInt16.init(exactly:)) else {
                throw ChannelError.unknownLocalAddress
            }
            bound.value.watch(channel, port: port, on: loop)
            return port
        }
    }

    func stop() {
        isStopped = true
        channel?.close(promise: nil)
    }

    private func watch(_ channel: any Channel, port: UInt16, on loop: any EventLoop) {
        self.channel = channel
        if isStopped { return channel.close(promise: nil) }
        channel.closeFuture.assumeIsolated().whenComplete { _ in self.listenAgain(port: port, on: loop) }
    }

    private func listenAgain(port: UInt16, on loop: any EventLoop) {
        guard !isStopped else { return }
        channel = nil
        loop.assumeIsolated().scheduleTask(in: TimeAmount(limits.relistenDelay)) {
            guard !self.isStopped else { return }
            self.start(port: port, on: loop).assumeIsolated().whenComplete { result in
                switch result {
                case .success: self.gate.count { $0.relistened += 1 }
                case .failure: self.listenAgain(port: port, on: loop)
                }
            }
        }
    }

    private func bind(port: UInt16, on loop: any EventLoop) -> EventLoopFuture<any Channel> {
        let bootstrap = self.bootstrap(on: loop)
        return
            bootstrap
            .serverChannelOption(ChannelOptions.Types.SocketOption(level: .ipv6, name: .ipv6_v6only), value: 0)
            .bind(host: "::", port: Int(port))
            .flatMapError { [bound = NIOLoopBound(self, eventLoop: loop)] error in
                if let error = error as? IOError, [EADDRINUSE, EACCES].contains(error.errnoCode) {
                    return loop.makeFailedFuture(error)
                }
                return bound.value.bootstrap(on: loop).bind(host: "0.0.0.0", port: Int(port))
            }
    }

    private func bootstrap(on loop: any EventLoop) -> ServerBootstrap {
        ServerBootstrap(group: loop)
            .serverChannelOption(.backlog, value: Int32(clamping: limits.backlog))
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .serverChannelOption(.socketOption(.so_rcvbuf), value: limits.receiveBufferBytes)
            .childChannelOptions(of: limits)
            .childChannelInitializer { [table] channel in
                channel.eventLoop.makeCompletedFuture { try table.value.admit(channel) }
            }
    }
}
