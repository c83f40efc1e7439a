import ChangeLog
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
    private static let certificateDays = 3_650

    /// Writes a configuration, a certificate and its key into a new folder.
    /// - Parameters:
    ///   - folder: a whole path at which there is nothing.
    ///   - host: a name or an IPv4 address by which members reach this machine.
    package init(folder: String, host: String, port: UInt16) throws(ServiceError) {
        let isName = !host.isEmpty && host.utf8.allSatisfy { Self.isLetterOrDigit($0) || $0 == 45 || $0 == 46 }
        guard isName, !host.hasPrefix("-") else {
            throw ServiceError("“\(host)” is not the name of a machine; give one such as box.example.org")
        }
        guard folder.utf8.allSatisfy({ $0 >= 32 && $0 != 34 && $0 != 92 }) else {
            throw ServiceError("the folder's name has quotes or backslashes; choose another name")
        }
        guard FileManager.default.isExecutableFile(atPath: Self.openssl) else {
            throw ServiceError("this needs openssl, which is missing; install it (Debian: apt install openssl)")
        }
        var generator = SystemRandomNumberGenerator()
        let prefix = Bytes32.random(using: &generator).prefix16
        let password = Bytes32.random(using: &generator).prefix16.description
        let text = NATSConfiguration(port: port, prefix: prefix, user: "trip", password: password, folder: folder).text
        configuration = folder + "/nats.conf"
        certificate = folder + "/certificate.pem"
        code = prefix.description
        address = "tls://trip:\(password)@\(host):\(port)"
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        } catch {
            throw ServiceError(
                "cannot create \(folder); choose a folder that doesn't exist, in one that you may write to")
        }
        try Self.makeCertificate(in: folder, host: host)
        guard
            FileManager.default.createFile(
                atPath: configuration, contents: Data(text.utf8), attributes: [.posixPermissions: 0o600])
        else { throw ServiceError("cannot write \(configuration); check the space on the disk") }
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
    }

    private static func makeCertificate(in folder: String, host: String) throws(ServiceError) {
        let isAddress = host.utf8.allSatisfy { (48...57).contains($0) || $0 == 46 }
        let openssl = Process()
        openssl.executableURL = URL(fileURLWithPath: Self.openssl)
        openssl.arguments = [
            "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days",
            "\(certificateDays)", "-subj", "/CN=caravan mailbox", "-addext",
            "subjectAltName=\(isAddress ? "IP" : "DNS"):\(host)", "-keyout", folder + "/key.pem", "-out",
            folder + "/certificate.pem",
        ]
        openssl.standardInput = FileHandle.nullDevice
        openssl.standardError = FileHandle.nullDevice
        do { try openssl.run() } catch { throw ServiceError("cannot run openssl; install it again") }
        openssl.waitUntilExit()
        guard openssl.terminationStatus == 0 else {
            throw ServiceError("openssl cannot make a certificate for \(host); check the name")
        }
    }
}
