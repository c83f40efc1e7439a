import ChangeLog
import Desktop
import Files
import Foundation
import Mailbox
import SyncEngine
package import TripService

/// Prepares a nats-server on this machine to store the blocks of one trip.
package struct MailboxServer: Sendable {
    /// The configuration for `nats-server -c`.
    package let configuration: String
    /// The certificate that members trust.
    package let certificate: String
    /// What members add.
    package let address: String
    package let code: String

    private static let openssl = "/usr/bin/openssl"
    private static let opensslSecondsMax = 30
    private static let certificateDays = 3_650

    /// Writes a configuration, a certificate and its key into a new folder.
    /// - Parameters:
    ///   - folder: a whole path at which there is nothing.
    ///   - host: a name or an IPv4 address by which members reach this machine.
    package init(folder: String, host: String, port: UInt16) async throws(ServiceError) {
        try Self.check(host)
        guard folder.utf8.allSatisfy({ $0 >= 32 && $0 != 34 && $0 != 92 }) else {
            throw ServiceError("the folder's name has quotes or backslashes; choose another name")
        }
        guard FileManager.default.isExecutableFile(atPath: Self.openssl) else {
            throw ServiceError("this needs openssl, which is missing; install it (Debian: apt install openssl)")
        }
        var generator = SystemRandomNumberGenerator()
        let prefix = Bytes32.random(using: &generator).prefix16
        let password = Bytes32.random(using: &generator).prefix16.description
        let text = NATSConfiguration(port: port, prefix: prefix, user: Self.user, password: password, folder: folder)
            .text
        self.init(folder: folder, prefix: prefix, password: password, host: host, port: port)
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        } catch {
            throw ServiceError(
                "cannot create \(folder); choose a folder that doesn't exist, in one that you may write to")
        }
        do throws(ServiceError) {
            try await Self.makeCertificate(in: folder, host: host)
            try Self.write(text, to: configuration)
        } catch {
            // So that the same command can be run again.
            try? FileManager.default.removeItem(atPath: folder)
            throw error
        }
    }

    /// Gives the server of a folder a new password, which it uses once it reloads its configuration. The rest stays.
    package init(renewing folder: String, host: String) throws(ServiceError) {
        try Self.check(host)
        let path = folder + "/nats.conf"
        var generator = SystemRandomNumberGenerator()
        let password = Bytes32.random(using: &generator).prefix16.description
        guard let bytes = try? WholeFile.read(path, atMost: Self.configurationBytesMax),
            let text = String(validating: bytes, as: UTF8.self),
            let renewed = NATSConfiguration.renewed(text, user: Self.user, password: password)
        else {
            throw ServiceError(
                "\(path) is no configuration that `caravan mailbox serve` wrote; give the folder of one")
        }
        self.init(folder: folder, prefix: renewed.prefix, password: password, host: host, port: renewed.port)
        try Self.write(renewed.text, to: path)
    }

    private init(folder: String, prefix: Bytes16, password: String, host: String, port: UInt16) {
        configuration = folder + "/nats.conf"
        certificate = folder + "/certificate.pem"
        code = prefix.description
        address = "tls://\(Self.user):\(password)@\(host):\(port)"
    }

    private static let user = "trip"
    private static let configurationBytesMax = 64 << 10

    /// Throws unless it is a name (RFC 1123, 2.1) or an IPv4 address.
    private static func check(_ host: String) throws(ServiceError) {
        let labels = host.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        let isName =
            host.utf8.count <= 253
            && labels.allSatisfy { label in
                (1...63).contains(label.count) && label.first != 45 && label.last != 45
                    && label.allSatisfy { isLetterOrDigit($0) || $0 == 45 }
            }
        var address = in_addr()
        // No name ends in a number, so such a host is an address.
        let isNumber = labels.last?.allSatisfy { (48...57).contains($0) } == true
        guard isName, !isNumber || inet_pton(AF_INET, host, &address) == 1 else {
            throw ServiceError(
                "“\(host)” is not the name or IPv4 address of a machine; give one such as box.example.org")
        }
    }

    /// Readable for this user alone, and whole or not at all.
    private static func write(_ text: String, to path: String) throws(ServiceError) {
        do { try WholeFile.write(Array(text.utf8), to: path, .bytes) } catch {
            throw ServiceError("cannot write \(path); check its permissions and the space on the disk")
        }
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
    }

    private static func makeCertificate(in folder: String, host: String) async throws(ServiceError) {
        let isAddress = host.utf8.allSatisfy { (48...57).contains($0) || $0 == 46 }
        let arguments: [String] = [
            "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days",
            "\(certificateDays)", "-subj", "/CN=caravan mailbox", "-addext",
            "subjectAltName=\(isAddress ? "IP" : "DNS"):\(host)", "-keyout", folder + "/key.pem", "-out",
            folder + "/certificate.pem",
        ]
        let status: Int32?
        do { status = try await Desktop.run(openssl, arguments, within: opensslSecondsMax).status } catch {
            throw ServiceError(error.message)
        }
        guard status == 0 else {
            throw ServiceError("openssl cannot make a certificate for \(host); check the name")
        }
    }
}
