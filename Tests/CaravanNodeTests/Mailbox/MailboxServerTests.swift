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
    func files() async throws {
        try FileManager.default.createDirectory(atPath: scratch.path, withIntermediateDirectories: true)
        let folder = scratch.path + "/mailbox"
        let server = try await MailboxServer(folder: folder, host: "box.example.org", port: 4_222)
        for file in ["nats.conf", "key.pem"] {
            let mode = try FileManager.default.attributesOfItem(atPath: "\(folder)/\(file)")[.posixPermissions]
            #expect((mode as? Int).map { $0 & 0o077 } == 0, "\(file)")
        }
        let address = try MailboxAddress(server.address, certificates: server.certificate)
        #expect(address.kind == .nats && address.shown == "tls://trip@box.example.org:4222")
        let text = String(
            decoding: try Data(contentsOf: URL(filePath: server.configuration)), as: UTF8.self)
        #expect(text.contains("cv.\(server.code).*"))
        await #expect(throws: ServiceError.self) { try await MailboxServer(folder: folder, host: "box", port: 1) }
    }

    @Test("after a failure, nothing is left", .enabled(if: hasOpenSSL, "openssl is not installed")) func failure()
        async throws
    {
        // There is room for the folder's path, and not for that of the certificate in it.
        var parent = scratch.path
        while parent.utf8.count < 3_800 { parent += "/" + String(repeating: "x", count: 200) }
        let folder = parent + "/" + String(repeating: "y", count: 4_082 - parent.utf8.count - 1)
        try FileManager.default.createDirectory(atPath: parent, withIntermediateDirectories: true)
        let error = await #expect(throws: ServiceError.self) {
            try await MailboxServer(folder: folder, host: "box", port: 1)
        }
        #expect(error?.message.hasPrefix("openssl cannot make a certificate") == true, "\(String(describing: error))")
        #expect(try FileManager.default.contentsOfDirectory(atPath: parent).isEmpty)
    }

    @Test(
        "a new password replaces the old one, and nothing else",
        .enabled(if: hasOpenSSL, "openssl is not installed"))
    func newPassword() async throws {
        try FileManager.default.createDirectory(atPath: scratch.path, withIntermediateDirectories: true)
        let folder = scratch.path + "/mailbox"
        let old = try await MailboxServer(folder: folder, host: "box.example.org", port: 4_223)
        func text() throws -> String {
            String(decoding: try Data(contentsOf: URL(filePath: old.configuration)), as: UTF8.self)
        }
        func password(_ server: MailboxServer) -> String {
            String(server.address.dropFirst("tls://trip:".count).prefix(32))
        }
        let before = try text()
        let new = try MailboxServer(renewing: folder, host: "192.0.2.7")
        #expect(new.address.hasSuffix("@192.0.2.7:4223") && new.code == old.code)
        #expect(password(new) != password(old))
        #expect(try text() == before.replacing(password(old), with: password(new)))
        let mode = try FileManager.default.attributesOfItem(atPath: old.configuration)[.posixPermissions]
        #expect((mode as? Int).map { $0 & 0o077 } == 0)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).count == 3)
        #expect(throws: ServiceError.self) { try MailboxServer(renewing: scratch.path, host: "box") }
        #expect(throws: ServiceError.self) { try MailboxServer(renewing: folder, host: "-") }
        try Data("listen: \"0.0.0.0:1\"".utf8).write(to: URL(filePath: old.configuration))
        #expect(throws: ServiceError.self) { try MailboxServer(renewing: folder, host: "box") }
    }

    @Test("a host that is no name is refused before anything is written") func hosts() async throws {
        for host in [
            "", "-x", "a b", "a\"b", "a,DNS:b", "a/b", "héllo", "1.2.3.4.5", "1.2.3", "256.1.1.1", "a..b", "a.", "x-",
            String(repeating: "a", count: 64), String(repeating: "a.", count: 127) + "a",
        ] {
            await #expect(throws: ServiceError.self) {
                try await MailboxServer(folder: scratch.path + "/x", host: host, port: 1)
            }
        }
        await #expect(throws: ServiceError.self) {
            try await MailboxServer(folder: scratch.path + "/\"", host: "a", port: 1)
        }
        #expect(!FileManager.default.fileExists(atPath: scratch.path))
    }
}
