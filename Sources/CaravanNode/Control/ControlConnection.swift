import Foundation
import NIOCore

/// A client of the control socket: its request, its answers, and what ends the connection. Lives on its event loop.
///
/// One answer at most waits for a client that does not read.
final class ControlConnection: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let quietPulsesMax: Int
    private let respond: @Sendable (ControlMessage, any Channel) async -> Void
    private var received = ByteBuffer()
    /// Works at the answer, from the request on.
    private var task: Task<Void, Never>?
    private var pulse: Scheduled<Void>?
    /// Successive pulses at which the client had asked nothing, or had read nothing of its answer.
    private var quietPulses = 0
    private var unsentBytes = 0

    /// How often to say that an answer is being worked at, and to look whether the client reads.
    private static let pulseInterval = TimeAmount.milliseconds(500)

    /// - Parameters:
    ///   - patience: for how long a client may ask nothing, or read nothing, in seconds.
    ///   - respond: sends all answers to a request. The connection ends when it returns, and it is canceled when the client
    ///     leaves.
    init(patience: Int, respond: @escaping @Sendable (ControlMessage, any Channel) async -> Void) {
        quietPulsesMax = 2 * patience
        self.respond = respond
    }

    struct TooLong: Error {}

    /// The body of the request in what was received; nil while a part of it is missing.
    static func request(in received: ByteBuffer) throws(TooLong) -> ByteBuffer? {
        guard let count = received.getInteger(at: received.readerIndex, as: UInt32.self) else { return nil }
        guard count <= ControlSocket.requestBytesMax else { throw TooLong() }
        return received.peekLengthPrefixedSlice(as: UInt32.self)
    }

    func channelActive(context: ChannelHandlerContext) {
        _ = context.channel.send(.ready)
        schedulePulse(context)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        // A connection has one request. What follows it is dropped.
        guard task == nil else { return }
        var bytes = unwrapInboundIn(data)
        received.writeBuffer(&bytes)
        do {
            guard let request = try Self.request(in: received) else { return }
            let channel = context.channel
            task = Task { [respond] in
                let body = Data(request.readableBytesView)
                if let message = try? JSONDecoder().decode(ControlMessage.self, from: body) {
                    await respond(message, channel)
                }
                channel.close(promise: nil)
            }
            schedulePulse(context)
        } catch {
            context.close(promise: nil)
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        pulse?.cancel()
        task?.cancel()
    }

    private func schedulePulse(_ context: ChannelHandlerContext) {
        pulse?.cancel()
        pulse = context.eventLoop.assumeIsolated().scheduleTask(in: Self.pulseInterval) { self.beat(context) }
    }

    private func beat(_ context: ChannelHandlerContext) {
        let unsentBefore = unsentBytes
        unsentBytes = (try? context.channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
        let isQuiet = task == nil || unsentBytes > 0 && unsentBytes == unsentBefore
        quietPulses = isQuiet ? quietPulses + 1 : 0
        guard quietPulses < quietPulsesMax else { return context.close(promise: nil) }
        if task != nil, unsentBytes == 0 { _ = context.channel.send(.working) }
        schedulePulse(context)
    }
}

extension Channel {
    /// Sends an answer to the client of a control socket.
    /// - Returns: done once the system has taken it.
    func send(_ answer: ControlAnswer) -> EventLoopFuture<Void> {
        guard let frame = ControlSocket.frame(answer) else {
            return eventLoop.makeFailedFuture(ControlConnection.TooLong())
        }
        return writeAndFlush(ByteBuffer(bytes: frame))
    }
}
