import Attachments
import ChangeLog
import Convergence
import Testing
import TripSimulation

@testable import SyncEngine

/// The chunks of photos in sessions.
struct ChunkExchangeTests {
    private static let cryptography = FastCryptography()

    private func hash(_ bytes: [UInt8]) -> BlobHash {
        BlobHash(bytes: Self.cryptography.hash(bytes).bytes)!
    }

    /// Chunks of which every tenth is a thumbnail.
    private func chunks(_ count: Int) -> [(hash: BlobHash, bytes: [UInt8], size: PhotoManifest.Size)] {
        (0..<count).map { number in
            let bytes = [UInt8(number & 0xFF), UInt8(number >> 8)] + [UInt8](repeating: 7, count: 60_000)
            return (hash(bytes), bytes, number % 10 == 0 ? .thumbnail : .sharp)
        }
    }

    /// Nodes of which the first has all chunks, and the others want them.
    private func wires(
        _ count: Int, _ chunks: [(hash: BlobHash, bytes: [UInt8], size: PhotoManifest.Size)]
    ) throws -> Wires {
        var wires = try Wires(seed: 3, count: count)
        for chunk in chunks { wires.chunks[0, default: [:]][chunk.hash] = chunk.bytes }
        wires.tell(0, .chunks(.here(chunks.map(\.hash))))
        for node in 1..<count { wires.tell(node, .chunks(.wanted(chunks.map { ($0.hash, $0.size) }))) }
        return wires
    }

    @Test("what is wanted comes from whoever has it, once each, and goes on from there")
    func comes() throws {
        let chunks = chunks(60)
        var wires = try wires(3, chunks)
        wires.connect(1, 0)
        wires.connect(2, 1)
        wires.wait(200)
        for node in 1...2 {
            #expect(wires.stored[node]?.count == 60 && wires.stored[node]?.values.allSatisfy { $0 == 1 } ?? false)
            #expect(wires.chunks[node] == wires.chunks[0])
            #expect(wires.nodes[node].load.chunksWanted == 0)
        }
        #expect(wires.nodes[0].load.chunksSent == 60, "the third has them all from the second")
        #expect(wires.nodes[1].load.chunksSent == 60)
    }

    @Test("a session carries one chunk at a time, so that a change waits for no more")
    func bounded() throws {
        var wires = try wires(2, chunks(60))
        wires.held = [[0, 1]]
        wires.connect(1, 0)
        for _ in 0..<2_000 {
            let isQuiet = wires.bytesUnderWay(from: 0, to: 1) == 0 && wires.bytesUnderWay(from: 1, to: 0) == 0
            if isQuiet, wires.stored[1]?.count == 60 { break }
            #expect(wires.bytesUnderWay(from: 0, to: 1) < 2 * Blob.chunkSize)
            wires.deliverOne()
        }
        #expect(wires.stored[1]?.count == 60)
    }

    @Test("after a cut, and after a start anew, nothing is asked for that came before")
    func resumes() throws {
        let chunks = chunks(60)
        var wires = try wires(2, chunks)
        wires.held = [[0, 1]]
        wires.connect(1, 0)
        while wires.stored[1]?.count ?? 0 < 20 { wires.deliverOne() }
        wires.cut(1)
        wires.held = []
        wires.wait(5_000) { $0.stored[1]?.count == 60 }
        #expect(wires.stored[1]?.values.allSatisfy { $0 == 1 } ?? false && wires.stored[1]?.count == 60)
        #expect(wires.nodes[0].load.chunksSent <= 62, "at most what was under way went twice")
    }

    @Test("thumbnails come first")
    func order() throws {
        let chunks = chunks(60)
        var wires = try wires(2, chunks)
        wires.held = [[0, 1]]
        wires.connect(1, 0)
        while wires.stored[1]?.count ?? 0 < 6 { wires.deliverOne() }
        let thumbnails = Set(chunks.filter { $0.size == .thumbnail }.map(\.hash))
        #expect(Set((wires.stored[1] ?? [:]).keys) == thumbnails)
    }

    @Test("what comes to be here is given to those who lack it, and what nothing refers to any more to nobody")
    func later() throws {
        let chunks = chunks(3)
        var wires = try Wires(seed: 3, count: 2)
        wires.tell(1, .chunks(.wanted(chunks.map { ($0.hash, $0.size) })))
        wires.connect(1, 0)
        wires.deliver()
        #expect(wires.nodes[1].load.chunksWanted == 3)
        for chunk in chunks { wires.chunks[0, default: [:]][chunk.hash] = chunk.bytes }
        wires.tell(0, .chunks(.here(chunks.map(\.hash))))
        wires.tell(0, .chunks(.gone([chunks[2].hash])))
        wires.deliver()
        #expect(Set((wires.stored[1] ?? [:]).keys) == Set(chunks.prefix(2).map(\.hash)))
        #expect(wires.nodes[1].load.chunksWanted == 1)
    }

    @Test("a chunk that a peer's disk had lost is asked of that peer again, once it has the chunk again")
    func regained() throws {
        let chunk = chunks(1)[0]
        var wires = try wires(2, [chunk])
        wires.chunks[0] = [:]
        wires.connect(1, 0)
        wires.deliver()
        #expect(wires.nodes[1].load.chunksWanted == 1 && wires.stored[1] == nil)
        // What nothing refers to for a while is refused without a look at the disk.
        for news in [ChunkNews.here([chunk.hash]), .gone([chunk.hash])] { wires.tell(0, .chunks(news)) }
        wires.deliver()
        #expect(wires.stored[1] == nil)
        wires.chunks[0] = [chunk.hash: chunk.bytes]
        wires.tell(0, .chunks(.here([chunk.hash])))
        wires.deliver()
        #expect(wires.stored[1] == [chunk.hash: 1])
    }

    @Test("a peer that sends other bytes than were asked for is told of, and its session ends")
    func forged() throws {
        let chunks = chunks(1)
        var wires = try wires(2, chunks)
        wires.chunks[0]?[chunks[0].hash] = [1, 2, 3]
        wires.connect(1, 0)
        wires.deliver()
        #expect(wires.stored[1] == nil)
        #expect(wires.notices.contains { if case .misbehaved(.forgedChunk, _) = $0 { true } else { false } })
    }

    @Test("somebody who is not known to be let in is given no chunk, and hears of what it lacks once it is")
    func unproven() throws {
        var generator = SeededGenerator(seed: 1)
        let cryptography = Self.cryptography
        let trip = try FoundedTrip(of: 2, using: &generator, cryptography)
        var full = trip
        let newcomer = try full.letIn(by: trip.people[0], using: &generator)
        let chunk = chunks(1)[0]
        var host = Host(node: trip.node(1))
        _ = host.tell(.chunks(.here([chunk.hash])))
        let epoch = try #require(host.epochCredential)
        var caller = try host.call(0, as: newcomer, under: epoch)
        caller.say(.blob(.lack([chunk.hash])), to: &host)
        let effects = caller.effects(saying: .blob(.ask(chunk.hash)), to: &host)
        #expect(!effects.contains { if case .loadChunk = $0 { true } else { false } })
        #expect(!caller.heard.contains { if case .blob = $0 { true } else { false } })
        _ = caller.hand(full.log.graph.changes.suffix(2).map(\.record), to: &host)
        #expect(caller.heard.contains(.blob(.hold([chunk.hash]))))
        let served = caller.effects(saying: .blob(.ask(chunk.hash)), to: &host)
        #expect(served.contains { if case .loadChunk(chunk.hash, _) = $0 { true } else { false } })
    }
}
