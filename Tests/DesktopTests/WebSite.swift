import Foundation
import LibC
import Synchronization
import Testing

/// A server on loopback that answers each path with the bytes of its own, and closes. It counts who came.
final class WebSite: Sendable {
    let port: UInt16
    private let listener: Int32
    private let asked = Mutex<[String]>([])

    /// The first lines of all requests.
    var requests: [String] { asked.withLock { $0 } }

    func link(_ path: String, host: String = "127.0.0.1") -> String { "http://\(host):\(port)\(path)" }

    /// - Parameter answer: of a path, in parts that are sent until nobody reads any more; nil for no answer at all.
    init(_ answer: @escaping @Sendable (_ path: String, _ port: UInt16) -> AnySequence<[UInt8]>?) throws {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, size) == 0 && listen(listener, 8) == 0 && getsockname(listener, $0, &size) == 0
            }
        }
        try #require(isListening)
        port = UInt16(bigEndian: address.sin_port)
        self.listener = listener
        let port = port
        Thread.detachNewThread { [weak self] in
            while true {
                let client = accept(listener, nil, nil)
                guard client >= 0 else { return }
                var request = [UInt8](repeating: 0, count: 8_192)
                let count = max(0, read(client, &request, request.count))
                let text = String(decoding: request.prefix(count), as: UTF8.self)
                self?.asked.withLock { $0.append(text) }
                let path = text.split(separator: " ").dropFirst().first.map(String.init) ?? ""
                if let parts = answer(path, port) {
                    for part in parts { guard Self.send(part, to: client) else { break } }
                }
                close(client)
            }
        }
    }

    deinit { shutdown(listener, Int32(SHUT_RDWR)) }

    private static func send(_ bytes: [UInt8], to client: Int32) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { LibC.send(client, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    /// An answer with a status line, header fields and a body.
    static func answer(_ status: String, _ fields: [String] = [], _ body: String = "") -> AnySequence<[UInt8]> {
        let head = ["HTTP/1.1 \(status)", "Connection: close"] + fields + ["", body]
        return AnySequence([Array(head.joined(separator: "\r\n").utf8)])
    }
}
