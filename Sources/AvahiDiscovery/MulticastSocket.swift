import CAvahi
import LibC

/// A UDP socket for multicast DNS, on one interface and of one family.
final class MulticastSocket {
    /// Where a datagram came from.
    struct Source {
        fileprivate var address: sockaddr_storage
        fileprivate var size: socklen_t
        /// Numeric; empty where that cannot be told.
        let host: String
        let port: UInt16

        var isIPv6: Bool { address.ss_family == sa_family_t(AF_INET6) }
    }

    let descriptor: Int32
    let interface: Int32
    private let isIPv6: Bool

    static let mdnsPort: UInt16 = 5353

    /// Nil where the system gives none.
    /// - Parameter listens: whether it hears what is sent to the group, beside avahi-daemon; else it has a port of its own, which
    ///   sends and gets answers.
    init?(on interface: Int32, isIPv6: Bool, listens: Bool) {
        let kind = Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        descriptor = socket(isIPv6 ? AF_INET6 : AF_INET, kind, 0)
        self.interface = interface
        self.isIPv6 = isIPv6
        guard descriptor >= 0 else { return nil }
        guard listens ? joinGroup() : chooseInterface() else { return nil }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    func sendToGroup(_ bytes: [UInt8]) {
        guard let group else { return }
        send(bytes, to: group)
    }

    /// Lost as any datagram may be.
    func send(_ bytes: [UInt8], to source: Source) {
        var source = source
        withUnsafePointer(to: &source.address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                _ = sendto(descriptor, bytes, bytes.count, 0, $0, source.size)
            }
        }
    }

    /// The next datagram; nil where none waits.
    func receive(into buffer: inout [UInt8]) -> (count: Int, source: Source)? {
        var address = sockaddr_storage()
        var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let count = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                recvfrom(descriptor, &buffer, buffer.count, 0, $0, &size)
            }
        }
        guard count >= 0 else { return nil }
        var (host, port) = (
            [CChar](repeating: 0, count: Int(NI_MAXHOST)), [CChar](repeating: 0, count: Int(NI_MAXSERV))
        )
        let error = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                getnameinfo(
                    $0, size, &host, socklen_t(host.count), &port, socklen_t(port.count),
                    NI_NUMERICHOST | NI_NUMERICSERV)
            }
        }
        let texts = [host, port].map {
            String(decoding: $0.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        }
        return (
            count,
            Source(
                address: address, size: size, host: error == 0 ? texts[0] : "",
                port: error == 0 ? UInt16(texts[1]) ?? 0 : 0)
        )
    }

    // MARK: - Options

    private var group: Source? {
        var storage = sockaddr_storage()
        let isMade = withUnsafeMutablePointer(to: &storage) { pointer in
            if isIPv6 {
                pointer.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) {
                    $0.pointee.sin6_family = sa_family_t(AF_INET6)
                    $0.pointee.sin6_port = Self.mdnsPort.bigEndian
                    $0.pointee.sin6_scope_id = UInt32(bitPattern: interface)
                    return inet_pton(AF_INET6, "ff02::fb", &$0.pointee.sin6_addr) == 1
                }
            } else {
                pointer.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
                    $0.pointee.sin_family = sa_family_t(AF_INET)
                    $0.pointee.sin_port = Self.mdnsPort.bigEndian
                    return inet_pton(AF_INET, "224.0.0.251", &$0.pointee.sin_addr) == 1
                }
            }
        }
        let size = isIPv6 ? MemoryLayout<sockaddr_in6>.size : MemoryLayout<sockaddr_in>.size
        return isMade ? Source(address: storage, size: socklen_t(size), host: "", port: Self.mdnsPort) : nil
    }

    private func chooseInterface() -> Bool {
        isIPv6
            ? set(Int32(IPPROTO_IPV6), IPV6_MULTICAST_IF, interface)
                && set(Int32(IPPROTO_IPV6), IPV6_MULTICAST_HOPS, Int32(255))
            : set(Int32(IPPROTO_IP), IP_MULTICAST_IF, membership)
                && set(Int32(IPPROTO_IP), IP_MULTICAST_TTL, Int32(255))
    }

    /// Bound to the group itself, so that nothing that is sent to this machine's avahi-daemon alone comes here instead.
    private func joinGroup() -> Bool {
        guard var group, set(SOL_SOCKET, SO_REUSEADDR, Int32(1)) else { return false }
        if isIPv6, !set(Int32(IPPROTO_IPV6), IPV6_V6ONLY, Int32(1)) { return false }
        let isBound = withUnsafePointer(to: &group.address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, group.size) == 0 }
        }
        guard isBound else { return false }
        guard isIPv6 else {
            return set(Int32(IPPROTO_IP), IP_MULTICAST_ALL, Int32(0))
                && set(Int32(IPPROTO_IP), IP_ADD_MEMBERSHIP, membership)
        }
        var wish = ipv6_mreq()
        wish.ipv6mr_interface = UInt32(bitPattern: interface)
        return inet_pton(AF_INET6, "ff02::fb", &wish.ipv6mr_multiaddr) == 1
            && set(Int32(IPPROTO_IPV6), IPV6_ADD_MEMBERSHIP, wish)
    }

    private var membership: ip_mreqn {
        var address = in_addr()
        _ = inet_pton(AF_INET, "224.0.0.251", &address)
        return ip_mreqn(imr_multiaddr: address, imr_address: in_addr(), imr_ifindex: interface)
    }

    private func set(_ level: Int32, _ option: Int32, _ value: some Any) -> Bool {
        withUnsafeBytes(of: value) { setsockopt(descriptor, level, option, $0.baseAddress, socklen_t($0.count)) == 0 }
    }
}
