import LibC
import NIOCore
import NIOPosix

/// The options of every connection, dialled or accepted.
private func options(of limits: TCPTransport.Limits) -> [(ChannelOptions.Types.SocketOption, Int)] {
    [
        // A vote is one small write, and must not wait for an acknowledgement.
        (.tcp(TCP_NODELAY), 1),
        (.socketOption(.so_keepalive), 1),
        (.tcp(TCP_KEEPIDLE), Int(limits.keepaliveIdle.components.seconds)),
        (.tcp(TCP_KEEPINTVL), Int(limits.keepaliveInterval.components.seconds)),
        (.tcp(TCP_KEEPCNT), limits.keepaliveProbes),
        (.tcp(TCP_USER_TIMEOUT), Int(limits.userTimeout / .milliseconds(1))),
    ]
}

private func readAllocator(of limits: TCPTransport.Limits) -> AdaptiveRecvByteBufferAllocator {
    let maximum = limits.readChunkBytes
    return AdaptiveRecvByteBufferAllocator(minimum: min(1024, maximum), initial: min(4096, maximum), maximum: maximum)
}

extension ChannelOptions.Types.SocketOption {
    fileprivate static func tcp(_ name: CInt) -> Self { .init(level: .tcp, name: .init(rawValue: name)) }
    fileprivate static func socketOption(_ name: NIOBSDSocket.Option) -> Self { .init(level: .socket, name: name) }
}

extension ClientBootstrap {
    func channelOptions(of limits: TCPTransport.Limits) -> ClientBootstrap {
        let basic = channelOption(.allowRemoteHalfClosure, value: true)
            .channelOption(.recvAllocator, value: readAllocator(of: limits))
            .channelOption(.socketOption(.so_rcvbuf), value: limits.receiveBufferBytes)
        return options(of: limits).reduce(basic) { $0.channelOption($1.0, value: $1.1) }
    }
}

extension ServerBootstrap {
    func childChannelOptions(of limits: TCPTransport.Limits) -> ServerBootstrap {
        let basic = childChannelOption(.allowRemoteHalfClosure, value: true)
            .childChannelOption(.recvAllocator, value: readAllocator(of: limits))
        return options(of: limits).reduce(basic) { $0.childChannelOption($1.0, value: $1.1) }
    }
}

extension Channel {
    /// Makes the coming close a reset, which drops what is unsent in the system too. Called on the event loop.
    func resetOnClose() {
        _ = (self as? any SocketOptionProvider)?.setSoLinger(linger(l_onoff: 1, l_linger: 0))
    }
}
