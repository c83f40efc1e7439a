import Foundation
import LibC

/// A program that connects to a control socket and says what it likes.
final class RawClient {
    private let descriptor: Int32

    init?(path: String) {
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0, RawClient.withAddress(path, { connect(descriptor, $0, $1) }) == 0 else { return nil }
        var patience = timeval(tv_sec: 3, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit { close(descriptor) }

    func send(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let sent = rest.withUnsafeBytes { LibC.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            guard sent > 0 else { return }
            rest = rest.dropFirst(sent)
        }
    }

    func send(frame body: String) {
        send(RawClient.header(UInt32(body.utf8.count)) + body.utf8)
    }

    func sayNoMore() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// Whether the other end closes the connection within 3 s, without a word.
    func isSentAway() -> Bool {
        var byte: UInt8 = 0
        let received = recv(descriptor, &byte, 1, 0)
        return received == 0 || received < 0 && errno == ECONNRESET
    }

    /// The other end's next frame; nil where none comes within 3 s.
    func answer() -> String? {
        guard let header = read(4), let body = read(header.reduce(0) { $0 << 8 | Int($1) }) else { return nil }
        return String(decoding: body, as: UTF8.self)
    }

    private func read(_ count: Int) -> [UInt8]? {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while bytes.count < count {
            let received = recv(descriptor, &chunk, min(chunk.count, count - bytes.count), 0)
            guard received > 0 else { return nil }
            bytes += chunk[..<received]
        }
        return bytes
    }

    static func header(_ count: UInt32) -> [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: count >> $0) } }

    /// A socket's file that nobody listens at, as a node that was killed leaves it.
    static func leaveDeadSocket(at path: String) -> Bool {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        return withAddress(path) { bind(descriptor, $0, $1) } == 0
    }

    /// Listens like a node, and dies when it is asked something: for one client.
    /// - Returns: once it listens.
    static func dieWhenAsked(at path: String) -> Bool {
        let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        guard withAddress(path, { bind(listener, $0, $1) }) == 0, listen(listener, 1) == 0 else {
            close(listener)
            return false
        }
        Thread.detachNewThread {
            let client = accept(listener, nil, nil)
            let ready = header(12) + Array(#"{"ready":{}}"#.utf8)
            LibC.send(client, ready, ready.count, Int32(MSG_NOSIGNAL))
            var byte: UInt8 = 0
            recv(client, &byte, 1, 0)
            close(client)
            close(listener)
        }
        return true
    }

    private static func withAddress(_ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        guard path.utf8.count < MemoryLayout.size(ofValue: address.sun_path) else { return -1 }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }
}
