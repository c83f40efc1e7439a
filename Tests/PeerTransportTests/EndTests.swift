import LibC
import PeerTransport
import SyncEngine
import Testing

@Suite struct EndTests {
    @Test func aResetEndsOneConnectionOnce() async throws {
        let node = Node()
        let port = try await node.transport.listen()
        for round in 0..<50 {
            let raw = RawSocket()
            let before = node.log.events.accepted.count
            #expect(raw.connect(port: port))
            if round % 2 == 0 { #expect(raw.send([1])) }
            // Some are reset in the middle, others before they are accepted, if ever.
            if round % 4 < 2 { #expect(await node.log.wait { $0.accepted.count > before }) }
            raw.resetOnClose()
            raw.close()
        }
        #expect(await node.log.wait { $0.accepted.count == $0.ended.count && $0.accepted.count >= 25 })
        let raw = RawSocket()
        #expect(raw.connect(port: port))
        #expect(raw.send([42]))
        #expect(await node.log.wait { $0.contains { if case .received(_, [42]) = $0 { true } else { false } } })
        raw.close()
        await node.transport.stop()
        #expect(node.log.events.disorder == nil)
        #expect(node.log.events.accepted.count == node.log.events.ended.count)
    }

    @Test func aPeerThatNeverReadsIsCutAndOthersAreServed() async throws {
        var limits = TCPTransport.Limits.default
        limits.maximumUnsentBytes = 1 << 20
        let node = Node(limits)
        let port = try await node.transport.listen()
        let deaf = RawSocket()
        #expect(deaf.connect(port: port))
        #expect(await node.log.wait { !$0.accepted.isEmpty })
        let id = node.log.events.accepted[0]
        // The system takes a few megabytes of its own before anything waits here.
        let bytes = pattern(100_000)
        var sent = 0
        while !node.log.events.contains(.closed(id)), sent < 1_000_000_000 {
            node.transport.send(bytes, on: id)
            sent += bytes.count
        }
        #expect(await node.log.wait { $0.contains(.closed(id)) })
        #expect(node.transport.counters.overflowed == 1)
        #expect(node.transport.counters.accepted == 1)

        let other = RawSocket()
        #expect(other.connect(port: port))
        #expect(await node.log.wait { $0.accepted.count == 2 })
        node.transport.send([5], on: node.log.events.accepted[1])
        #expect(other.receive(1) == [5])
        await node.transport.stop()
        #expect(node.log.events.disorder == nil)
        deaf.close()
        other.close()
    }

    @Test func aCloseIsBoundedInTime() async throws {
        var limits = TCPTransport.Limits.default
        limits.closeTimeout = .milliseconds(100)
        let node = Node(limits)
        let port = try await node.transport.listen()
        let deaf = RawSocket()
        #expect(deaf.connect(port: port))
        #expect(await node.log.wait { !$0.accepted.isEmpty })
        let id = node.log.events.accepted[0]
        #expect(deaf.send([0]))
        #expect(await node.log.wait { $0.byteCount(on: id) == 1 })
        node.transport.send(pattern(8_000_000), on: id)
        let began = ContinuousClock.now
        node.transport.close(id)
        #expect(await node.log.wait { $0.contains(.closed(id)) })
        #expect(ContinuousClock.now - began >= .milliseconds(100))

        // The other side has read everything, and never ends its stream.
        let idle = RawSocket()
        #expect(idle.connect(port: port))
        #expect(await node.log.wait { $0.accepted.count == 2 })
        await node.transport.stop()
        #expect(node.log.events.ended.count == 2)
        #expect(node.log.events.disorder == nil)
        deaf.close()
        idle.close()
    }

    @Test func aDialThatCannotSucceedIsRefused() async throws {
        var limits = TCPTransport.Limits.default
        limits.connectTimeout = .milliseconds(300)
        limits.dialledConnections = 20
        let node = Node(limits)
        let unused = RawSocket()
        let port = try #require(unused.listen(backlog: 0))
        // A full accept queue drops what comes: nobody answers.
        let filling = (0..<3).map { _ in socketConnecting(to: port) }
        defer { for descriptor in filling { LibC.close(descriptor) } }
        let closedPort: UInt16
        do {
            let closing = RawSocket()
            closedPort = try #require(closing.listen(backlog: 1))
            closing.close()
        }
        let targets = [
            PeerAddress(host: "127.0.0.1", port: closedPort), PeerAddress(host: "::1", port: closedPort),
            PeerAddress(host: "127.0.0.1", port: 0), PeerAddress(host: "localhost", port: 1),
            PeerAddress(host: "", port: 1), PeerAddress(host: "fe80::1", port: 1),
            PeerAddress(host: "fe80::1%no-such-interface", port: 1), PeerAddress(host: "127.0.0.1%lo", port: 1),
            PeerAddress(host: "127.0.0.1", port: port),
        ]
        for (index, target) in targets.enumerated() {
            node.transport.dial(target, as: ConnectionID(rawValue: UInt64(index * 2)))
        }
        #expect(await node.log.wait { $0.count == targets.count })
        for (index, target) in targets.enumerated() {
            let id = ConnectionID(rawValue: UInt64(index * 2))
            let reasons = node.log.events.compactMap { event in
                if case .refused(id, let reason) = event { reason } else { nil }
            }
            #expect(reasons.count == 1 && !reasons[0].isEmpty, "\(target): \(node.log.events)")
        }
        #expect(node.log.events.last == .refused(ConnectionID(rawValue: 16), reason: "no answer"))

        // Closed before it is open: one end, and no other.
        let late = ConnectionID(rawValue: 100)
        node.transport.dial(PeerAddress(host: "127.0.0.1", port: port), as: late)
        node.transport.close(late)
        // More dials than the bound.
        for index in 0..<21 {
            node.transport.dial(
                PeerAddress(host: "127.0.0.1", port: port), as: ConnectionID(rawValue: UInt64(200 + 2 * index)))
        }
        #expect(await node.log.wait { $0.contains { $0.reason(ofRefusing: 240) == "too many connections" } })
        await node.transport.stop()
        #expect(node.log.events.disorder == nil)
        #expect(node.log.events.ended.count == targets.count + 22)
        #expect(node.log.events.contains { $0.reason(ofRefusing: 100) != nil })
        unused.close()
    }

    @Test func stopEndsEverythingAndNothingFollows() async throws {
        let node = Node()
        let other = Node()
        let port = try await node.transport.listen()
        other.transport.dial(PeerAddress(host: "127.0.0.1", port: port), as: first)
        #expect(await node.log.wait { !$0.accepted.isEmpty })
        #expect(await other.log.wait { !$0.isEmpty })
        other.transport.send([1, 2, 3], on: first)
        await other.transport.stop()
        #expect(other.log.events == [.connected(first), .closed(first)])
        let id = node.log.events.accepted[0]
        #expect(await node.log.wait { $0.contains(.closed(id)) })
        #expect(node.log.events.bytes(on: id) == [1, 2, 3])

        other.transport.dial(PeerAddress(host: "127.0.0.1", port: port), as: ConnectionID(rawValue: 4))
        other.transport.send([1], on: first)
        other.transport.close(first)
        await other.transport.stop()
        await #expect(throws: TransportError.self) { try await other.transport.listen() }
        #expect(other.log.events.count == 2)
        await node.transport.stop()
    }
}

extension TransportEvent {
    func reason(ofRefusing number: UInt64) -> String? {
        if case .refused(ConnectionID(rawValue: number), let reason) = self { reason } else { nil }
    }
}

/// A descriptor whose connection is begun and perhaps never completed.
private func socketConnecting(to port: UInt16) -> CInt {
    let descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue), 0)
    connectToLoopback(descriptor, port: port)
    return descriptor
}
