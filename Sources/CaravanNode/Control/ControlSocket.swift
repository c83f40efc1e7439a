import Foundation
import LibC

/// A command's end of the Unix socket over which it speaks to the node that runs a home's trips: four bytes of length, most
/// significant first, then JSON. It blocks, because a command starts no event loop.
struct ControlSocket: ~Copyable {
    private let descriptor: Int32

    /// Bytes of what may be asked in one message.
    static let requestBytesMax = 4 << 20
    /// Bytes of one answer, which may be a whole trip.
    static let replyBytesMax = 256 << 20

    init(descriptor: Int32) { self.descriptor = descriptor }

    deinit { LibC.close(descriptor) }

    /// Gives up on a slow other end after so many seconds. 0 waits for ever.
    borrowing func setPatience(_ seconds: Int) {
        for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
            var time = timeval(tv_sec: seconds, tv_usec: 0)
            setsockopt(descriptor, SOL_SOCKET, option, &time, socklen_t(MemoryLayout<timeval>.size))
        }
    }

    /// Whether the other end of a socket belongs to the user of this process.
    static func isOwnUsers(_ descriptor: Int32) -> Bool {
        // The system's `struct ucred`: process, user, group.
        var credentials: (process: Int32, user: UInt32, group: UInt32) = (0, 0, 0)
        var size = socklen_t(12)
        guard getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &credentials, &size) == 0 else { return false }
        return credentials.user == getuid() || credentials.user == 0
    }

    /// A message as it crosses a socket; nil for one that is too long.
    static func frame(_ message: some Encodable) -> [UInt8]? {
        guard let body = try? JSONEncoder().encode(message), body.count <= replyBytesMax else { return nil }
        let count = UInt32(body.count)
        return [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: count >> $0) } + body
    }

    /// False where the other end is gone, or does not read.
    borrowing func send(_ message: some Encodable) -> Bool {
        guard var rest = ControlSocket.frame(message)?[...] else { return false }
        while !rest.isEmpty {
            let written = rest.withUnsafeBytes {
                LibC.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            if written < 0, errno == EINTR { continue }
            guard written > 0 else { return false }
            rest = rest.dropFirst(written)
        }
        return true
    }

    /// What a reader finds.
    enum Received<Message> {
        case message(Message)
        /// Nothing came in time.
        case silence
        /// The other end is gone, or says something else or more than is taken.
        case end
    }

    /// The next message, of at most `bytesMax`.
    borrowing func receive<Message: Decodable>(_ type: Message.Type, bytesMax: Int) -> Received<Message> {
        guard let header = read(4) else { return errno == EAGAIN ? .silence : .end }
        let count = header.reduce(0) { $0 << 8 | Int($1) }
        guard count <= bytesMax else { return .end }
        guard let body = read(count) else { return errno == EAGAIN ? .silence : .end }
        guard let message = try? JSONDecoder().decode(Message.self, from: Data(body)) else { return .end }
        return .message(message)
    }

    /// So many bytes; nil where they do not come, with `errno` as the system left it, or 0 at the end of the stream.
    private borrowing func read(_ count: Int) -> [UInt8]? {
        var bytes: [UInt8] = []
        // Memory grows with what comes, not with what is promised.
        var chunk = [UInt8](repeating: 0, count: min(count, 65_536))
        while bytes.count < count {
            let received = recv(descriptor, &chunk, min(chunk.count, count - bytes.count), 0)
            if received < 0, errno == EINTR { continue }
            guard received > 0 else {
                if received == 0 { errno = 0 }
                return nil
            }
            bytes += chunk[..<received]
        }
        return bytes
    }
}
