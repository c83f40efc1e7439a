/// Where a mailbox is, as a person entered it: a folder's path, `https://…` for WebDAV, or `nats://…`.
package struct MailboxAddress: Hashable, Sendable {
    package enum Kind: Hashable, Sendable { case folder, webDAV, nats }

    package let kind: Kind
    /// With the password, if there is one.
    package let text: String
    /// A proxy for WebDAV, as in `socks5h://127.0.0.1:9050`.
    package let proxy: String?
    /// A file of certificates to trust instead of the system's.
    package let certificates: String?
    /// Nil for a folder.
    let url: MailboxURL?

    private static let bytesMax = 2_048

    /// - Parameter text: of a folder, its absolute path.
    package init(
        _ text: String, proxy: String? = nil, certificates: String? = nil
    ) throws(MailboxError) {
        guard text.utf8.count <= Self.bytesMax, !text.unicodeScalars.contains(where: { $0.value < 32 }) else {
            throw MailboxError(
                .refused, "an address of a mailbox has at most \(Self.bytesMax) bytes, without control characters")
        }
        self.text = text
        self.certificates = certificates
        if text.hasPrefix("/") {
            (kind, url) = (.folder, nil)
        } else {
            let url = try MailboxURL(text)
            switch url.scheme {
            case "https", "http": kind = .webDAV
            case "nats", "tls": kind = .nats
            default: throw .notAnAddress
            }
            guard url.isSealed || url.isLocal || url.user == nil else {
                throw MailboxError(
                    .refused,
                    "\(url.host) would get the password unencrypted; use \(kind == .nats ? "tls" : "https")://")
            }
            self.url = url
        }
        if let proxy {
            guard kind == .webDAV else {
                throw MailboxError(.refused, "only a WebDAV mailbox can have a proxy; leave it out")
            }
            guard let scheme = try? MailboxURL(proxy).scheme, ["socks5", "socks5h", "http"].contains(scheme) else {
                throw MailboxError(
                    .refused, "“\(proxy)” is not the address of a proxy; write it as socks5h://127.0.0.1:9050")
            }
        }
        self.proxy = proxy
    }

    /// The address without its password.
    package var shown: String { url?.shown ?? text }

    /// Opens nothing yet: the first call does.
    package func port(limits: MailboxPortLimits = .default) throws(MailboxError) -> any MailboxPort {
        switch (kind, url) {
        case (.webDAV, let url?): try WebDAVMailbox(url, proxy: proxy, certificates: certificates, limits: limits)
        case (.nats, let url?): try NATSMailbox(url, certificates: certificates, limits: limits)
        default: FolderMailbox(path: text, limits: limits)
        }
    }
}
