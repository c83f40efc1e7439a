import Console
import Foundation
import LibC
import TripModel
import TripService

/// What an address of the local network answers (HTTP/1.0, RFC 1945): for feeds that somebody nearby serves. Nothing is asked of
/// the internet, nor is anything followed elsewhere.
enum NearbyPage {
    /// How long nothing may come, and how long all of it may take, in seconds.
    static let silenceMax = 10
    static let durationMax = 60
    /// Bytes of an answer's status line and header fields.
    static let headerBytesMax = 32 << 10

    /// The body of what an address answers.
    ///
    /// - Parameters:
    ///   - link: begins with http://.
    ///   - bytesMax: of the body.
    ///   - tooLong: what is said of more.
    static func fetch(_ link: String, bytesMax: Int, tooLong: ServiceError) throws(ServiceError) -> [UInt8] {
        guard let address = URLComponents(string: link), address.scheme?.lowercased() == "http",
            let host = address.host,
            !host.isEmpty, address.user == nil, (1...65_535).contains(address.port ?? 80),
            link.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else {
            throw ServiceError("\(link.displayed(limit: 200)) is not a plain http:// URL; remove a user name from it")
        }
        let deadline = ContinuousClock.now + .seconds(durationMax)
        let descriptor = try connect(host, port: address.port ?? 80)
        defer { close(descriptor) }
        let path =
            (address.percentEncodedPath.isEmpty ? "/" : address.percentEncodedPath)
            + (address.percentEncodedQuery.map { "?" + $0 } ?? "")
        let request = "GET \(path) HTTP/1.0\r\nHost: \(host)\r\nAccept: */*\r\nUser-Agent: caravan\r\n\r\n"
        var rest = Array(request.utf8)[...]
        while !rest.isEmpty {
            try wait(descriptor, for: POLLOUT, until: deadline, host)
            let count = rest.withUnsafeBytes {
                LibC.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            if count < 0, errno == EINTR || errno == EAGAIN { continue }
            guard count > 0 else { throw unreachable(host, errno) }
            rest = rest.dropFirst(count)
        }
        var bytes: [UInt8] = []
        var body: (start: Int, length: Int?)?
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            try wait(descriptor, for: POLLIN, until: deadline, host)
            let count = LibC.read(descriptor, &chunk, chunk.count)
            if count < 0, errno == EINTR || errno == EAGAIN { continue }
            guard count >= 0 else { throw unreachable(host, errno) }
            bytes += chunk[..<count]
            if body == nil { body = try header(of: bytes, host) }
            guard let body else {
                guard count > 0, bytes.count <= headerBytesMax else { throw senseless(host) }
                continue
            }
            guard bytes.count - body.start <= bytesMax, body.length ?? 0 <= bytesMax else { throw tooLong }
            if let length = body.length, bytes.count - body.start >= length {
                return Array(bytes[body.start..<body.start + length])
            }
            guard count > 0 else {
                guard body.length == nil else {
                    throw ServiceError("\(host) closed the connection too early; try again")
                }
                return Array(bytes[body.start...])
            }
        }
    }

    /// Where the body begins and how long it says that it is; nil where the header is not all here.
    private static func header(
        of bytes: [UInt8], _ host: String
    ) throws(ServiceError) -> (start: Int, length: Int?)? {
        let head = bytes.prefix(headerBytesMax)
        var end: Int?
        for start in head.indices where head[start...].starts(with: [0x0D, 0x0A, 0x0D, 0x0A]) {
            end = start
            break
        }
        guard let end else { return nil }
        let lines = String(decoding: head[..<end], as: UTF8.self).split(separator: "\r\n")
        let words = lines.first?.split(separator: " ") ?? []
        guard words.count >= 2, words[0].hasPrefix("HTTP/1."), let status = Int(words[1]) else { throw senseless(host) }
        if (300..<400).contains(status) {
            throw ServiceError("\(host) redirects to another address; give that address")
        }
        guard status == 200 else { throw ServiceError("\(host) answered with HTTP status \(status); check the URL") }
        var length: Int?
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2 else { continue }
            let value = TextClasses.trimmed(String(parts[1]))
            switch parts[0].lowercased() {
            case "content-length":
                guard let count = Int(value), count >= 0 else { throw senseless(host) }
                length = count
            case "transfer-encoding": throw senseless(host)
            default: continue
            }
        }
        return (end + 4, length)
    }

    // MARK: - Where it goes

    /// A connection to the first address of a host that is of this machine or its network: the address that was looked at is
    /// the one that is connected to.
    private static func connect(_ host: String, port: Int) throws(ServiceError) -> Int32 {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var found: UnsafeMutablePointer<addrinfo>?
        let bare = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
        guard getaddrinfo(bare, String(port), &hints, &found) == 0, let found else {
            throw ServiceError("cannot find \(host.displayed(limit: 100)); use its IP address")
        }
        defer { freeaddrinfo(found) }
        var hasNearby = false
        var code = ECONNREFUSED
        var next: UnsafeMutablePointer<addrinfo>? = found
        while let entry = next?.pointee {
            next = entry.ai_next
            guard let address = entry.ai_addr, isNearby(address) else { continue }
            hasNearby = true
            let descriptor = socket(
                entry.ai_family, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
            guard descriptor >= 0 else { continue }
            if LibC.connect(descriptor, address, entry.ai_addrlen) == 0 { return descriptor }
            code = errno
            if code == EINPROGRESS {
                var interest = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                var size = socklen_t(MemoryLayout<Int32>.size)
                code = poll(&interest, 1, Int32(silenceMax * 1_000)) > 0 ? 0 : ETIMEDOUT
                if code == 0 { getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &size) }
                if code == 0 { return descriptor }
            }
            close(descriptor)
        }
        guard hasNearby else {
            throw ServiceError(
                "\(host.displayed(limit: 100)) is not on this network; save the page as a file, and use that"
            )
        }
        throw unreachable(host, code)
    }

    /// Whether an address is loopback, link-local or private (RFC 1918, RFC 3927, RFC 4193), IPv4 within IPv6 too.
    static func isNearby(_ address: UnsafePointer<sockaddr>) -> Bool {
        switch Int32(address.pointee.sa_family) {
        case AF_INET:
            return address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { address in
                isNearby(withUnsafeBytes(of: address.pointee.sin_addr) { Array($0) })
            }
        case AF_INET6:
            return address.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { address in
                isNearby(withUnsafeBytes(of: address.pointee.sin6_addr) { Array($0) })
            }
        default: return false
        }
    }

    static func isNearby(_ bytes: [UInt8]) -> Bool {
        if bytes.count == 16, bytes.starts(with: [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF]) {
            return isNearby(Array(bytes.suffix(4)))
        }
        if bytes.count == 16 {
            return bytes == [UInt8](repeating: 0, count: 15) + [1] || bytes[0] & 0xFE == 0xFC
                || bytes[0] == 0xFE && bytes[1] & 0xC0 == 0x80
        }
        guard bytes.count == 4 else { return false }
        switch (bytes[0], bytes[1]) {
        case (127, _), (10, _), (192, 168), (169, 254), (172, 16...31): return true
        default: return false
        }
    }

    private static func wait(
        _ descriptor: Int32, for events: Int32, until deadline: ContinuousClock.Instant, _ host: String
    ) throws(ServiceError) {
        while true {
            guard ContinuousClock.now < deadline else {
                throw ServiceError("\(host) took longer than \(durationMax) s; nothing was changed")
            }
            var interest = pollfd(fd: descriptor, events: Int16(events), revents: 0)
            let ready = poll(&interest, 1, Int32(silenceMax * 1_000))
            if ready > 0 { return }
            guard ready < 0, errno == EINTR else {
                throw ServiceError("no answer from \(host) for \(silenceMax) s; nothing was changed")
            }
        }
    }

    private static func unreachable(_ host: String, _ code: Int32) -> ServiceError {
        ServiceError("cannot reach \(host.displayed(limit: 100)): \(Output.reason(code))")
    }

    private static func senseless(_ host: String) -> ServiceError {
        ServiceError("\(host.displayed(limit: 100)) sent an invalid HTTP response; check the URL")
    }
}
