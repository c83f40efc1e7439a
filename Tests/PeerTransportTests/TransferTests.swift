import LibC
import PeerTransport
import SyncEngine
import Testing

/// A transport and what it says.
struct Node {
    let log = EventLog()
    let transport: TCPTransport

    init(_ limits: TCPTransport.Limits = .default) {
        transport = TCPTransport(limits: limits) { [log] in log.append($0) }
    }
}

let first = ConnectionID(rawValue: 2)

/// Limits under which more can be queued than the system takes.
private let large = {
    var limits = TCPTransport.Limits.default
    limits.maximumUnsentBytes = 64 << 20
    limits.closeTimeout = .seconds(10)
    return limits
}()

/// Bytes whose order can be told. The period is odd, so that no two reads fall on it alike.
func pattern(_ count: Int, seed: UInt32 = 1) -> [UInt8] {
    var state = seed
    let period: [UInt8] = (0..<65_521).map { _ in
        state = state &* 1_664_525 &+ 1_013_904_223
        return UInt8(state >> 24)
    }
    var bytes: [UInt8] = []
    while bytes.count < count { bytes += period }
    return Array(bytes[..<count])
}

@Suite struct TransferTests {
    @Test func bytesArriveWholeAndInOrderBothWays() async throws {
        let answering = Node()
        let port = try await answering.transport.listen()
        #expect(port != 0)
        for (round, host) in ["127.0.0.1", "::1"].enumerated() {
            let dialling = Node()
            dialling.transport.dial(PeerAddress(host: host, port: port), as: first)
            let theirs = ConnectionID(rawValue: UInt64(2 * round + 1))
            #expect(await dialling.log.wait { $0.contains(.connected(first)) })
            #expect(
                await answering.log.wait {
                    $0.contains(.accepted(theirs, at: PeerAddress(host: host, port: port), from: host))
                })
            let there = pattern(3_000_000, seed: 1)
            let back = pattern(3_000_000, seed: 2)
            for start in stride(from: 0, to: there.count, by: 50_000) {
                dialling.transport.send(Array(there[start..<start + 50_000]), on: first)
                answering.transport.send(Array(back[start..<start + 50_000]), on: theirs)
            }
            #expect(await answering.log.wait { $0.byteCount(on: theirs) >= there.count })
            #expect(await dialling.log.wait { $0.byteCount(on: first) >= back.count })
            #expect(answering.log.events.bytes(on: theirs) == there)
            #expect(dialling.log.events.bytes(on: first) == back)

            dialling.transport.close(first)
            #expect(await dialling.log.wait { $0.contains(.closed(first)) })
            #expect(await answering.log.wait { $0.contains(.closed(theirs)) })
            #expect(dialling.log.events.disorder == nil)
            await dialling.transport.stop()
        }
        await answering.transport.stop()
        #expect(answering.log.events.disorder == nil)
        #expect(answering.transport.counters.accepted == 2)
    }

    @Test func anIPv4OnlySocketReachesTheDualStackListener() async throws {
        let node = Node()
        let port = try await node.transport.listen()
        for family in [AF_INET, AF_INET6] {
            let raw = RawSocket(family: family)
            #expect(raw.connect(port: port, family: family))
            let host = family == AF_INET ? "127.0.0.1" : "::1"
            #expect(await node.log.wait { $0.acceptedAt.map(\.host).contains(host) })
            raw.close()
        }
        await node.transport.stop()
    }

    @Test func whatIsQueuedBeforeACloseArrives() async throws {
        let node = Node(large)
        let port = try await node.transport.listen()
        // A narrow window: what is sent waits in the sender's system, where a reset would drop it.
        let raw = RawSocket(receiveBuffer: 8_192)
        #expect(raw.connect(port: port))
        #expect(await node.log.wait { !$0.accepted.isEmpty })
        let id = node.log.events.accepted[0]
        #expect(raw.send([0]))
        #expect(await node.log.wait { $0.byteCount(on: id) == 1 })
        let bytes = pattern(10_000_000)
        node.transport.send(bytes, on: id)
        node.transport.close(id)
        node.transport.send([1], on: id)
        // Once the middle is here the close was asked for. What comes now must neither be delivered nor turn the close
        // into a reset.
        var read: [UInt8] = []
        for rest in [bytes.count / 2, 60_000, 40_000, 20_000, 0] {
            read += try #require(raw.receive(bytes.count - rest - read.count))
            #expect(raw.send([9, 9, 9]))
        }
        #expect(read == bytes)
        raw.close()
        #expect(await node.log.wait { $0.contains(.closed(id)) })
        #expect(node.log.events.byteCount(on: id) == 1)
        #expect(node.log.events.disorder == nil)
        await node.transport.stop()
    }

    @Test func aHalfClosedPeerStillGetsWhatWasQueued() async throws {
        let node = Node(large)
        let port = try await node.transport.listen()
        let raw = RawSocket()
        #expect(raw.connect(port: port))
        #expect(raw.send([1, 2, 3]))
        #expect(await node.log.wait { $0.accepted.count == 1 && $0.bytes(on: $0.accepted[0]) == [1, 2, 3] })
        let id = node.log.events.accepted[0]
        let bytes = pattern(40_000_000)
        node.transport.send(bytes, on: id)
        var read = try #require(raw.receive(1))
        raw.endOutput()
        read += try #require(raw.receive(bytes.count))
        #expect(read == bytes)
        #expect(await node.log.wait { $0.contains(.closed(id)) })
        raw.close()
        await node.transport.stop()
    }

    @Test func twoSidesThatCloseInTheMiddleOfMuchDoNotWaitForTheDeadline() async throws {
        var limits = large
        limits.closeTimeout = .seconds(8)
        let node = Node(limits)
        let sender = Node(limits)
        let port = try await node.transport.listen()
        sender.transport.dial(PeerAddress(host: "127.0.0.1", port: port), as: first)
        #expect(await node.log.wait { !$0.accepted.isEmpty })
        let id = node.log.events.accepted[0]
        node.transport.setReading(false, for: id)
        let began = ContinuousClock.now
        sender.transport.send(pattern(20_000_000), on: first)
        sender.transport.close(first)
        node.transport.close(id)
        #expect(await sender.log.wait { $0.contains(.closed(first)) })
        #expect(await node.log.wait { $0.contains(.closed(id)) })
        #expect(ContinuousClock.now - began < .seconds(7))
        await sender.transport.stop()
        await node.transport.stop()
    }

    @Test func readingCanBeSetOffAndOn() async throws {
        var limits = large
        limits.receiveBufferBytes = 64 << 10
        let node = Node(limits)
        let sender = Node(limits)
        let port = try await node.transport.listen()
        sender.transport.dial(PeerAddress(host: "127.0.0.1", port: port), as: first)
        #expect(await node.log.wait { !$0.accepted.isEmpty })
        let id = node.log.events.accepted[0]
        node.transport.setReading(false, for: id)
        // A second connection proves that the request took effect and that the loop goes on.
        sender.transport.dial(PeerAddress(host: "127.0.0.1", port: port), as: ConnectionID(rawValue: 4))
        #expect(await node.log.wait { $0.accepted.count == 2 })
        let before = node.log.events.byteCount(on: id)
        let bytes = pattern(20_000_000)
        sender.transport.send(bytes, on: first)
        sender.transport.send([7], on: ConnectionID(rawValue: 4))
        #expect(await node.log.wait { $0.bytes(on: $0.accepted[1]) == [7] })
        #expect(node.log.events.byteCount(on: id) == before)
        node.transport.setReading(true, for: id)
        #expect(await node.log.wait { $0.byteCount(on: id) == bytes.count })
        #expect(node.log.events.bytes(on: id) == bytes)
        await sender.transport.stop()
        await node.transport.stop()
    }
}
