import NIOCore
import NIOHTTP1

/// The bounds on what browsers, and whoever else connects, can make the server hold, and its deadlines.
package struct HTTPLimits: Hashable, Sendable {
    /// Connections open at once, whoever they come from.
    package var connections = 256
    /// Connections open at once from one address of the network; loopback is bounded by `connections` alone.
    package var connectionsPerAddress = 32
    /// Of one header field, name and value, and of all of a request.
    package var headerFieldBytes = 8 << 10
    package var headerBytes = 16 << 10
    package var headerFields = 64
    /// What may come before the head of a request is complete: it, and what a browser sent behind it in one go.
    package var bytesBeforeHead = 128 << 10
    package var bodyBytes = 64 << 10
    /// Of a body with photos, from somebody who was let in.
    package var uploadBytes = 33 << 20
    /// Of a form with a whole note and the note that it was made of: 300,000 characters, each of 12 bytes at most in a form.
    package var noteBytes = 4 << 20
    /// From a request's first byte to the end of its head, and from there to the end of its body.
    package var headDeadline = Duration.seconds(10)
    package var bodyDeadline = Duration.seconds(20)
    /// How long a connection may wait for its next request.
    package var idleDeadline = Duration.seconds(60)
    /// How long the other side may take nothing of what is written to it.
    package var writeDeadline = Duration.seconds(30)
    /// Bytes that are written at once; the next ones wait until the system has taken them.
    package var writeBytes = 64 << 10
    /// What the system keeps of what is written to a connection and not read (it doubles the number for its own use).
    package var sendBufferBytes = 128 << 10
    /// Connections that the system completed and nobody accepted yet.
    package var backlog: Int32 = 128
    /// How long to wait before listening again when the system ended the listening socket.
    package var relistenDelay = Duration.milliseconds(500)

    package init() {}

    var decoder: NIOHTTPDecoderLimitConfiguration {
        var limits = NIOHTTPDecoderLimitConfiguration()
        limits.maxHeaderFieldSize = headerFieldBytes
        limits.maxHeaderListSize = headerBytes
        limits.maxHeaderFieldCount = headerFields
        return limits
    }
}
