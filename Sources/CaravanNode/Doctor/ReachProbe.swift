import LibC
import SyncEngine

/// What becomes of a connection to an address, and of what is sent to it.
enum ReachProbe {
    enum Outcome: Hashable, Sendable {
        case accepted
        /// The machine answers, and says no.
        case refused
        /// Its machine answers on the link, and something swallows or rejects what goes to the port.
        case filtered
        /// Nothing answers, not even on the link.
        case silent
        /// This system does not let anything out to it, or there is no way to tell.
        case unknown
    }

    /// Opens a connection and ends it. Blocks this thread for at most so long.
    static func connect(to address: PeerAddress, milliseconds: Int32) -> Outcome {
        guard let (descriptor, number) = begin(to: address) else { return .unknown }
        defer { close(descriptor) }
        var code = number
        if code == EINPROGRESS {
            var interest = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
            code = ETIMEDOUT
            if poll(&interest, 1, milliseconds) > 0 {
                var size = socklen_t(MemoryLayout<Int32>.size)
                guard getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &size) == 0 else { return .unknown }
            }
        }
        switch code {
        case 0: return .accepted
        case ECONNREFUSED: return .refused
        case ETIMEDOUT, EHOSTUNREACH, EACCES, EPERM:
            return isNeighbour(address.host) ? .filtered : code == EPERM || code == EACCES ? .unknown : .silent
        default: return .unknown
        }
    }

    /// A socket that has begun to connect, and the system's first word about that; nil for no numeric address.
    private static func begin(to address: PeerAddress) -> (descriptor: Int32, code: Int32)? {
        var hints = addrinfo()
        hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var found: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(address.host, String(address.port), &hints, &found) == 0, let entry = found else {
            return nil
        }
        defer { freeaddrinfo(found) }
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let descriptor = socket(entry.pointee.ai_family, kind, 0)
        guard descriptor >= 0 else { return nil }
        let result = LibC.connect(descriptor, entry.pointee.ai_addr, entry.pointee.ai_addrlen)
        return (descriptor, result == 0 ? 0 : errno)
    }

    /// Whether a machine's address on the link is known, as it is once it has answered there: its ARP entry is complete
    /// (`ATF_COM` in proc(5)'s net/arp). IPv6 neighbours are in no such file.
    private static func isNeighbour(_ host: String) -> Bool {
        guard let text = TextFile.read("/proc/net/arp") else { return false }
        return text.split(separator: "\n").contains { line in
            let fields = line.split(separator: " ")
            guard fields.count > 3, fields[0] == host, fields[2].hasPrefix("0x") else { return false }
            return UInt32(fields[2].dropFirst(2), radix: 16).map { $0 & 2 != 0 } ?? false
        }
    }
}

/// By which of its own addresses the system would send to another.
enum RouteProbe {
    enum Outcome: Hashable, Sendable {
        case from(String)
        case refused(String)
    }

    /// Asks for the route, and sends nothing: a UDP socket that is connected only chooses its address (udp(7)).
    static func route(to host: String) -> Outcome {
        let descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return .refused(String(cString: strerror(errno))) }
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(9).bigEndian  // discard; any will do
        guard inet_pton(AF_INET, host, &address.sin_addr) == 1 else { return .refused("no address") }
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let (isConnected, number) = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                let isDone = connect(descriptor, $0, size) == 0 && getsockname(descriptor, $0, &size) == 0
                return (isDone, errno)
            }
        }
        guard isConnected else { return .refused(String(cString: strerror(number))) }
        let bytes = withUnsafeBytes(of: address.sin_addr.s_addr) { Array($0) }  // in the network's order
        return .from(bytes.map(String.init).joined(separator: "."))
    }
}
