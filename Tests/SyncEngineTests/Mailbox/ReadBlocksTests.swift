import ChangeLog
import Convergence
import DeltaCRDT
import Testing
import TripSimulation

@testable import SyncEngine

/// A start fetches no block of a mailbox that an earlier run read, and loses nothing by that.
struct ReadBlocksTests {
    private let minute: UInt64 = 60_000

    /// The first two homes were up together: each wrote ten times, and has everything. All are down.
    private func planned(_ count: Int = 2, remembersBlocks: Bool = true) throws -> Homes {
        var homes = try Homes(count)
        homes.remembersBlocks = remembersBlocks
        for home in 0..<2 { homes.up(home) }
        homes.pass(1_000)
        for number in 0..<10 {
            for home in 0..<2 { homes.write("\(number)", on: home) }
            homes.pass(minute)
        }
        homes.pass(40 * minute)
        for home in 0..<2 { homes.down(home) }
        return homes
    }

    /// Starts a home, and counts what it fetches.
    private func fetched(by home: Int, _ homes: inout Homes, for duration: UInt64 = 5_000) -> Int {
        let before = homes.gets(of: home)
        homes.up(home)
        homes.pass(duration)
        return homes.gets(of: home) - before
    }

    @Test("a start fetches the latest letter of each device, and nothing else that was read before")
    func restart() throws {
        var homes = try planned()
        let puts = homes.box.puts
        #expect(homes.box.count > 20)
        for _ in 0..<3 {
            #expect(fetched(by: 1, &homes) == 2, "its own, and the other home's")
            homes.pass(10 * minute)
            homes.down(1)
        }
        #expect(homes.box.puts == puts, "it knows what is there")
        homes.up(0)
        homes.write("a tent", on: 0)
        homes.pass(minute)
        homes.down(0)
        #expect(fetched(by: 1, &homes) <= 4, "and what is new")
        #expect(homes.has(1, allOf: 0))
        #expect(homes.nodes[1].changesNotKnown(at: homes.replica(0)) == 0)

        var forgetful = try planned(remembersBlocks: false)
        #expect(fetched(by: 1, &forgetful) == forgetful.box.count)
    }

    @Test("a block that somebody can't read is read again after a start, for it may hold what the disk lacks")
    func doubted() {
        var catalogue = BlockCatalogue()
        let name = BlockName(FastCryptography().hash([1]))
        let key = BlockCatalogue.Key(
            slot: MailboxSlot(prefix: Bytes16(high: 1, low: 1), tag: Bytes16(high: 1, low: 2)), name: name)
        catalogue.note(key, .read(BlockCatalogue.Contents(indices: [7])))
        #expect(catalogue.lasting { _ in nil }.map(\.key) == [key])
        #expect(catalogue.doubt([name], at: 0, under: MailboxLimits()) == 1)
        #expect(catalogue.lasting { _ in nil }.isEmpty)
    }

    @Test("a mailbox that is attached again is not read again")
    func attachedAgain() throws {
        var homes = try planned()
        homes.up(1)
        homes.pass(minute)
        var before = homes.gets(of: 1)
        homes.attachAgain(1)
        homes.pass(5_000)
        #expect(homes.gets(of: 1) - before == 2, "the latest letter of each device")
        before = homes.gets(of: 1)
        homes.attachAgain(1, recalls: false)
        homes.pass(5_000)
        #expect(homes.gets(of: 1) - before == homes.box.count, "without what was read, all")
    }

    @Test("what a crash took is fetched again")
    func crash() throws {
        var homes = try planned()
        homes.up(0)
        homes.write("a tent", on: 0)
        homes.pass(minute)
        homes.down(0)
        homes.up(1)
        homes.writeLatency = 100 * minute
        homes.pass(5_000)
        #expect(homes.has(1, allOf: 0), "it was read")
        try homes.crash(1)
        #expect(!homes.has(1, allOf: 0), "and is not durable")
        homes.writeLatency = 1
        homes.up(1)
        homes.pass(5_000)
        #expect(homes.has(1, allOf: 0))
    }

    @Test("a log from an older backup is filled from the mailbox, whatever was remembered")
    func backup() throws {
        var homes = try planned()
        homes.forgetEverything(1)
        #expect(homes.nodes[1].log.count < homes.nodes[0].log.count)
        homes.pass(5_000)
        #expect(homes.has(1, allOf: 0))
    }

    @Test("other bytes under a name that is remembered are not fetched, and do no harm")
    func lyingMailbox() throws {
        var homes = try planned()
        homes.box.falsifyAll()
        let count = homes.nodes[1].log.count
        let before = homes.gets(of: 1)
        homes.up(1)
        homes.pass(60 * minute)
        #expect(homes.gets(of: 1) - before <= 40, "only the latest letters, again and again")
        #expect(homes.nodes[1].log.count == count)
        homes.write("a stove", on: 1)
        homes.pass(5 * minute)
        homes.down(1)
        homes.up(0)
        homes.pass(5 * minute)
        #expect(homes.has(0, allOf: 1))
    }

    @Test("what the mailbox lists no more is forgotten, and put again by a home that has it")
    func lostBlocks() throws {
        var homes = try planned(3)
        homes.box.forget(oneIn: 1, using: &homes.generator)
        homes.up(1)
        homes.pass(5_000)
        #expect(homes.nodes[1].readBlocks.blocks.isEmpty)
        homes.pass(5 * minute)
        homes.down(1)
        homes.up(2)
        homes.pass(5_000)
        #expect(homes.has(2, allOf: 0))
    }

    @Test("blocks that are past retention are forgotten")
    func retention() throws {
        var homes = try planned()
        let old = Set(homes.nodes[1].readBlocks.blocks.map(\.key))
        #expect(old.count > 15)
        homes.pass(20 * UInt64(MailboxKeys.weekDuration))
        homes.up(1)
        homes.pass(minute)
        #expect(old.isDisjoint(with: homes.nodes[1].readBlocks.blocks.map(\.key)))
    }

    @Test("a mailbox that is not attached in a run is remembered through it")
    func unattached() throws {
        var homes = try planned()
        let blocks = homes.nodes[1].readBlocks
        var node = homes.trip.node(1)
        node.restore(blocks)
        #expect(node.readBlocks == blocks)
        #expect(blocks.of([]).blocks.isEmpty)
        #expect(blocks.of([homes.box.prefix]) == blocks)
        homes.up(1)
        homes.tell(1, .mailbox(.detached(homes.box.prefix)))
        #expect(homes.nodes[1].readBlocks.blocks.isEmpty, "and is forgotten once it was removed")
    }

    @Test("a block that nobody here can open is fetched once")
    func strangers() throws {
        var homes = try planned()
        let slot = try #require(homes.box.slots.first)
        homes.box.stuff(30, into: slot, using: &homes.generator)
        #expect(fetched(by: 1, &homes, for: minute) == 32)
        homes.down(1)
        #expect(fetched(by: 1, &homes, for: minute) == 2)
    }

    @Test("the chunks of a block that was read before are fetched again if the disk lost them")
    func chunks() throws {
        var homes = try Homes(2)
        homes.up(0)
        homes.pass(1_000)
        let photo = homes.photograph(1, on: 0)
        homes.pass(2 * minute)
        homes.down(0)
        homes.up(1)
        homes.pass(minute)
        homes.know(photo, on: 1)
        homes.pass(minute)
        #expect(homes.has(1, [photo.preview]))
        homes.down(1)
        homes.loseChunks(1)
        homes.up(1)
        homes.pass(minute)
        #expect(homes.has(1, [photo.preview]))
    }

    @Test("what is remembered is bounded, and bytes that are anything are refused")
    func coding() throws {
        let homes = try planned()
        let blocks = homes.nodes[1].readBlocks
        let bytes = blocks.encoding
        #expect(try ReadBlocks(decoding: bytes) == blocks)
        var whole = 0
        for length in 0..<bytes.count {
            if (try? ReadBlocks(decoding: Array(bytes.prefix(length)))) != nil { whole += 1 }
        }
        #expect(whole == blocks.blocks.count, "only where one block ends")
        for index in stride(from: 0, to: bytes.count, by: 3) {
            var altered = bytes
            altered[index] ^= 0x81
            _ = try? ReadBlocks(decoding: altered)
        }
        let many = ReadBlocks(Array(repeating: blocks.blocks, count: 9_000).flatMap(\.self))
        #expect(many.encoding.count <= ReadBlocks.bytesMax)
        #expect(many.encoding.count > ReadBlocks.bytesMax - 200_000)
        #expect(throws: DecodingFailure.self) {
            try ReadBlocks(decoding: [UInt8](repeating: 0, count: ReadBlocks.bytesMax + 1))
        }
    }
}
