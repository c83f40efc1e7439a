import NIOCore
import NIOHTTP1

/// Closes a connection whose other side takes its time: for a request's head, its body, the next request, or what is
/// written to it. Lives on the connection's event loop.
///
/// ```
/// fresh ──▶ head ──▶ body ──▶ answering ──▶ idle
///            ▲        │                        │
///            │        └──▶ lingering           │
///            └─────────────────────────────────┘
/// ```
///
/// A connection lingers until the rest of a refused request has arrived. Then it is closed.
final class HTTPDeadlines {
    enum Phase { case head, body, answering, idle, lingering }

    private let limits: HTTPLimits
    private let channel: any Channel
    private var phase = Phase.head
    private var reading: Scheduled<Void>?
    private var writing: Scheduled<Void>?
    private var writes = 0
    private var bytesBeforeHead = 0
    private var bytesLingering = 0

    init(limits: HTTPLimits, channel: any Channel) {
        self.limits = limits
        self.channel = channel
        enter(.head)
    }

    func enter(_ phase: Phase) {
        self.phase = phase
        reading?.cancel()
        switch phase {
        case .head: reading = close(after: limits.headDeadline)
        case .body, .lingering: reading = close(after: limits.bodyDeadline)
        case .idle: reading = close(after: limits.idleDeadline)
        case .answering: reading = nil
        }
        if phase != .head { bytesBeforeHead = 0 }
    }

    /// The request is whole.
    func requestEnded() {
        if phase != .lingering { enter(.answering) }
    }

    /// The answer is written.
    func answerEnded() { enter(phase == .body ? .lingering : .idle) }

    /// Bytes came. Closes the connection where they are more than a head, or the rest of a request, may have.
    func received(_ count: Int) {
        switch phase {
        case .idle:
            enter(.head)
            bytesBeforeHead = count
        case .head:
            bytesBeforeHead += count
            if bytesBeforeHead > limits.bytesBeforeHead { channel.close(promise: nil) }
        case .lingering:
            bytesLingering += count
            if bytesLingering > limits.uploadBytes { channel.close(promise: nil) }
        case .body, .answering: break
        }
    }

    func began() {
        writes += 1
        if writes == 1 { writing = close(after: limits.writeDeadline) }
    }

    /// The system took something of what was written.
    func wrote() {
        writes -= 1
        writing?.cancel()
        writing = writes > 0 ? close(after: limits.writeDeadline) : nil
    }

    func end() {
        reading?.cancel()
        writing?.cancel()
    }

    private func close(after limit: Duration) -> Scheduled<Void> {
        let channel = channel
        return channel.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(limit)) { channel.close(promise: nil) }
    }
}

/// Tells the deadlines of bytes that come and go; the first handler of a connection.
final class ByteWatch: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let deadlines: HTTPDeadlines

    init(_ deadlines: HTTPDeadlines) { self.deadlines = deadlines }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        deadlines.received(unwrapInboundIn(data).readableBytes)
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        deadlines.began()
        let promise = promise ?? context.eventLoop.makePromise()
        promise.futureResult.assumeIsolated().whenComplete { [deadlines] _ in deadlines.wrote() }
        context.write(data, promise: promise)
    }

    func channelInactive(context: ChannelHandlerContext) {
        deadlines.end()
        context.fireChannelInactive()
    }
}

/// Tells the deadlines where requests and answers begin and end; behind the decoder. After what was no HTTP, which NIO has
/// answered, nothing is written any more: an answer that was on its way would be a second one.
final class MessageWatch: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    private let deadlines: HTTPDeadlines
    private var hasFailed = false

    init(_ deadlines: HTTPDeadlines) { self.deadlines = deadlines }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        hasFailed = true
        context.fireErrorCaught(error)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head: deadlines.enter(.body)
        case .end: deadlines.requestEnded()
        case .body: break
        }
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard !hasFailed else { return promise?.fail(ChannelError.ioOnClosedChannel) ?? () }
        if case .end = unwrapOutboundIn(data) { deadlines.answerEnded() }
        context.write(data, promise: promise)
    }
}
