import Attachments
import DeltaCRDT
import Testing

struct BlobMessageTests {
    private let messages: [BlobMessage] = [
        .lack([]), .lack([hash([1]), hash([2])]), .hold([hash([3])]), .ask(hash([4])), .chunk(hash([5]), []),
        .chunk(hash([6]), bytes(Blob.chunkSize, seed: 1)),
    ]

    @Test("a message is read back as it was written, also where its body has grown at its end")
    func roundTrip() throws {
        for message in messages {
            #expect(try BlobMessage(message.kind, body: message.body) == message)
            #expect(try BlobMessage(message.kind, body: message.body + [1, 2]) == message)
        }
    }

    @Test("a body that is cut is refused")
    func cut() {
        for message in messages {
            for count in 0..<min(message.body.count, 100) {
                #expect(throws: DecodingFailure.self) {
                    try BlobMessage(message.kind, body: Array(message.body[..<count]))
                }
            }
        }
    }

    @Test("lists and chunks beyond the bounds are refused before they are read")
    func bounds() throws {
        var list = CanonicalEncoder()
        list.encode(count: ChunkExchangeLimits.namesPerMessage + 1)
        var chunk = CanonicalEncoder()
        chunk.encode(fixed: hash([1]).bytes)
        chunk.encode(count: Blob.chunkSize + 1)
        let rest = [UInt8](repeating: 0, count: 32 * (ChunkExchangeLimits.namesPerMessage + 1))
        for (kind, body) in [
            (BlobMessage.Kind.lack, list.bytes + rest), (.hold, list.bytes + rest), (.chunk, chunk.bytes + rest),
        ] {
            #expect(throws: DecodingFailure.tooLarge) { try BlobMessage(kind, body: body) }
        }
    }
}

struct ChunkSupplyTests {
    @Test("a peer is told of what it lacks when that is here, and of nothing else")
    func supply() {
        var supply = ChunkSupply<Int>()
        for peer in 0..<2 { supply.joined(peer) }
        let (here, later, other) = (hash([1]), hash([2]), hash([3]))
        #expect(supply.lacked([here, later], by: 0) { $0 == here } == [.send(.hold([here]), to: 0)])
        #expect(supply.stored([later]) == [.send(.hold([later]), to: 0)])
        #expect(supply.stored([later]).isEmpty && supply.stored([other]).isEmpty)
        supply.left(0)
        #expect(supply.lacked([here], by: 0) { _ in true }.isEmpty)
    }

    @Test("a peer is sent a bounded number of chunks at once")
    func bounded() {
        var supply = ChunkSupply<Int>()
        supply.joined(0)
        let chunks = (0..<20 as Range<UInt8>).map { hash([$0]) }
        #expect(chunks.flatMap { supply.asked($0, by: 0) }.count == ChunkExchangeLimits.servesPerPeer)
        #expect(supply.asked(chunks[0], by: 0).isEmpty, "once each")
        supply.sent(chunks[0], to: 0)
        #expect(supply.asked(chunks[9], by: 0) == [.load(chunks[9], for: 0)])
        #expect(supply.asked(chunks[0], by: 1).isEmpty, "nobody who is not here")
    }

    @Test("who may have nothing yet is answered nothing, and once they may, hears of what they said that they lack")
    func admission() {
        var supply = ChunkSupply<Int>()
        supply.joined(0, isServed: false)
        let (here, later, other) = (hash([1]), hash([2]), hash([3]))
        #expect(supply.lacked([here, later], by: 0) { $0 == here }.isEmpty)
        #expect(supply.asked(here, by: 0).isEmpty)
        #expect(supply.stored([later]).isEmpty)
        #expect(supply.admitted(0) { $0 != other } == [.send(.hold([here, later].sorted()), to: 0)])
        #expect(supply.admitted(0) { _ in true }.isEmpty, "once")
        #expect(supply.asked(here, by: 0) == [.load(here, for: 0)])
    }
}
