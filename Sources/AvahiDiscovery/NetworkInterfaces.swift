import CAvahi
import LibC

/// The machine's interfaces that mDNS can use, and their addresses, as they were when this was made.
struct NetworkInterfaces: Equatable {
    struct Interface: Hashable {
        let index: Int32
        let name: String
        let isLoopback: Bool
        /// Whether its carrier is there.
        let isRunning: Bool
        /// Numeric, without scope, sorted.
        var addresses: [String]
    }

    /// An address, said on its own interface alone.
    struct HostAddress: Hashable {
        let interface: Int32
        let address: String
    }

    /// In order of their numbers.
    let interfaces: [Interface]

    /// What a host of ours is published with, at most 8 addresses: of each interface one after the other, loopback last.
    /// Carriers that come and go change nothing here.
    var hostAddresses: [HostAddress] {
        let queues = (interfaces.filter { !$0.isLoopback } + interfaces.filter(\.isLoopback)).map { interface in
            interface.ofBothFamilies.map { HostAddress(interface: interface.index, address: $0) }
        }
        let rounds = (0..<(queues.map(\.count).max() ?? 0)).lazy.flatMap { round in
            queues.compactMap { round < $0.count ? $0[round] : nil }
        }
        return Array(rounds.prefix(DiscoveryLimits.addressesPerHost))
    }

    /// Reads them with getifaddrs(3). Point-to-point links are left out, as Avahi does.
    static func current() -> NetworkInterfaces {
        var interfaces: [Int32: Interface] = [:]
        for entry in InterfaceEntry.all() {
            guard let interface = Interface(entry) else { continue }
            interfaces[interface.index, default: interface].addresses += entry.address.map { [$0] } ?? []
        }
        return NetworkInterfaces(
            interfaces: interfaces.values.sorted { $0.index < $1.index }.map { interface in
                var interface = interface
                interface.addresses = worthPublishing(interface.addresses)
                return interface
            })
    }

    /// Those that lead to other machines, now, among some; among all where nil.
    func links(among names: Set<String>?) -> [Interface] {
        interfaces.filter {
            !$0.isLoopback && $0.isRunning && !$0.addresses.isEmpty && names?.contains($0.name) ?? true
        }
    }

    /// The interface of that number, if mDNS can use it.
    subscript(index: Int32) -> Interface? { interfaces.first { $0.index == index } }

    /// Link-local IPv6 addresses only where there is no wider one: they are of use on one link alone.
    private static func worthPublishing(_ addresses: [String]) -> [String] {
        let isLinkLocal = { (address: String) in address.hasPrefix("fe80:") }
        let hasWide = addresses.contains { $0.contains(":") && !isLinkLocal($0) }
        return Set(addresses).filter { !(hasWide && isLinkLocal($0)) }.sorted()
    }
}

extension NetworkInterfaces.Interface {
    /// Its addresses, an IPv4 and an IPv6 one first.
    fileprivate var ofBothFamilies: [String] {
        let (ipv6, ipv4) = (addresses.filter { $0.contains(":") }, addresses.filter { !$0.contains(":") })
        return Array(ipv4.prefix(1) + ipv6.prefix(1) + ipv4.dropFirst() + ipv6.dropFirst())
    }

    /// Nil where mDNS cannot use the interface.
    fileprivate init?(_ entry: InterfaceEntry) {
        let isLoopback = entry.has(IFF_LOOPBACK)
        guard entry.has(IFF_UP), isLoopback || entry.has(IFF_MULTICAST), !entry.has(IFF_POINTOPOINT) else { return nil }
        self.init(
            index: Int32(truncatingIfNeeded: if_nametoindex(entry.name)), name: entry.name,
            isLoopback: isLoopback, isRunning: entry.has(IFF_RUNNING), addresses: [])
        guard index > 0 else { return nil }
    }
}
