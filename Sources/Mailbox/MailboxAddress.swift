/// Where a mailbox is, as a person entered it: a folder's path, `https://…` for WebDAV, or `nats://…`, of a cluster
/// with all its servers: `nats://a,b,c`.
package struct MailboxAddress: Hashable, Sendable {
    package enum Kind: Hashable, Sendable { case folder, webDAV, nats }

    package let kind: Kind
    /// With the password, if there is one.
    package let text: String
    /// A proxy for WebDAV, as in `socks5h://127.0.0.1:9050`.
    package let proxy: String?
    /// A file of certificates to trust instead of the system's.
    package let certificates: String?
    /// None for a folder, and several for a cluster of NATS servers.
    let servers: [MailboxURL]

    private static let bytesMax = 2_048

    /// - Parameter text: of a folder, its absolute path.
    package init(
        _ text: String, proxy: String? = nil, certificates: String? = nil
    ) throws(MailboxError) {
        guard text.utf8.count <= Self.bytesMax, !text.unicodeScalars.contains(where: { $0.value < 32 }) else {
            throw MailboxError(
                .refused, "an address of a mailbox has at most \(Self.bytesMax) bytes, without control characters")
        }
        self.certificates = certificates
        if text.hasPrefix("/") {
            // Completion in a shell ends a folder's path with a slash.
            self.text = "/" + text.split(separator: "/").joined(separator: "/")
            (kind, servers) = (.folder, [])
        } else {
            self.text = text
            servers = try MailboxURL.servers(text)
            switch servers[0].scheme {
            case "https", "http": kind = .webDAV
            case "nats", "tls": kind = .nats
            default: throw .notAnAddress
            }
            guard kind == .nats || servers.count == 1 else { throw .notAnAddress }
            for url in servers where !url.isSealed && !url.isLocal && url.user != nil {
                throw MailboxError(
                    .refused,
                    "\(url.host) would get the password unencrypted; use \(kind == .nats ? "tls" : "https")://")
            }
        }
        if let proxy {
            guard kind == .webDAV else {
                throw MailboxError(.refused, "only a WebDAV mailbox can have a proxy; leave it out")
            }
            guard let scheme = try? MailboxURL(proxy).scheme, ["socks5", "socks5h", "http"].contains(scheme) else {
                // What was typed may hold a password: it isn't repeated.
                throw MailboxError(
                    .refused, "the proxy is not an address of one; write it as socks5h://127.0.0.1:9050")
            }
        }
        self.proxy = proxy
    }

    /// Whether a server of it is on the machine that uses it.
    package var isThisMachine: Bool { servers.contains(where: \.isThisMachine) }

    /// A server's address without a user, and so without a password; nil for a folder.
    package var withoutUser: String? {
        guard let first = servers.first else { return nil }
        return servers.count == 1
            ? first.withoutUser : "\(first.scheme)://" + servers.map(\.place).joined(separator: ",")
    }

    /// The address without its password.
    package var shown: String {
        guard let first = servers.first else { return text }
        return servers.count == 1
            ? first.shown : first.shownUser + servers.map(\.place).joined(separator: ",")
    }

    /// Opens nothing yet: the first call does.
    package func port(limits: MailboxPortLimits = .default) throws(MailboxError) -> any MailboxPort {
        switch kind {
        case .folder: FolderMailbox(path: text, limits: limits)
        case .webDAV:
            try WebDAVMailbox(servers[0], proxy: proxy, certificates: certificates, limits: limits)
        case .nats: try NATSMailbox(servers, certificates: certificates, limits: limits)
        }
    }
}
