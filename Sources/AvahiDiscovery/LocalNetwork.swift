import LibC

/// The machine's own addresses as others are told of them.
package enum PublishedAddresses {
    /// Those with which this machine is published, numeric and without scope, the most useful first: at most 8.
    package static func current() -> [String] { NetworkInterfaces.current().hostAddresses.map(\.address) }

    /// Whether this machine is on a network where hosts can be asked for their services, without Avahi.
    package static func areReachable(on interfaces: Set<String>?) -> Bool {
        !NetworkInterfaces.current().links(among: interfaces).isEmpty
    }
}

/// The machine's own addresses that others may reach: IPv4, then IPv6; neither loopback nor link-local.
package enum LocalAddresses {
    package static func current() -> [String] {
        let addresses = InterfaceEntry.all()
            .filter { $0.has(IFF_UP) && !$0.has(IFF_LOOPBACK) }
            .compactMap(\.address)
            .filter { !$0.hasPrefix("fe80:") }
        return Set(addresses).sorted { ($0.contains(":") ? 1 : 0, $0) < ($1.contains(":") ? 1 : 0, $1) }
    }
}

/// An IPv4 network that this machine is on, by one of its addresses there.
package struct LocalNetwork: Hashable, Sendable {
    package let interface: String
    package let address: String
    package let prefixLength: Int
    /// Whether it is a tunnel, which carries no multicast DNS.
    package let isPointToPoint: Bool
    /// Whether its carrier is there.
    package let isRunning: Bool

    /// All of this machine's, loopback left out, in the order in which the system tells them.
    package static func current() -> [LocalNetwork] {
        InterfaceEntry.all().filter { $0.has(IFF_UP) && !$0.has(IFF_LOOPBACK) }.compactMap { entry in
            guard let address = entry.address, let prefixLength = entry.prefixLength else { return nil }
            return LocalNetwork(
                interface: entry.name, address: address, prefixLength: prefixLength,
                isPointToPoint: entry.has(IFF_POINTOPOINT) || !entry.has(IFF_MULTICAST),
                isRunning: entry.has(IFF_RUNNING))
        }
    }

    /// Interfaces that are up and have no carrier, sorted.
    package static func unplugged() -> [String] {
        let down = InterfaceEntry.all().filter { $0.has(IFF_UP) && !$0.has(IFF_LOOPBACK) && !$0.has(IFF_RUNNING) }
        return Set(down.map(\.name)).sorted()
    }

    /// "192.0.2.0/24".
    package var description: String { "\(Self.text(network))/\(prefixLength)" }

    /// Whether an IPv4 address is one of this network's.
    package func contains(_ address: String) -> Bool {
        guard let number = Self.number(address) else { return false }
        return number & mask == network
    }

    /// Its first address and its last, this machine's own left out: two that a route may lead to elsewhere.
    package var samples: [String] {
        guard prefixLength < 31 else { return [] }
        return [network + 1, (network | ~mask) - 1].map(Self.text).filter { $0 != address }
    }

    private var mask: UInt32 { prefixLength == 0 ? 0 : ~0 << UInt32(32 - prefixLength) }
    private var network: UInt32 { (Self.number(address) ?? 0) & mask }

    static func number(_ address: String) -> UInt32? {
        var parsed = in_addr()
        return inet_pton(AF_INET, address, &parsed) == 1 ? UInt32(bigEndian: parsed.s_addr) : nil
    }

    static func text(_ number: UInt32) -> String {
        [24, 16, 8, 0].map { String(number >> $0 & 0xFF) }.joined(separator: ".")
    }
}
