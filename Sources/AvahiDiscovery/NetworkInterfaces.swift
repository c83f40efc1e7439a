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
        var first: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&first) == 0 else { return NetworkInterfaces(interfaces: []) }
        defer { freeifaddrs(first) }
        var interfaces: [Int32: Interface] = [:]
        for entry in sequence(first: first, next: { $0?.pointee.ifa_next }) {
            guard let entry = entry?.pointee, let interface = Interface(entry) else { continue }
            interfaces[interface.index, default: interface].addresses += numericAddress(entry).map { [$0] } ?? []
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

    private static func numericAddress(_ entry: ifaddrs) -> String? {
        guard let address = entry.ifa_addr else { return nil }
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

extension NetworkInterfaces.Interface {
    /// Nil where mDNS cannot use the interface.
    fileprivate init?(_ entry: ifaddrs) {
        let has = { (flag: Int) in entry.ifa_flags & UInt32(flag) != 0 }
        let isLoopback = has(IFF_LOOPBACK)
        guard has(IFF_UP), isLoopback || has(IFF_MULTICAST),
            !has(IFF_POINTOPOINT), let name = entry.ifa_name
        else { return nil }
        self.init(
            index: Int32(truncatingIfNeeded: if_nametoindex(name)), name: String(cString: name),
            isLoopback: isLoopback, isRunning: has(IFF_RUNNING), addresses: [])
        guard index > 0 else { return nil }
    }
}
