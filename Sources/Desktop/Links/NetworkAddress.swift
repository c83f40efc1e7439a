import LibC

/// An address of the Internet Protocol.
package struct NetworkAddress: Hashable, Sendable {
    /// 4 or 16, in network order.
    let bytes: [UInt8]

    /// Reads the one form of an IPv4 address with four decimal numbers, and the forms of RFC 4291 of an IPv6 address. Nil for anything
    /// else, as for one with a zone.
    package init?(_ text: String) {
        for (family, count) in [(AF_INET, 4), (AF_INET6, 16)] {
            var bytes = [UInt8](repeating: 0, count: count)
            if inet_pton(family, text, &bytes) == 1 {
                self.bytes = bytes
                return
            }
        }
        return nil
    }

    private init(_ bytes: some Sequence<UInt8>) { self.bytes = Array(bytes) }

    /// As in an address of a page: IPv6 between brackets.
    var hostText: String {
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        guard inet_ntop(bytes.count == 4 ? AF_INET : AF_INET6, bytes, &text, socklen_t(text.count)) != nil else {
            return ""
        }
        let written = String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        return bytes.count == 4 ? written : "[\(written)]"
    }

    // MARK: - What it is for

    /// Whether it is of the public internet: none of those that the registries of special purposes name (RFC 6890 and what was added
    /// since), and none of multicast. An address of NAT64 (RFC 6052) is what the IPv4 address in it is.
    package var isPublic: Bool {
        if bytes.count == 4 { return !Self.special4.contains { $0.contains(self) } }
        if Self.translated.contains(where: { $0.contains(self) }) { return NetworkAddress(bytes.suffix(4)).isPublic }
        return Self.unicast6.contains { $0.contains(self) } && !Self.special6.contains { $0.contains(self) }
    }

    /// A block of addresses: those that begin as another one does.
    struct Block: Sendable {
        private let start: NetworkAddress
        private let length: Int

        init(_ start: NetworkAddress, _ length: Int) { (self.start, self.length) = (start, length) }

        func contains(_ address: NetworkAddress) -> Bool {
            guard address.bytes.count == start.bytes.count else { return false }
            for (place, (byte, other)) in zip(address.bytes, start.bytes).enumerated() {
                let bits = min(max(length - place * 8, 0), 8)
                guard (byte ^ other) >> UInt8(8 - bits) == 0 else { return false }
            }
            return true
        }
    }

    private static func blocks(_ blocks: KeyValuePairs<String, Int>) -> [Block] {
        blocks.compactMap { text, length in NetworkAddress(text).map { Block($0, length) } }
    }

    /// This network, private use, shared use of providers, loopback, link-local, protocol assignments, documentation, relays of 6to4,
    /// benchmarks, multicast, reserved and broadcast.
    private static let special4 = blocks([
        "0.0.0.0": 8, "10.0.0.0": 8, "100.64.0.0": 10, "127.0.0.0": 8, "169.254.0.0": 16, "172.16.0.0": 12,
        "192.0.0.0": 24, "192.0.2.0": 24, "192.88.99.0": 24, "192.168.0.0": 16, "198.18.0.0": 15, "198.51.100.0": 24,
        "203.0.113.0": 24, "224.0.0.0": 4, "240.0.0.0": 4,
    ])

    /// The only block that the registry of IPv6 has given out for global unicast. Outside are loopback, addresses of IPv4, local use of
    /// NAT64, unique local, link-local, and multicast.
    private static let unicast6 = blocks(["2000::": 3])

    /// Within it: protocol assignments with Teredo and ORCHID, documentation, 6to4.
    private static let special6 = blocks(["2001::": 23, "2001:db8::": 32, "2002::": 16, "3fff::": 20])

    private static let translated = blocks(["64:ff9b::": 96])

    // MARK: - Where it is

    /// Whether it is on a network that this machine is on, or this machine's own. Devices at home may have addresses of the public
    /// internet, too: of IPv6 most do.
    var isNear: Bool { Self.networks().contains { $0.contains(self) } }

    /// The networks of this machine's interfaces.
    private static func networks() -> [Block] {
        var first: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&first) == 0 else { return [] }
        defer { freeifaddrs(first) }
        var networks: [Block] = []
        var next = first
        while let interface = next?.pointee {
            next = interface.ifa_next
            guard let address = NetworkAddress(interface.ifa_addr), let mask = NetworkAddress(interface.ifa_netmask),
                address.bytes.count == mask.bytes.count
            else { continue }
            let length = mask.bytes.reduce(0) { $0 + $1.nonzeroBitCount }
            // A tunnel may say that it holds everything.
            if length > 0 { networks.append(Block(address, length)) }
        }
        return networks
    }

    private init?(_ address: UnsafeMutablePointer<sockaddr>?) {
        guard let address else { return nil }
        switch Int32(address.pointee.sa_family) {
        case AF_INET:
            bytes = address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { address in
                withUnsafeBytes(of: address.pointee.sin_addr) { Array($0) }
            }
        case AF_INET6:
            bytes = address.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { address in
                withUnsafeBytes(of: address.pointee.sin6_addr) { Array($0) }
            }
        default: return nil
        }
    }
}
