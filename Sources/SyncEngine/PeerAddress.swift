/// Where a peer may be reached: a numeric IP address (with its scope where it is link-local) and a TCP port.
package struct PeerAddress: Hashable, Sendable {
    package let host: String
    package let port: UInt16

    package init(host: String, port: UInt16) {
        self.host = host
        self.port = port
    }
}

extension PeerAddress: Comparable {
    package static func < (left: PeerAddress, right: PeerAddress) -> Bool {
        (left.host, left.port) < (right.host, right.port)
    }
}

extension PeerAddress: CustomStringConvertible {
    /// `10.0.0.2:4000`, `[fe80::1%eth0]:4000`.
    package var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}
