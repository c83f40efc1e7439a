import NIOCore
import NIOHTTP1

/// One connection of a browser: its requests, answered one after the other.
///
/// Every write is awaited, so what waits to be sent is what is being sent; and the next request is read when its turn comes.
struct HTTPConnection: Sendable {
    typealias Channel = NIOAsyncChannel<HTTPServerRequestPart, HTTPServerResponsePart>
    typealias Writer = NIOAsyncChannelOutboundWriter<HTTPServerResponsePart>

    let limits: HTTPLimits
    /// How long the body of a request may be, told of its head; nil for no longer than any.
    let room: @Sendable (HTTPRequest) async -> BodyRoom?
    let respond: @Sendable (HTTPRequest) async -> HTTPResponse
    /// Told once a request showed a session.
    let wasLetIn: @Sendable () -> Void

    /// Makes a channel speak HTTP, with deadlines. Called on its event loop.
    static func prepare(_ channel: any NIOCore.Channel, limits: HTTPLimits) throws -> Channel {
        let deadlines = HTTPDeadlines(limits: limits, channel: channel)
        let pipeline = channel.pipeline.syncOperations
        try pipeline.addHandler(ByteWatch(deadlines))
        try pipeline.configureHTTPServerPipeline(
            withPipeliningAssistance: true, withErrorHandling: true, withOutboundHeaderValidation: true,
            withEncoderConfiguration: HTTPResponseEncoder.Configuration(), withDecoderLimitConfiguration: limits.decoder
        )
        try pipeline.addHandler(MessageWatch(deadlines))
        try pipeline.addHandler(LastResortHandler())
        return try Channel(wrappingChannelSynchronously: channel)
    }

    /// Answers until either side ends the connection.
    func serve(_ channel: Channel) async {
        do {
            try await channel.executeThenClose { inbound, outbound in
                var parts = inbound.makeAsyncIterator()
                while let part = try await parts.next() {
                    guard case .head(let head) = part else { continue }
                    guard try await answer(head, &parts, outbound, channel.channel) else { break }
                }
            }
        } catch {
            // The other side is gone, or spoke no HTTP: there is nobody to tell.
        }
    }

    /// - Returns: whether the connection goes on.
    private func answer(
        _ head: HTTPRequestHead, _ parts: inout NIOAsyncChannelInboundStream<HTTPServerRequestPart>.AsyncIterator,
        _ outbound: Writer, _ channel: any NIOCore.Channel
    ) async throws -> Bool {
        var request = HTTPRequest(head)
        var room = BodyRoom(bytes: limits.bodyBytes)
        if let request { room = await self.room(request) ?? room }
        if room.isLetIn { wasLetIn() }
        if let refusal = room.refusal {
            return try await refuse(head, &parts, refusal, outbound, channel)
        }
        if let length = head.headers.first(name: "content-length").flatMap({ Int($0) }), length > room.bytes {
            return try await refuse(head, &parts, tooLong(room), outbound, channel)
        }
        if head.headers.first(name: "expect")?.lowercased() == "100-continue" {
            try await outbound.write(.head(HTTPResponseHead(version: head.version, status: .continue)))
        }
        var bytes = 0
        reading: while let part = try await parts.next() {
            switch part {
            case .body(let buffer):
                bytes += buffer.readableBytes
                guard bytes <= room.bytes else {
                    request = nil
                    return try await refuse(head, &parts, tooLong(room), outbound, channel)
                }
                request?.body.append(contentsOf: buffer.readableBytesView)
            case .end: break reading
            case .head: return false
            }
        }
        let goesOn = head.isKeepAlive
        guard let request else {
            let response = HTTPResponse.line(.badRequest, "this address can’t be read: check it or go to /")
            try await write(response, to: head, goesOn: goesOn, outbound, channel)
            return goesOn
        }
        try await write(await respond(request), to: head, goesOn: goesOn, outbound, channel)
        return withExtendedLifetime(room.place) { goesOn }
    }

    /// Answers before the request's end, and drops its rest: a close with bytes unread resets the connection, and the answer
    /// may be lost (RFC 9112, section 9.6). `HTTPDeadlines` bounds the rest.
    private func refuse(
        _ head: HTTPRequestHead, _ parts: inout NIOAsyncChannelInboundStream<HTTPServerRequestPart>.AsyncIterator,
        _ refusal: HTTPResponse, _ outbound: Writer, _ channel: any NIOCore.Channel
    ) async throws -> Bool {
        try await write(refusal, to: head, goesOn: false, outbound, channel)
        try await channel.close(mode: .output)
        while let part = try await parts.next() {
            if case .end = part { break }
        }
        return false
    }

    private func tooLong(_ room: BodyRoom) -> HTTPResponse {
        .line(.payloadTooLarge, "that’s more than \(room.bytes / 1024) kB: send less at once")
    }

    // MARK: - Writing

    private func write(
        _ response: HTTPResponse, to request: HTTPRequestHead, goesOn: Bool, _ outbound: Writer,
        _ channel: any NIOCore.Channel
    ) async throws {
        var headers = HTTPHeaders(HTTPResponse.safety(for: request.headers.first(name: "host")) + response.headers)
        if !headers.contains(name: "cache-control") { headers.add(name: "Cache-Control", value: "no-store") }
        headers.add(name: "Connection", value: goesOn ? "keep-alive" : "close")
        switch response.body {
        case .whole(var bytes):
            let type = headers.first(name: "content-type")
            if type.map(Compression.isText) ?? false { headers.add(name: "Vary", value: "Accept-Encoding") }
            if let small = Compression.compress(bytes, type: type, for: request.headers) {
                bytes = small.bytes
                headers.add(contentsOf: HTTPHeaders(small.headers))
            }
            if response.status.mayHaveResponseBody { headers.add(name: "Content-Length", value: String(bytes.count)) }
            try await outbound.write(
                .head(HTTPResponseHead(version: request.version, status: response.status, headers: headers)))
            if request.method != .HEAD {
                for start in stride(from: 0, to: bytes.count, by: limits.writeBytes) {
                    let end = min(start + limits.writeBytes, bytes.count)
                    try await outbound.write(.body(.byteBuffer(ByteBuffer(bytes: bytes[start..<end]))))
                }
            }
        case .events(let source):
            headers.add(name: "Content-Type", value: "text/event-stream; charset=utf-8")
            channel.closeFuture.whenComplete { _ in source.end() }
            defer { source.end() }
            try await outbound.write(
                .head(HTTPResponseHead(version: request.version, status: response.status, headers: headers)))
            while request.method != .HEAD, let text = await source.next() {
                var rest = ByteBuffer(string: text)
                while let part = rest.readSlice(length: min(rest.readableBytes, limits.writeBytes)),
                    part.readableBytes > 0
                {
                    try await outbound.write(.body(.byteBuffer(part)))
                }
            }
        }
        try await outbound.write(.end(nil))
    }
}

/// Ends a connection on which something went wrong that nothing before it dealt with.
private final class LastResortHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.fireErrorCaught(error)
        context.close(promise: nil)
    }
}
