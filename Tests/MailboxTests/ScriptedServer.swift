import LibC
import Synchronization
import Testing

/// A hostile server: it reads the head of each request and answers with the same bytes, whatever was asked, one connection at
/// a time. It is for what no real server does.
final class ScriptedServer: Sendable {
    let port: Int
    private let listener: Int32
    private let heard = Mutex<[UInt8]>([])

    /// - Parameters:
    ///   - isEndless: whether it repeats the answer's last kilobyte until the other side hangs up.
    ///   - isSlow: whether it sends a kilobyte every 100 ms.
    init(answering answer: String, isEndless: Bool = false, isSlow: Bool = false) throws {
        let (listener, port) = try listenAtFreePort()
        (self.listener, self.port) = (listener, port)
        var thread = pthread_t()
        let context = Unmanaged.passRetained(
            Work(listener: listener, answer: Array(answer.utf8), isEndless: isEndless, isSlow: isSlow, server: self))
        try #require(pthread_create(&thread, nil, scriptedServerMain, context.toOpaque()) == 0)
        pthread_detach(thread)
    }

    /// The first bytes of the last connection.
    var firstBytes: [UInt8] { heard.withLock { $0 } }

    func stop() {
        // Its thread closes it: until then no other socket gets its number.
        shutdown(listener, Int32(SHUT_RDWR))
    }

    fileprivate final class Work {
        let listener: Int32
        let answer: [UInt8]
        let isEndless: Bool
        let isSlow: Bool
        let server: ScriptedServer

        init(listener: Int32, answer: [UInt8], isEndless: Bool, isSlow: Bool, server: ScriptedServer) {
            (self.listener, self.answer, self.isEndless, self.isSlow) = (listener, answer, isEndless, isSlow)
            self.server = server
        }

        func run() {
            signal(SIGPIPE, SIG_IGN)
            while case let connection = accept(listener, nil, nil), connection >= 0 {
                serve(connection)
                close(connection)
            }
            close(listener)
        }

        private func serve(_ connection: Int32) {
            var bytes = [UInt8](repeating: 0, count: 64 << 10)
            let size = recv(connection, &bytes, bytes.count, 0)
            server.heard.withLock { $0 = Array(bytes.prefix(max(0, size))) }
            var rest = answer[...]
            while isSlow, rest.count > 1_024 {
                send(connection, Array(rest.prefix(1_024)), 1_024, 0)
                rest = rest.dropFirst(1_024)
                usleep(100_000)
            }
            var sent = send(connection, Array(rest), rest.count, 0)
            let part = Array(answer.suffix(1_024))
            while isEndless, sent > 0 { sent = send(connection, part, part.count, 0) }
            shutdown(connection, Int32(SHUT_WR))
            // So that the answer isn't reset away.
            while recv(connection, &bytes, bytes.count, 0) > 0 {}
        }
    }
}

private func scriptedServerMain(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    if let context { Unmanaged<ScriptedServer.Work>.fromOpaque(context).takeRetainedValue().run() }
    return nil
}
