import Foundation
import Testing

/// A certificate for the name `localhost` that nobody has signed.
final class Certificate {
    private let folder: TemporaryFolder
    let key: String
    let certificate: String
    /// Both in one file.
    let both: String

    init() throws {
        folder = try TemporaryFolder()
        (key, certificate) = (folder.path + "/key.pem", folder.path + "/certificate.pem")
        both = folder.path + "/both.pem"
        let openssl = Process()
        openssl.executableURL = URL(fileURLWithPath: "/usr/bin/openssl")
        openssl.arguments = [
            "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
            "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-keyout", key, "-out", certificate,
        ]
        openssl.standardError = FileHandle.nullDevice
        try openssl.run()
        openssl.waitUntilExit()
        let bytes = try [key, certificate].map { try Data(contentsOf: URL(fileURLWithPath: $0)) }
        try writeFile(both, Array(bytes[0] + bytes[1]))
    }
}
