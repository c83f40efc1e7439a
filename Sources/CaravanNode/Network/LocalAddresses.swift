import Glibc

/// The machine's own addresses that others may reach: IPv4, then global IPv6; neither loopback nor link-local.
enum LocalAddresses {
    static func current() -> [String] {
        var list: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&list) == 0 else { return [] }
        defer { freeifaddrs(list) }
        var addresses: Set<String> = []
        for entry in sequence(first: list, next: { $0?.pointee.ifa_next }) {
            guard let interface = entry?.pointee, let address = interface.ifa_addr,
                interface.ifa_flags & UInt32(IFF_UP) != 0, interface.ifa_flags & UInt32(IFF_LOOPBACK) == 0
            else { continue }
            let isIPv6 = Int32(address.pointee.sa_family) == AF_INET6
            guard isIPv6 || Int32(address.pointee.sa_family) == AF_INET else { continue }
            var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
            let size = isIPv6 ? MemoryLayout<sockaddr_in6>.size : MemoryLayout<sockaddr_in>.size
            guard getnameinfo(address, socklen_t(size), &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST) == 0
            else { continue }
            let host = String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            if !host.hasPrefix("fe80") { addresses.insert(host) }
        }
        return addresses.sorted { ($0.contains(":") ? 1 : 0, $0) < ($1.contains(":") ? 1 : 0, $1) }
    }
}
