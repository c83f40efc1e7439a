import NIOCore
import NIOPosix
import Synchronization
import Testing

/// A connection on which a test says what it likes, byte by byte.
final class RawConnection: Sendable {
    private final class Collector: ChannelInboundHandler, Sendable {
        typealias InboundIn = ByteBuffer
        let state = Mutex((bytes: [UInt8](), isClosed: false))
        let keptMax: Int

        init(keptMax: Int) { self.keptMax = keptMax }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            let buffer = unwrapInboundIn(data)
            state.withLock {
                $0.bytes.append(contentsOf: buffer.readableBytesView)
                if $0.bytes.count > keptMax { $0.bytes.removeFirst($0.bytes.count - keptMax) }
            }
        }

        func channelInactive(context: ChannelHandlerContext) { state.withLock { $0.isClosed = true } }
        func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
    }

    private let channel: any Channel
    private let collector: Collector

    /// - Parameters:
    ///   - reads: false for one that does not read before it is told to.
    ///   - staysOpen: true for one that may send on when the server has said all that it has to say.
    ///   - keptMax: how many of the last bytes that came are kept.
    init(port: UInt16, reads: Bool = true, staysOpen: Bool = false, keptMax: Int = .max) async throws {
        let collector = Collector(keptMax: keptMax)
        channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .channelOption(.autoRead, value: reads)
            .channelOption(.allowRemoteHalfClosure, value: staysOpen)
            .channelOption(.socketOption(.so_rcvbuf), value: reads ? 1 << 20 : 4096)
            .channelInitializer { channel in channel.pipeline.addHandler(collector) }
            .connect(host: "127.0.0.1", port: Int(port)).get()
        self.collector = collector
    }

    func send(_ text: String) async throws { try await channel.writeAndFlush(ByteBuffer(string: text)) }
    func read() async throws { try await channel.setOption(.autoRead, value: true).get() }
    func close() async { try? await channel.close() }

    /// What came, an answer in chunks without their lengths.
    var received: String { Self.unchunked(collector.state.withLock(\.bytes)) }
    var receivedCount: Int { collector.state.withLock(\.bytes.count) }
    /// Whether the connection is closed, or an answer in chunks at its end.
    var hasEnded: Bool {
        collector.state.withLock { $0.isClosed || $0.bytes.suffix(5) == ArraySlice("0\r\n\r\n".utf8) }
    }
    var isClosed: Bool { collector.state.withLock(\.isClosed) }

    /// Waits until what came is as wanted, or the connection is closed, or the time is over.
    func received(
        within patience: Duration = longPatience, until isEnough: (String) -> Bool
    ) async throws -> String {
        let isThere = try await eventually(within: patience) { isEnough(received) || isClosed }
        let text = received
        if !isThere || !isEnough(text) { throw Timeout(text: String(text.suffix(400))) }
        return text
    }

    /// Waits until a text is among the last bytes that came.
    func receives(_ text: String, within patience: Duration = longPatience) async throws {
        let isThere = try await eventually(within: patience) {
            String(decoding: collector.state.withLock { Array($0.bytes.suffix(16_384)) }, as: UTF8.self).contains(text)
        }
        if !isThere { throw Timeout(text: "\"\(text)\" did not come") }
    }

    /// RFC 9112, section 7.1.
    private static func unchunked(_ bytes: [UInt8]) -> String {
        let end = Array("\r\n\r\n".utf8)
        guard let head = bytes.indices.first(where: { bytes[$0...].starts(with: end) }),
            case let text = String(decoding: bytes[..<(head + 4)], as: UTF8.self),
            text.lowercased().contains("transfer-encoding: chunked")
        else { return String(decoding: bytes, as: UTF8.self) }
        var (body, rest) = ([UInt8](), bytes[(head + 4)...])
        while let lineEnd = rest.firstIndex(of: 0x0D),
            let length = Int(String(decoding: rest[..<lineEnd], as: UTF8.self), radix: 16), length > 0
        {
            let data = rest.dropFirst(lineEnd - rest.startIndex + 2)
            body += data.prefix(length)
            rest = data.dropFirst(length + 2)
        }
        return text + String(decoding: body, as: UTF8.self)
    }

    struct Timeout: Error { let text: String }
}

/// How long a test waits for what comes at once on a machine that does nothing else.
let longPatience = Duration.seconds(60)

/// Looks again and again, for a while.
func eventually(within patience: Duration = longPatience, _ isDone: () async throws -> Bool) async throws -> Bool {
    let deadline = ContinuousClock.now + patience
    while ContinuousClock.now < deadline {
        if try await isDone() { return true }
        try await Task.sleep(for: .milliseconds(5))
    }
    return false
}
