import NIOCore
import SyncEngine

/// One connection on its event loop: a channel's handler, and what remains to be done before the channel may go.
///
/// ```
/// opening ──▶ open ──▶ closing ──▶ ended
///    └─────────┴──────────────────────▲
/// ```
///
/// A closing connection delivers nothing more. It hands over what is queued, ends its stream, and reads away what comes
/// until the other side ends too: to close with unread bytes would reset the connection, and a reset may destroy at the
/// other side what we just sent (RFC 1122, section 4.2.2.13). An accepted one on which nothing was answered is reset.
final class TCPConnection: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private enum Phase {
        case opening
        case open
        case closing(deadline: Scheduled<Void>)
        case ended
    }

    let id: ConnectionID
    /// The other side's address, of an accepted connection alone.
    let acceptedFrom: SocketAddress?

    private unowned let table: ConnectionTable
    private var phase = Phase.opening
    private var context: ChannelHandlerContext?
    private var writesInFlight = 0
    private var hasInputEnded = false
    private var hasHeard = false
    /// Whether anything was handed over after something came, so that a reset could lose an answer.
    private var hasAnswered = false

    init(id: ConnectionID, acceptedFrom: SocketAddress?, table: ConnectionTable) {
        self.id = id
        self.acceptedFrom = acceptedFrom
        self.table = table
    }

    var hasEnded: Bool { if case .ended = phase { true } else { false } }

    // MARK: What the node wants

    func write(_ bytes: [UInt8]) {
        guard case .open = phase, let context else { return }
        hasAnswered = hasHeard
        writesInFlight += 1
        let size = bytes.count
        let written = context.eventLoop.makePromise(of: Void.self)
        written.futureResult.assumeIsolated().whenComplete { _ in
            self.table.didHandOver(size, of: self.id)
            self.writesInFlight -= 1
            self.endStreamIfDrained()
        }
        context.writeAndFlush(wrapOutboundOut(context.channel.allocator.buffer(bytes: bytes)), promise: written)
    }

    func setReading(_ on: Bool) {
        guard case .open = phase, let context else { return }
        setAutoRead(on, context)
    }

    /// Ends the connection once everything queued was handed over, and `closeTimeout` at the latest.
    func close() {
        switch phase {
        case .opening:
            end(.refused(id, reason: "closed before it was open"))
            context?.close(promise: nil)
        case .open:
            guard let context else { return end(.closed(id)) }
            // A peer that knocked and got no answer is disconnected at once, so that a slow goodbye holds no place.
            if acceptedFrom != nil, !hasAnswered { return reset() }
            let deadline = context.eventLoop.assumeIsolated().scheduleTask(
                in: TimeAmount(table.limits.closeTimeout)
            ) { self.reset() }
            phase = .closing(deadline: deadline)
            setAutoRead(true, context)
            endStreamIfDrained()
        case .closing, .ended:
            break
        }
    }

    /// Ends the connection at once, and drops what is queued here and in the system.
    func reset() {
        guard let context else { return close() }
        context.channel.resetOnClose()
        context.close(promise: nil)
    }

    /// The dial came to nothing.
    func fail(_ reason: String) {
        if case .opening = phase { end(.refused(id, reason: reason)) }
    }

    // MARK: What the channel says

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        // An accepted channel that was reset before it was registered never becomes active; a failed dial has its own
        // way out.
        if acceptedFrom != nil { end(.closed(id)) }
    }

    func channelActive(context: ChannelHandlerContext) {
        guard case .opening = phase else { return context.close(promise: nil) }
        if let acceptedFrom {
            guard let address = context.localAddress?.peerAddress, let caller = acceptedFrom.peerHost else {
                return reset()
            }
            phase = .open
            if !isWithinMachine(context) { table.count { $0.acceptedFromOthers += 1 } }
            table.deliver(.accepted(id, at: address, from: caller))
        } else if context.localAddress == context.remoteAddress {
            // TCP's simultaneous open: a dial to a free port of this machine may draw that very port as its own.
            end(.refused(id, reason: "connection refused"))
            context.close(promise: nil)
        } else {
            phase = .open
            let isToOthers = !isWithinMachine(context)
            table.count { counters in
                counters.dialled += 1
                if isToOthers { counters.dialledToOthers += 1 }
            }
            table.deliver(.connected(id))
        }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .open = phase else { return }
        let buffer = unwrapInboundIn(data)
        guard buffer.readableBytes > 0 else { return }
        hasHeard = true
        table.count { $0.receivedBytes += UInt64(buffer.readableBytes) }
        table.deliver(.received(id, Array(buffer.readableBytesView)))
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard case ChannelEvent.inputClosed = event else { return }
        hasInputEnded = true
        close()
        endStreamIfDrained()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        end(.closed(id))
    }

    /// Whether both ends are on this machine: then they have one address.
    private func isWithinMachine(_ context: ChannelHandlerContext) -> Bool {
        guard let local = context.localAddress, let remote = context.remoteAddress else { return true }
        return remote.isLoopback || local.peerHost == remote.peerHost
    }

    // MARK: The end

    private func endStreamIfDrained() {
        guard case .closing = phase, writesInFlight == 0, let context else { return }
        context.close(mode: hasInputEnded ? .all : .output, promise: nil)
    }

    private func setAutoRead(_ on: Bool, _ context: ChannelHandlerContext) {
        try? context.channel.syncOptions?.setOption(.autoRead, value: on)
    }

    private func end(_ event: TransportEvent) {
        switch phase {
        case .ended: return
        case .closing(let deadline): deadline.cancel()
        case .opening:
            // Nobody has heard of an accepted connection that never opened.
            phase = .ended
            return table.remove(self, saying: acceptedFrom == nil ? event : nil)
        case .open: break
        }
        phase = .ended
        table.remove(self, saying: event)
    }
}
