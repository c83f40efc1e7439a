import CAvahi
import Glibc

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

    /// What a host of ours is published with, at most 24 addresses. Carriers that come and go change nothing here.
    var hostAddresses: [HostAddress] {
        let all = interfaces.lazy.flatMap { interface in
            interface.addresses.map { HostAddress(interface: interface.index, address: $0) }
        }
        return Array(all.prefix(DiscoveryLimits.addressesPerHost))
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

/// What getifaddrs(3) tells in one entry: an interface, and one of its addresses where it has any.
private struct InterfaceEntry {
    let name: String
    let flags: UInt32
    /// IPv4 or IPv6, numeric, without scope.
    let address: String?

    func has(_ flag: Int) -> Bool { flags & UInt32(flag) != 0 }

    /// All of the machine's; none where the system does not say.
    static func all() -> [InterfaceEntry] {
        var first: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&first) == 0 else { return [] }
        defer { freeifaddrs(first) }
        return sequence(first: first, next: { $0?.pointee.ifa_next }).compactMap { entry in
            guard let entry = entry?.pointee, let name = entry.ifa_name else { return nil }
            return InterfaceEntry(
                name: String(cString: name), flags: entry.ifa_flags, address: entry.ifa_addr.flatMap(numeric))
        }
    }

    private static func numeric(_ address: UnsafeMutablePointer<sockaddr>) -> String? {
        let size: Int
        switch Int32(address.pointee.sa_family) {
        case AF_INET: size = MemoryLayout<sockaddr_in>.size
        case AF_INET6: size = MemoryLayout<sockaddr_in6>.size
        default: return nil
        }
        var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
        guard getnameinfo(address, socklen_t(size), &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST) == 0 else {
            return nil
        }
        let host = String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        return String(host.prefix { $0 != "%" })
    }
}
