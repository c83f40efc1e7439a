import PeerTransport
import SyncEngine
import Testing

@Suite struct KnockTests {
    /// Whoever knocked, was told nothing and does not go holds no place: the bound on connections is for others.
    @Test func aConnectionOnWhichNothingWasSaidIsGoneAtOnce() async throws {
        var limits = TCPTransport.Limits.default
        limits.acceptedPerLoopbackAddress = 4
        limits.closeTimeout = .seconds(30)
        let node = Node(limits)
        let port = try await node.transport.listen()
        var sockets: [RawSocket] = []
        for round in 1...12 {
            let raw = RawSocket()
            sockets.append(raw)
            #expect(raw.connect(port: port))
            #expect(raw.send([1, 2, 3]))
            #expect(await node.log.wait { $0.accepted.count == round })
            node.transport.close(node.log.events.accepted[round - 1])
            #expect(await node.log.wait { $0.ended.count == round })
        }
        #expect(node.transport.counters.overLimit == 0)
        for raw in sockets { raw.close() }
        await node.transport.stop()
    }

    /// Where something was said, it is handed over first, and the other side may take its time.
    @Test func whatWasSaidArrives() async throws {
        let node = Node()
        let port = try await node.transport.listen()
        let raw = RawSocket()
        #expect(raw.connect(port: port))
        #expect(await node.log.wait { !$0.accepted.isEmpty })
        let id = node.log.events.accepted[0]
        node.transport.send([9, 8, 7], on: id)
        node.transport.close(id)
        #expect(raw.receive(10) == [9, 8, 7])
        raw.close()
        await node.transport.stop()
    }
}
