import CAvahi
import LibC

/// Whether multicast DNS gets out of this machine and back into it at one interface, and whether anybody else is heard
/// there: a question is sent to all from the port of mDNS, as any responder sends it (RFC 6762, section 5.2), and what
/// comes is listened to beside avahi-daemon.
///
/// The system gives each multicast datagram back to its own machine, through the filters that what comes from others passes
/// too; so a question that does not come back is one that no neighbour's would get past either.
package enum MulticastProbe {
    package enum Outcome: Hashable, Sendable {
        /// The system does not send; its reason.
        case notSent(String)
        /// What was sent does not come back.
        case notReceived
        /// It does; and whether anybody else was heard.
        case received(hearsOthers: Bool)
        /// There is no way to tell: the port of mDNS is another's alone, say.
        case unknown
    }

    private static let group = "224.0.0.251"
    private static let port: UInt16 = 5353
    /// How often the question is sent: one datagram may be lost.
    private static let questions = 3
    private static let datagramBytes = 9_000
    /// Datagrams that are looked at, at most: a flood must not hold the probe.
    private static let datagramsMax = 512

    /// Probes one network. Blocks this thread for `milliseconds`, or a little less where others were heard.
    package static func run(at network: LocalNetwork, milliseconds: Int) -> Outcome {
        let descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
        guard descriptor >= 0 else { return .unknown }
        defer { close(descriptor) }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        let index = Int32(truncatingIfNeeded: if_nametoindex(network.interface))
        guard prepare(descriptor, at: index) else { return .unknown }
        let question = Self.question(numbered: UInt16.random(in: 1...UInt16.max))
        let own = Set(LocalAddresses.current())
        let start = ContinuousClock.now
        var isReturned = false
        for round in 0..<questions {
            if let reason = send(question, on: descriptor) { return .notSent(reason) }
            let end = start + .milliseconds(milliseconds * (round + 1) / questions)
            switch listen(descriptor, until: end, question, from: own) {
            case (_, true): return .received(hearsOthers: true)
            case (let isOwn, false): isReturned = isReturned || isOwn
            }
        }
        return isReturned ? .received(hearsOthers: false) : .notReceived
    }

    /// Listens to the group at one interface, beside the programs that already do so.
    private static func prepare(_ descriptor: Int32, at index: Int32) -> Bool {
        guard var address = SocketName.ipv4(group, port: port) else { return false }
        var membership = ip_mreqn(imr_multiaddr: address.sin_addr, imr_address: in_addr(s_addr: 0), imr_ifindex: index)
        let size = socklen_t(MemoryLayout<ip_mreqn>.size)
        func set(_ level: Int32, _ option: Int32, _ value: Int32) -> Bool {
            var value = value
            return setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<Int32>.size)) == 0
        }
        let isPrepared =
            set(SOL_SOCKET, SO_REUSEADDR, 1) && set(Int32(IPPROTO_IP), IP_MULTICAST_TTL, 255)
            && set(Int32(IPPROTO_IP), IP_MULTICAST_LOOP, 1)
            // Else what comes to other interfaces, for others, is given here too.
            && set(Int32(IPPROTO_IP), IP_MULTICAST_ALL, 0)
            && setsockopt(descriptor, Int32(IPPROTO_IP), IP_MULTICAST_IF, &membership, size) == 0
        guard isPrepared, SocketName.bind(descriptor, &address) else { return false }
        return setsockopt(descriptor, Int32(IPPROTO_IP), IP_ADD_MEMBERSHIP, &membership, size) == 0
    }

    /// Why it was not sent; nil where it was.
    private static func send(_ question: [UInt8], on descriptor: Int32) -> String? {
        guard var address = SocketName.ipv4(group, port: port) else { return "no address" }
        let sent = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                sendto(descriptor, question, question.count, 0, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        return sent == question.count ? nil : String(cString: strerror(errno))
    }

    /// Whether the question came back, and whether somebody else was heard, whichever comes first or the time's end.
    private static func listen(
        _ descriptor: Int32, until end: ContinuousClock.Instant, _ question: [UInt8], from own: Set<String>
    ) -> (isOwn: Bool, isOthers: Bool) {
        var isOwn = false
        var buffer = [UInt8](repeating: 0, count: datagramBytes)
        for _ in 0..<datagramsMax {
            let left = (end - .now).components
            let milliseconds = left.seconds * 1_000 + left.attoseconds / 1_000_000_000_000_000
            guard milliseconds > 0 else { break }
            var interest = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard poll(&interest, 1, Int32(clamping: milliseconds)) > 0 else { continue }
            var source = sockaddr_in()
            var size = socklen_t(MemoryLayout<sockaddr_in>.size)
            let count = withUnsafeMutablePointer(to: &source) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    recvfrom(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT), $0, &size)
                }
            }
            guard count > 0 else { continue }
            guard own.contains(SocketName.text(source)) else { return (isOwn, true) }
            isOwn = isOwn || buffer[..<count].elementsEqual(question)
        }
        return (isOwn, false)
    }

    /// Who is of our type, asked of all. Responders do not look at the number, which tells the question from others' here.
    private static func question(numbered number: UInt16) -> [UInt8] {
        var bytes: [UInt8] = [UInt8(number >> 8), UInt8(number & 0xFF), 0, 0, 0, 1, 0, 0, 0, 0, 0, 0]
        for label in Avahi.serviceType.split(separator: ".") + [Substring(Avahi.domain)] {
            bytes.append(UInt8(label.utf8.count))
            bytes += label.utf8
        }
        return bytes + [0, 0, 12, 0, 1]  // PTR, IN
    }
}

/// IPv4 socket addresses.
enum SocketName {
    static func ipv4(_ host: String, port: UInt16) -> sockaddr_in? {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        return inet_pton(AF_INET, host, &address.sin_addr) == 1 ? address : nil
    }

    static func bind(_ descriptor: Int32, _ address: inout sockaddr_in) -> Bool {
        withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                LibC.bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }

    static func text(_ address: sockaddr_in) -> String {
        let number = UInt32(bigEndian: address.sin_addr.s_addr)
        return [24, 16, 8, 0].map { String(number >> $0 & 0xFF) }.joined(separator: ".")
    }
}
