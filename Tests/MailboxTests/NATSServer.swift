import Foundation
import Testing

@testable import Mailbox

/// Debian's nats-server with JetStream, with its store in a folder of its own.
final class NATSServer {
    static let program = "/usr/sbin/nats-server"
    static let isReady = ServerProcess.isInstalled(program) && NATSLibrary.loaded != nil
    static let isMissing: Comment = "nats-server or libnats is not installed; Scripts/setup --test installs them"

    let folder: TemporaryFolder
    let port: Int
    private let lines: [String]
    private var process: ServerProcess?

    /// - Parameter lines: more of its configuration.
    init(_ lines: [String] = [], hasJetStream: Bool = true) async throws {
        folder = try TemporaryFolder()
        port = try freePort()
        self.lines = lines + (hasJetStream ? ["jetstream { store_dir: \"\(folder.path)/store\" }"] : [])
        try await start()
    }

    func address(_ user: String = "", scheme: String = "nats") -> String { "\(scheme)://\(user)localhost:\(port)" }

    func start() async throws {
        let path = folder.path
        let all = ["listen: 127.0.0.1:\(port)", "max_payload: 4MB"] + lines
        try writeFile(path + "/conf", Array(all.map { $0 + "\n" }.joined().utf8))
        process = try await ServerProcess(Self.program, ["-c", path + "/conf"], port: port, log: path + "/log")
    }

    func kill() { process?.kill() }
}
