import PeerTransport
import SyncEngine
import Testing

@Suite struct KnockTests {
    /// The bound on connections is for others.
    @Test("a connection that was greeted and got no answer ends at once, no matter which peer is at its other end")
    func unanswered() async throws {
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
            #expect(await node.log.wait { $0.accepted.count == round })
            let id = node.log.events.accepted[round - 1]
            node.transport.send([9, 8, 7], on: id)
            #expect(raw.receive(3) == [9, 8, 7])
            if round.isMultiple(of: 2) {
                #expect(raw.send([1, 2, 3]))
                #expect(await node.log.wait { $0.byteCount(on: id) == 3 })
            }
            node.transport.close(id)
            #expect(await node.log.wait { $0.ended.count == round })
        }
        #expect(node.transport.counters.overLimit == 0)
        for raw in sockets { raw.close() }
        await node.transport.stop()
    }

    /// It is handed over first, and the other side may take its time.
    @Test("an answer arrives though its connection was closed behind it")
    func answered() async throws {
        let node = Node()
        let port = try await node.transport.listen()
        let raw = RawSocket()
        #expect(raw.connect(port: port))
        #expect(await node.log.wait { !$0.accepted.isEmpty })
        let id = node.log.events.accepted[0]
        #expect(raw.send([1, 2, 3]))
        #expect(await node.log.wait { $0.byteCount(on: id) == 3 })
        node.transport.send([9, 8, 7], on: id)
        node.transport.close(id)
        #expect(raw.receive(10) == [9, 8, 7])
        raw.close()
        await node.transport.stop()
    }
}
