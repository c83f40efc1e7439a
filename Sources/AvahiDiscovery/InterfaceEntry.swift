import CAvahi
import LibC

/// What getifaddrs(3) tells in one entry: an interface, and one of its addresses where it has any.
struct InterfaceEntry {
    let name: String
    let flags: UInt32
    /// IPv4 or IPv6, numeric, without scope.
    let address: String?
    /// Leading ones of an IPv4 address's mask; nil for any other.
    let prefixLength: Int?

    func has(_ flag: Int) -> Bool { flags & UInt32(flag) != 0 }

    /// All of the machine's; none where the system does not say.
    static func all() -> [InterfaceEntry] {
        var first: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&first) == 0 else { return [] }
        defer { freeifaddrs(first) }
        return sequence(first: first, next: { $0?.pointee.ifa_next }).compactMap { entry in
            guard let entry = entry?.pointee, let name = entry.ifa_name else { return nil }
            return InterfaceEntry(
                name: String(cString: name), flags: entry.ifa_flags, address: entry.ifa_addr.flatMap(numeric),
                prefixLength: entry.ifa_netmask.flatMap(maskLength))
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

    private static func maskLength(_ mask: UnsafeMutablePointer<sockaddr>) -> Int? {
        guard Int32(mask.pointee.sa_family) == AF_INET else { return nil }
        return mask.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { $0.pointee.sin_addr.s_addr.nonzeroBitCount }
    }
}
