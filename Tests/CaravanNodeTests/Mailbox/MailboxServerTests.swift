import FoundationEssentials
import Mailbox
import Testing
import TripService

@testable import CaravanNode

/// The configuration of a NATS server at home. `NATSMailboxTests` runs it.
struct MailboxServerTests {
    private let scratch = TripNodeTests.Scratch()
    private static let hasOpenSSL = FileManager.default.isExecutableFile(atPath: "/usr/bin/openssl")

    @Test(
        "a configuration, a certificate and a key are written for this user alone, and never over others",
        .enabled(if: hasOpenSSL, "openssl is not installed"))
    func files() throws {
        try FileManager.default.createDirectory(atPath: scratch.path, withIntermediateDirectories: true)
        let folder = scratch.path + "/mailbox"
        let server = try MailboxServer(folder: folder, host: "box.example.org", port: 4_222)
        for file in ["nats.conf", "key.pem"] {
            let mode = try FileManager.default.attributesOfItem(atPath: "\(folder)/\(file)")[.posixPermissions]
            #expect((mode as? Int).map { $0 & 0o077 } == 0, "\(file)")
        }
        let address = try MailboxAddress(server.address, certificates: server.certificate)
        #expect(address.kind == .nats && address.shown == "tls://trip@box.example.org:4222")
        let text = String(
            decoding: try Data(contentsOf: URL(filePath: server.configuration)), as: UTF8.self)
        #expect(text.contains("cv.\(server.code).*"))
        #expect(throws: ServiceError.self) { try MailboxServer(folder: folder, host: "box", port: 1) }
    }

    @Test("a host that is no name is refused before anything is written") func hosts() throws {
        for host in ["", "-x", "a b", "a\"b", "a,DNS:b", "a/b", "héllo"] {
            #expect(throws: ServiceError.self) {
                try MailboxServer(folder: scratch.path + "/x", host: host, port: 1)
            }
        }
        #expect(throws: ServiceError.self) { try MailboxServer(folder: scratch.path + "/\"", host: "a", port: 1) }
        #expect(!FileManager.default.fileExists(atPath: scratch.path))
    }
}
