import Foundation
import Testing

/// A server of the system that a test starts on loopback, with its own configuration in a folder of its own. It ends with the
/// last reference.
final class ServerProcess: @unchecked Sendable {
    let port: Int
    /// A group of its own: a server may have processes of its own. 0 once it has ended.
    private var process: pid_t = 0

    /// Whether a program is installed; if not, a test that needs it is left out. `Scripts/setup --test` installs it.
    static func isInstalled(_ program: String) -> Bool { access(program, X_OK) == 0 }

    /// Starts a server and returns once it accepts connections.
    init(_ program: String, _ arguments: [String], port: Int, log: String) async throws {
        self.port = port
        try start([program] + arguments, log: log)
        for _ in 0..<500 {
            if accepts(port) { return }
            if waitpid(process, nil, WNOHANG) != 0 { break }
            try await Task.sleep(for: .milliseconds(20))
        }
        let text = (try? String(contentsOfFile: log, encoding: .utf8)) ?? ""
        Issue.record("\(program) does not start: \(text.suffix(500))")
        throw CancellationError()
    }

    private func start(_ arguments: [String], log: String) throws {
        var actions = posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        posix_spawn_file_actions_init(&actions)
        posix_spawnattr_init(&attributes)
        defer {
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
        }
        for descriptor in [STDOUT_FILENO, STDERR_FILENO] {
            posix_spawn_file_actions_addopen(&actions, descriptor, log, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        }
        // A thread of this process may block signals.
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setpgroup(&attributes, 0)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP))
        let texts = arguments.map { strdup($0) }
        defer { for text in texts { free(text) } }
        try #require(posix_spawn(&process, arguments[0], &actions, &attributes, texts + [nil], environ) == 0)
    }

    /// Ends it as a power cut would, and waits for its end.
    func kill() {
        guard process > 0 else { return }
        Glibc.kill(-process, SIGKILL)
        waitpid(process, nil, 0)
        process = 0
    }

    /// Tells a nats-server to read its configuration again.
    func reload() { if process > 0 { Glibc.kill(process, SIGHUP) } }

    deinit { kill() }
}

func loopback(_ port: Int) -> sockaddr_in {
    sockaddr_in(
        sin_family: sa_family_t(AF_INET), sin_port: in_port_t(port).bigEndian,
        sin_addr: in_addr(s_addr: UInt32(0x7F00_0001).bigEndian), sin_zero: (0, 0, 0, 0, 0, 0, 0, 0))
}

func withAddress<Result>(_ address: sockaddr_in, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
    withUnsafePointer(to: address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_in>.size)) }
    }
}

func accepts(_ port: Int) -> Bool {
    let socket = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(socket) }
    return withAddress(loopback(port)) { connect(socket, $0, $1) } == 0
}

/// A socket that listens at a free port of loopback.
func listenAtFreePort() throws -> (socket: Int32, port: Int) {
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    try #require(withAddress(loopback(0)) { bind(listener, $0, $1) } == 0)
    try #require(listen(listener, 16) == 0)
    var address = sockaddr_in()
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isKnown = withUnsafeMutablePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(listener, $0, &size) }
    }
    try #require(isKnown == 0)
    return (listener, Int(in_port_t(bigEndian: address.sin_port)))
}

/// A port that nothing listens at, at present.
func freePort() throws -> Int {
    let (socket, port) = try listenAtFreePort()
    close(socket)
    return port
}
