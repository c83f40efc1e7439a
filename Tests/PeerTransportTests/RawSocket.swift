import LibC

/// A blocking TCP socket, for a peer that misbehaves in ways a transport does not. Every call gives up after ten seconds.
///
/// Not closed before `close` is called.
final class RawSocket: Sendable {
    let descriptor: CInt

    init(family: CInt = AF_INET, receiveBuffer: CInt? = nil) {
        descriptor = socket(family, CInt(SOCK_STREAM.rawValue), 0)
        var patience = timeval(tv_sec: 10, tv_usec: 0)
        let size = socklen_t(MemoryLayout<timeval>.size)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, size)
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &patience, size)
        if var receiveBuffer {
            setsockopt(
                descriptor, SOL_SOCKET, SO_RCVBUF, &receiveBuffer, socklen_t(MemoryLayout<CInt>.size))
        }
    }

    func close() { LibC.close(descriptor) }

    /// Connects to this machine: 127.0.0.1, or ::1 for an IPv6 socket.
    func connect(port: UInt16, family: CInt = AF_INET) -> Bool {
        connectToLoopback(descriptor, port: port, family: family)
    }

    func listen(backlog: CInt) -> UInt16? {
        guard withLoopback(port: 0, family: AF_INET, { bind(descriptor, $0, $1) }) == 0,
            LibC.listen(descriptor, backlog) == 0
        else { return nil }
        return localPort(of: descriptor)
    }

    func send(_ bytes: [UInt8]) -> Bool {
        LibC.send(descriptor, bytes, bytes.count, CInt(MSG_NOSIGNAL)) == bytes.count
    }

    /// Reads up to `count` bytes, fewer where the stream ends. Nil on an error, a reset for one.
    func receive(_ count: Int) -> [UInt8]? {
        var all: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while all.count < count {
            let size = recv(descriptor, &chunk, min(chunk.count, count - all.count), 0)
            if size < 0 { return nil }
            if size == 0 { break }
            all += chunk[..<size]
        }
        return all
    }

    func endOutput() { shutdown(descriptor, CInt(SHUT_WR)) }

    /// Makes the coming close a reset.
    func resetOnClose() {
        var option = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
    }
}

/// Connects a descriptor to this machine: 127.0.0.1, or ::1 for an IPv6 socket. True when it is connected.
@discardableResult
func connectToLoopback(_ descriptor: CInt, port: UInt16, family: CInt = AF_INET) -> Bool {
    withLoopback(port: port, family: family) { connect(descriptor, $0, $1) == 0 }
}

private func withLoopback<R>(
    port: UInt16, family: CInt, _ body: (UnsafePointer<sockaddr>, socklen_t) -> R
) -> R {
    // The family in the machine's order, the port in the network's, and the address at its offset in sockaddr_in (4)
    // or sockaddr_in6 (8).
    var bytes = [UInt8](repeating: 0, count: 28)
    withUnsafeBytes(of: sa_family_t(family)) { bytes.replaceSubrange(0..<2, with: $0) }
    withUnsafeBytes(of: port.bigEndian) { bytes.replaceSubrange(2..<4, with: $0) }
    if family == AF_INET6 { bytes[23] = 1 } else { bytes.replaceSubrange(4..<8, with: [127, 0, 0, 1]) }
    let size = socklen_t(family == AF_INET6 ? 28 : 16)
    return bytes.withUnsafeBytes { body($0.baseAddress!.assumingMemoryBound(to: sockaddr.self), size) }
}

/// The port that a socket of this process is bound to, or nil.
func localPort(of descriptor: CInt) -> UInt16? {
    var bytes = [UInt8](repeating: 0, count: 28)
    var size = socklen_t(bytes.count)
    let result = bytes.withUnsafeMutableBytes {
        getsockname(descriptor, $0.baseAddress!.assumingMemoryBound(to: sockaddr.self), &size)
    }
    guard result == 0, size >= 4, [AF_INET, AF_INET6].contains(CInt(bytes[0])) else { return nil }
    return UInt16(bytes[2]) << 8 | UInt16(bytes[3])
}

/// The listening socket of this process on a port.
func listeningDescriptor(port: UInt16) -> CInt? {
    (3..<1024).first { descriptor in
        var isListening: CInt = 0
        var size = socklen_t(MemoryLayout<CInt>.size)
        return getsockopt(descriptor, SOL_SOCKET, SO_ACCEPTCONN, &isListening, &size) == 0 && isListening == 1
            && localPort(of: descriptor) == port
    }
}
