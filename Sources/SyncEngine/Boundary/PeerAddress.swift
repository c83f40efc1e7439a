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

extension PeerAddress {
    /// The 16 bytes of the IPv6 address, without its scope, or of the IPv4 address as mapped into IPv6 (RFC 4291, section
    /// 2.5.5.2); nil where the host is no numeric address.
    var hostBytes: [UInt8]? {
        let text = host.prefix { $0 != "%" }
        guard text.contains(":") else {
            return PeerAddress.ipv4(text).map { [UInt8](repeating: 0, count: 10) + [255, 255] + $0 }
        }
        return PeerAddress.ipv6(text)
    }

    /// The host as above and the port, most significant byte first; nil where the host is no numeric address.
    var endpointBytes: (host: [UInt8], port: [UInt8])? {
        hostBytes.map { ($0, [UInt8(port >> 8), UInt8(port & 255)]) }
    }

    private static func ipv4(_ text: Substring) -> [UInt8]? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        let bytes = parts.compactMap { UInt8($0) }
        return parts.count == 4 && bytes.count == 4 ? bytes : nil
    }

    private static func ipv6(_ text: Substring) -> [UInt8]? {
        guard let gap = text.firstRange(of: "::") else {
            let bytes = groups(text)
            return bytes?.count == 16 ? bytes : nil
        }
        guard let head = groups(text[..<gap.lowerBound]), let tail = groups(text[gap.upperBound...]),
            head.count + tail.count <= 14
        else { return nil }
        return head + [UInt8](repeating: 0, count: 16 - head.count - tail.count) + tail
    }

    /// The bytes of groups of hexadecimal digits, of which the last may be an IPv4 address.
    private static func groups(_ text: Substring) -> [UInt8]? {
        if text.isEmpty { return [] }
        var bytes: [UInt8] = []
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        for (index, part) in parts.enumerated() {
            if index == parts.count - 1, part.contains(".") {
                guard let last = ipv4(part) else { return nil }
                bytes += last
            } else {
                guard (1...4).contains(part.utf8.count), let group = UInt16(part, radix: 16) else { return nil }
                bytes += [UInt8(group >> 8), UInt8(group & 255)]
            }
        }
        return bytes.count <= 16 ? bytes : nil
    }
}
