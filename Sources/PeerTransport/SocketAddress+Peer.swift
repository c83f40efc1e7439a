import LibC
import NIOCore
import SyncEngine

extension SocketAddress {
    /// Reads a numeric address, with its scope where it has one (RFC 4007: `fe80::1%eth0` or `fe80::1%2`).
    ///
    /// Nil for a name, for anything that is no address, and for a link-local IPv6 address without a scope that exists
    /// here: the system would answer EINVAL.
    init?(_ peer: PeerAddress) {
        let parts = peer.host.split(separator: "%", maxSplits: 1, omittingEmptySubsequences: false)
        guard let address = try? SocketAddress(ipAddress: String(parts[0]), port: Int(peer.port)) else { return nil }
        guard case .v6(let numeric) = address else {
            guard parts.count == 1 else { return nil }
            self = address
            return
        }
        var v6 = numeric.address
        if parts.count == 2 {
            let scope = UInt32(parts[1]) ?? if_nametoindex(String(parts[1]))
            guard scope != 0 else { return nil }
            v6.sin6_scope_id = scope
        } else if v6.isLinkLocal {
            return nil
        }
        self.init(v6, host: peer.host)
    }

    /// The host as `PeerAddress` writes it: IPv4 plain even where it came through an IPv6 socket, and link-local
    /// addresses with their scope. Nil for what is no internet address.
    var peerHost: String? {
        guard case .v6(let address) = self else { return ipAddress }
        let v6 = address.address
        guard let text = ipAddress else { return nil }
        let mappedPrefix = "::ffff:"
        if text.hasPrefix(mappedPrefix), text.contains(".") { return String(text.dropFirst(mappedPrefix.count)) }
        guard v6.isLinkLocal, v6.sin6_scope_id != 0 else { return text }
        return "\(text)%\(interfaceName(of: v6.sin6_scope_id) ?? String(v6.sin6_scope_id))"
    }

    /// The address with its port; nil for what is no internet address.
    var peerAddress: PeerAddress? {
        guard let peerHost, let port = port.flatMap(UInt16.init(exactly:)) else { return nil }
        return PeerAddress(host: peerHost, port: port)
    }

    /// True for 127.0.0.0/8 and ::1, in either form.
    var isLoopback: Bool { peerHost.map { $0 == "::1" || $0.hasPrefix("127.") } ?? false }
}

private func interfaceName(of index: UInt32) -> String? {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(IF_NAMESIZE)) { buffer in
        if_indextoname(index, buffer.baseAddress).map { String(cString: $0) }
    }
}

extension sockaddr_in6 {
    /// fe80::/10 (RFC 4291, section 2.5.6).
    fileprivate var isLinkLocal: Bool {
        withUnsafeBytes(of: sin6_addr) { $0[0] == 0xFE && $0[1] & 0xC0 == 0x80 }
    }
}
