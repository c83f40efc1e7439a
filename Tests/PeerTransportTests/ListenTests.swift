import LibC
import PeerTransport
import SyncEngine
import Testing

@Suite struct ListenTests {
    @Test func aFloodIsBoundedAndPasses() async throws {
        var limits = TCPTransport.Limits.default
        limits.acceptedConnections = 30
        limits.acceptedPerLoopbackAddress = 20
        let node = Node(limits)
        let port = try await node.transport.listen()
        // 20 of IPv4's loopback are kept, then 10 of IPv6's fill the whole.
        let v4 = (0..<150).map { _ in connectedDescriptor(port: port, family: AF_INET) }
        #expect(await node.log.wait { $0.accepted.count == 20 })
        let v6 = (0..<150).map { _ in connectedDescriptor(port: port, family: AF_INET6) }
        // A dial completes before it is accepted: wait until each of them is either kept or cut.
        let transport = node.transport
        let cut = (v4[20...] + v6[10...]).filter(isAtEnd)
        #expect(cut.count == 270)
        #expect(await node.log.wait { $0.accepted.count == 30 })
        #expect(transport.counters.accepted == 30)
        #expect(transport.counters.overLimit == 270)

        for descriptor in v4 + v6 { LibC.close(descriptor) }
        #expect(await node.log.wait { $0.ended.count == 30 })
        let late = RawSocket()
        #expect(late.connect(port: port))
        #expect(late.send([1]))
        #expect(await node.log.wait { $0.accepted.count == 31 && $0.bytes(on: $0.accepted[30]) == [1] })
        late.close()
        await node.transport.stop()
        #expect(node.log.events.disorder == nil)
        #expect(node.log.events.accepted == (0..<31).map { ConnectionID(rawValue: 2 * $0 + 1) })
    }

    @Test("a transport that listens again accepts at both ports for a while, and open connections stay")
    func listensAnew() async throws {
        var limits = TCPTransport.Limits.default
        limits.lingeringListeners = 2
        let node = Node(limits)
        var ports = [try await node.transport.listen()]
        let early = RawSocket()
        #expect(early.connect(port: ports[0]))
        #expect(await node.log.wait { $0.accepted.count == 1 })
        for _ in 0..<2 { ports.append(try await node.transport.listenAnew(lingering: .seconds(600))) }
        #expect(Set(ports).count == 3)
        let others = ports.map { _ in RawSocket() }
        for (socket, port) in zip(others, ports) { #expect(socket.connect(port: port)) }
        #expect(await node.log.wait { $0.accepted.count == 4 })
        #expect(early.send([7]))
        #expect(await node.log.wait { $0.bytes(on: $0.accepted[0]) == [7] })
        // Of those that linger the oldest gives way.
        ports.append(try await node.transport.listenAnew(lingering: .seconds(600)))
        let late = RawSocket()
        #expect(!late.connect(port: ports[0]))
        for socket in others + [early, late] { socket.close() }
        await node.transport.stop()
        #expect(node.log.events.disorder == nil)
    }

    /// Who comes from elsewhere has fewer places than a whole group on this machine, and takes none of anybody else's.
    @Test(.enabled(if: ownAddress() != nil, "a machine without an address has no other than loopback to come from"))
    func oneAddressHasFewPlacesAndLeavesOthersTheirs() async throws {
        let address = try #require(ownAddress())
        var limits = TCPTransport.Limits.default
        limits.acceptedPerAddress = 3
        limits.acceptedPerLoopbackAddress = 20
        let node = Node(limits)
        let port = try await node.transport.listen()
        let near = (0..<8).map { _ in connectedDescriptor(port: port, to: address) }
        #expect(near[3...].filter(isAtEnd).count == 5)
        #expect(await node.log.wait { $0.accepted.count == 3 })
        #expect(node.transport.counters.overLimit == 5)
        let loopback = (0..<8).map { _ in connectedDescriptor(port: port, family: AF_INET) }
        #expect(await node.log.wait { $0.accepted.count == 11 })
        #expect(node.transport.counters.overLimit == 5)
        // A place that is left is another's.
        LibC.close(near[0])
        #expect(await node.log.wait { $0.ended.count == 1 })
        let late = connectedDescriptor(port: port, to: address)
        #expect(await node.log.wait { $0.accepted.count == 12 })
        for descriptor in near[1...] + loopback + [late] { LibC.close(descriptor) }
        await node.transport.stop()
        #expect(node.log.events.disorder == nil)
    }

    @Test func aTakenPortIsAnErrorAndAnotherCanBeTried() async throws {
        let node = Node()
        let other = Node()
        let port = try await node.transport.listen()
        let taken = await #expect(throws: TransportError.self) { try await other.transport.listen(port: port) }
        #expect(taken?.code == .addressInUse)
        #expect(taken?.message.contains("\(port)") == true)
        #expect(try await other.transport.listen() != port)
        let twice = await #expect(throws: TransportError.self) { try await other.transport.listen() }
        #expect(twice?.code == .alreadyListening)
        await node.transport.stop()
        await other.transport.stop()
    }

    @Test func aListenerThatTheSystemEndsListensAgain() async throws {
        var limits = TCPTransport.Limits.default
        limits.relistenDelay = .milliseconds(10)
        let node = Node(limits)
        let port = try await node.transport.listen()
        let descriptor = try #require(listeningDescriptor(port: port))
        shutdown(descriptor, CInt(SHUT_RDWR))
        var isServed = false
        // Until it listens again, a connection is refused at once.
        let patience = ContinuousClock.now + .seconds(10)
        while !isServed, ContinuousClock.now < patience {
            let raw = RawSocket()
            isServed = raw.connect(port: port) && node.transport.counters.relistened == 1
            raw.close()
        }
        #expect(isServed)
        #expect(await node.log.wait { !$0.accepted.isEmpty })
        await node.transport.stop()
    }

    @Test func runningOutOfDescriptorsEndsNothing() async {
        await #expect(processExitsWith: .success) {
            let node = Node()
            let port = try await node.transport.listen()
            let waiting = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
            let last = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
            var limit = rlimit(rlim_cur: 256, rlim_max: 256)
            setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            var filler: [CInt] = []
            while case let descriptor = dup(0), descriptor >= 0 { filler.append(descriptor) }
            connectToLoopback(waiting, port: port)
            send(waiting, [7], 1, 0)
            // A dial needs a descriptor too: refused, with the reason.
            node.transport.dial(PeerAddress(host: "127.0.0.1", port: port), as: first)
            guard await node.log.wait(until: { $0.contains { $0.reason(ofRefusing: 2) != nil } }),
                node.log.events.accepted.isEmpty
            else { exit(2) }
            for descriptor in filler { LibC.close(descriptor) }
            connectToLoopback(last, port: port)
            guard await node.log.wait(until: { $0.accepted.count == 2 && $0.contains(.received($0.accepted[0], [7])) })
            else { exit(3) }
            await node.transport.stop()
        }
    }
}

/// One whose reads wait for so long.
private func patientDescriptor(family: CInt) -> CInt {
    let descriptor = socket(family, CInt(SOCK_STREAM.rawValue), 0)
    var patience = timeval(tv_sec: 10, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    return descriptor
}

/// A descriptor connected to this machine. A struct that closes itself cannot stand in an array.
private func connectedDescriptor(port: UInt16, family: CInt) -> CInt {
    let descriptor = patientDescriptor(family: family)
    connectToLoopback(descriptor, port: port, family: family)
    return descriptor
}

/// The same, by an address of this machine's own, from which it then comes.
private func connectedDescriptor(port: UInt16, to address: in_addr) -> CInt {
    let descriptor = patientDescriptor(family: AF_INET)
    var target = sockaddr_in()
    target.sin_family = sa_family_t(AF_INET)
    target.sin_port = port.bigEndian
    target.sin_addr = address
    withUnsafeBytes(of: &target) {
        _ = connect(descriptor, $0.assumingMemoryBound(to: sockaddr.self).baseAddress, socklen_t($0.count))
    }
    return descriptor
}

/// An IPv4 address of this machine that is not loopback's.
private func ownAddress() -> in_addr? {
    var list: UnsafeMutablePointer<ifaddrs>?
    guard getifaddrs(&list) == 0 else { return nil }
    defer { freeifaddrs(list) }
    for entry in sequence(first: list, next: { $0?.pointee.ifa_next }) {
        guard let interface = entry?.pointee, let address = interface.ifa_addr,
            interface.ifa_flags & UInt32(IFF_UP) != 0, interface.ifa_flags & UInt32(IFF_LOOPBACK) == 0,
            CInt(address.pointee.sa_family) == AF_INET
        else { continue }
        return address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { $0.pointee.sin_addr }
    }
    return nil
}

private func isAtEnd(_ descriptor: CInt) -> Bool {
    var byte: UInt8 = 0
    let size = recv(descriptor, &byte, 1, 0)
    return size == 0 || (size < 0 && errno != EAGAIN)
}
