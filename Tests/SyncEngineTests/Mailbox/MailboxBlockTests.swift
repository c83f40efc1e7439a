import Attachments
import ChangeLog
import Convergence
import DeltaCRDT
import Sodium
import Testing
import TripSimulation

@testable import SyncEngine

/// What lies in a mailbox says nothing but its size to whoever lacks the key.
struct MailboxBlockTests {
    private let trip: FoundedTrip
    private let keys: MailboxKeys
    private let slot: MailboxSlot
    private let cryptography: SodiumCryptography
    private var generator = SeededGenerator(seed: 5)

    init() throws {
        cryptography = try SodiumCryptography()
        trip = try FoundedTrip(of: 3, using: &generator, cryptography)
        keys = MailboxKeys(of: trip.epoch, using: cryptography)
        slot = keys.slot(Bytes16(high: 1, low: 2), week: 2_900, using: cryptography)
    }

    private func open(_ block: [UInt8], in slot: MailboxSlot? = nil, by reader: Int = 1) -> MailboxBlock.Content? {
        MailboxBlock.open(block, in: slot ?? self.slot, under: keys, by: trip.people[reader], using: cryptography)
    }

    @Test("a sealed letter opens in its slot, and in no other")
    mutating func slots() throws {
        let letter = Array("a letter".utf8)
        let block = try #require(
            MailboxBlock.seal(letter, in: slot, under: keys, using: &generator, cryptography))
        #expect(open(block) == .letter(letter))
        let prefix = slot.prefix
        let others = [
            keys.slot(prefix, week: 2_901, using: cryptography),
            keys.slot(Bytes16(high: 1, low: 3), week: 2_900, using: cryptography),
            MailboxKeys(of: Epoch(secret: .random(using: &generator), using: cryptography), using: cryptography)
                .slot(prefix, week: 2_900, using: cryptography),
        ]
        #expect(Set(others.map(\.tag) + [slot.tag]).count == 4, "no tag says of another")
        for other in others { #expect(open(block, in: other) == nil) }
    }

    @Test("an altered or shortened block opens nowhere")
    mutating func alteredBlocks() throws {
        let block = try #require(
            MailboxBlock.seal([1, 2, 3], in: slot, under: keys, using: &generator, cryptography))
        for index in stride(from: 0, to: block.count, by: 37) {
            var altered = block
            altered[index] ^= 4
            #expect(open(altered) == nil)
        }
        for length in [0, 1, 24, 40, 41, block.count - 1] { #expect(open(Array(block.prefix(length))) == nil) }
    }

    @Test("a boxed letter is read by the devices that it is for alone")
    mutating func boxes() throws {
        let letter = [UInt8](repeating: 7, count: 3_000)
        let block = try #require(
            MailboxBlock.seal(
                letter, in: slot, under: keys, to: [trip.people[1].device], using: &generator, cryptography))
        #expect(open(block, by: 1) == .boxedLetter(letter))
        #expect(open(block, by: 2) == .notForThisDevice, "though it holds the epoch's secret")
    }

    @Test("chunks of photos are sealed as letters are, and no block of them is too long for any trip")
    mutating func chunks() throws {
        let chunks: [[UInt8]] = (0..<MailboxBlock.chunksMax).map { number in
            [UInt8](repeating: UInt8(number), count: Blob.chunkSize - number)
        }
        let open = try #require(
            MailboxBlock.seal(chunks: chunks, in: slot, under: keys, using: &generator, cryptography))
        #expect(self.open(open) == .chunks(chunks, boxedAt: nil))
        let have = (0..<UInt64(MailboxLetter.haveMax)).map { Bytes32(words: (1, 2, 3, $0)) }
        #expect(open.count == MailboxBlock.paddedSize(open.count))
        let boxed = try #require(
            MailboxBlock.seal(
                chunks: chunks, in: slot, under: keys, to: [trip.people[1].device], have: have, using: &generator,
                cryptography))
        #expect(self.open(boxed, by: 1) == .chunks(chunks, boxedAt: have))
        #expect(self.open(boxed, by: 2) == .notForThisDevice)
        let boxes = ChangeBounds.grantBoxesMax * SealedBox.size
        #expect(MailboxBlock.paddedSize(open.count + boxes + 32 * have.count + 2) <= MailboxBlock.sizeMax)
        for wrong in [[[]], [[UInt8](repeating: 0, count: Blob.chunkSize + 1)], chunks + [[1]]] {
            let block = try #require(
                MailboxBlock.seal(chunks: wrong, in: slot, under: keys, using: &generator, cryptography))
            #expect(self.open(block) == nil)
        }
    }

    @Test("two blocks of one letter share no 8 bytes")
    mutating func noSharedString() throws {
        let letter = [UInt8](repeating: 7, count: 3_000)
        let blocks = try (0..<2).map { _ in
            try #require(MailboxBlock.seal(letter, in: slot, under: keys, using: &generator, cryptography))
        }
        func windows(_ block: [UInt8]) -> Set<[UInt8]> {
            Set(block.indices.dropLast(7).map { Array(block[$0..<$0 + 8]) })
        }
        #expect(windows(blocks[0]).isDisjoint(with: windows(blocks[1])))
    }

    @Test("blocks have few sizes: powers of two to 64 KiB, then at most 12 % more than they hold")
    func sizes() {
        #expect(MailboxBlock.paddedSize(1) == 1_024)
        var sizes: Set<Int> = []
        for size in stride(from: 1, through: 2_000_000, by: 997) {
            let padded = MailboxBlock.paddedSize(size)
            #expect(padded >= size)
            if size > 65_536 { #expect(padded * 100 <= size * 112) }
            sizes.insert(padded)
        }
        #expect(Set(sizes.filter { $0 <= 65_536 }) == [1_024, 2_048, 4_096, 8_192, 16_384, 32_768, 65_536])
        #expect(sizes.count < 200)
        #expect(MailboxBlock.paddedSize(ChangeBounds.recordBytesMax + 20_000) <= MailboxBlock.sizeMax)
    }

    @Test("what is too long for a block is not sealed")
    mutating func tooLong() {
        let letter = [UInt8](repeating: 0, count: MailboxBlock.sizeMax)
        #expect(MailboxBlock.seal(letter, in: slot, under: keys, using: &generator, cryptography) == nil)
    }

    @Test("a letter is its author's, for its slot")
    func letters() throws {
        let letter = MailboxLetter(
            by: trip.people[1], at: 5, records: [trip.log.graph[0].record], have: [trip.log.graph[0].hash],
            absent: AbsentBodies(), wants: [BlobHash(trip.log.graph[0].hash)], in: slot, using: cryptography)
        let read = try MailboxLetter(decoding: letter.encoding)
        #expect(read == letter)
        #expect(read.isSigned(by: trip.people[1].device, in: slot, using: cryptography))
        #expect(!read.isSigned(by: trip.people[2].device, in: slot, using: cryptography))
        let other = keys.slot(slot.prefix, week: 2_901, using: cryptography)
        #expect(!read.isSigned(by: trip.people[1].device, in: other, using: cryptography))
    }

    @Test("a letter whose bytes are anything is refused, and nothing traps")
    func hostileLetters() throws {
        let letter = MailboxLetter(
            by: trip.people[1], at: 5, records: [trip.log.graph[0].record], have: [trip.log.graph[0].hash],
            absent: AbsentBodies(), in: slot, using: cryptography
        ).encoding
        for length in 0..<letter.count {
            #expect(throws: DecodingFailure.self) { try MailboxLetter(decoding: Array(letter.prefix(length))) }
        }
        for index in letter.indices.dropLast(64) {
            var altered = letter
            altered[index] ^= 0x80
            if let read = try? MailboxLetter(decoding: altered) {
                #expect(!read.isSigned(by: trip.people[1].device, in: slot, using: cryptography))
            }
        }
    }

    @Test("a block's name is 64 lowercase hexadecimal digits")
    func names() {
        let name = BlockName(Bytes32(words: (1, 2, 3, .max)))
        #expect(BlockName(name.description) == name)
        for text in [
            "", "00", name.description.dropLast() + "g", name.description + "0", name.description.uppercased(),
        ] {
            #expect(BlockName(text) == nil)
        }
    }

    @Test("weeks are counted from 1970, and before it downwards")
    func weeks() {
        #expect(MailboxKeys.week(at: 0) == 0)
        #expect(MailboxKeys.week(at: MailboxKeys.weekDuration - 1) == 0)
        #expect(MailboxKeys.week(at: MailboxKeys.weekDuration) == 1)
        #expect(MailboxKeys.week(at: -1) == -1)
    }
}
