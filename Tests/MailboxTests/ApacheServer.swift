import Foundation
import Testing

/// Debian's Apache with WebDAV, for the user `noah` with the password `secret`.
struct ApacheServer {
    static let program = "/usr/sbin/apache2"
    static let isMissing: Comment = "Apache is not installed; Scripts/setup --test installs it"

    let process: ServerProcess
    let folder: TemporaryFolder
    var port: Int { process.port }

    /// What Apache stores, for a look at the files.
    var store: String { folder.path + "/www/dav" }

    func address(user: String = "noah:secret@") -> String { "http://\(user)127.0.0.1:\(port)/dav" }

    /// - Parameter certificate: a file with a key and a certificate, for TLS.
    init(certificate: String? = nil) async throws {
        folder = try TemporaryFolder()
        let (path, port) = (folder.path, try freePort())
        _ = folder.make("www")
        _ = folder.make("www/dav")
        let modules = [
            "mpm_event", "authn_core", "authn_file", "authz_core", "authz_user", "auth_basic", "dav", "dav_fs",
        ]
        let lines =
            (modules + (certificate == nil ? [] : ["ssl"])).map {
                "LoadModule \($0)_module /usr/lib/apache2/modules/mod_\($0).so"
            } + [
                "ServerRoot \(path)", "ServerName localhost", "Listen 127.0.0.1:\(port)", "PidFile \(path)/pid",
                "ErrorLog \(path)/error.log", "DavLockDB \(path)/lock", "DocumentRoot \(path)/www",
                "DefaultRuntimeDir \(path)", "Mutex default:\(path)",
                "<Location />", "AuthType Basic", "AuthName x", "AuthUserFile \(path)/users", "Require valid-user",
                "</Location>", "<Location /dav>", "Dav On", "</Location>",
            ] + (certificate.map { ["SSLEngine on", "SSLCertificateFile \($0)"] } ?? [])
        // The password's SHA-1, as Apache writes it.
        try writeFile(path + "/users", Array("noah:{SHA}5en6G6MezRroT3XKqkdPOmY/BfQ=\n".utf8))
        // Apache gives up root's rights.
        var owner: [String] = []
        if geteuid() == 0, let user = getpwnam("www-data") {
            owner = ["User www-data", "Group www-data"]
            for place in ["", "/www", "/www/dav"] { chown(path + place, user.pointee.pw_uid, user.pointee.pw_gid) }
        }
        try writeFile(path + "/conf", Array((lines + owner).map { $0 + "\n" }.joined().utf8))
        process = try await ServerProcess(
            Self.program, ["-DFOREGROUND", "-f", path + "/conf"], port: port, log: path + "/out")
    }
}
