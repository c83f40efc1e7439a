import ChangeLog
import Convergence
import DeltaCRDT
import LogFixtures
import Testing
import TripSimulation

@testable import SyncEngine

/// A trip's changes in one sealed file.
struct BundleTests {
    private static let epoch = epoch(7)

    private static func epoch(_ number: UInt64) -> Epoch {
        Epoch(secret: Bytes32(words: (number, number, number, number)), using: Member.cryptography)
    }

    private func sealed(
        by member: Member, under epoch: Epoch = Self.epoch, and devices: [Device] = [], seed: UInt64 = 1
    ) throws -> [UInt8] {
        var generator = SeededGenerator(seed: seed)
        return try Bundle.seal(
            member.log.retainedRecords(before: .max), of: member.log.trip, by: member.secrets, under: epoch,
            and: devices,
            using: &generator, Member.cryptography)
    }

    private func open(_ bytes: [UInt8], by member: Member, with epochs: [Epoch] = [Self.epoch]) throws -> Bundle {
        try Bundle.open(bytes, with: epochs, or: member.secrets, using: Member.cryptography)
    }

    private func failure(_ body: () throws -> Void) -> Bundle.Failure? {
        do { try body() } catch { return error as? Bundle.Failure }
        return nil
    }

    @Test("what is sealed is opened to the same records, of any sizes", arguments: 0..<12 as Range<UInt64>)
    func roundTrip(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var founder = try Member.founder()
        for _ in 0..<Int.random(in: 0...40, using: &generator) {
            try founder.say(nil, [UInt8](repeating: 1, count: Int.random(in: 0...9_000, using: &generator)))
        }
        let bundle = try open(try sealed(by: founder, seed: seed), by: founder)
        #expect(bundle.records == founder.changes.map(\.record))
        #expect(bundle.author == founder.replica && bundle.trip == founder.log.trip)
    }

    @Test("two who never meet hold the same after a bundle each way, and a second time nothing is new")
    func bothWays() throws {
        var founder = try Member.founder()
        var friend = try founder.admit(2)
        try founder.say(nil, [1])
        try friend.say(nil, [2])
        let there = try open(try sealed(by: founder), by: friend)
        #expect(try friend.log.receive(there).indices.count == 1)
        let back = try open(try sealed(by: friend), by: founder)
        #expect(try founder.log.receive(back).indices.count == 1)
        #expect(founder.log.frontier == friend.log.frontier)
        #expect(try founder.log.receive(back).indices.isEmpty)
    }

    @Test("a bundle that is altered at any byte, cut anywhere or longer is refused, and nothing of it is kept")
    func altered() throws {
        var founder = try Member.founder()
        var friend = try founder.admit(2)
        try founder.say(nil, [UInt8](repeating: 5, count: 70_000))
        let whole = try sealed(by: founder, and: [friend.secrets.device])
        let before = friend.log.graph.count
        let header = Bundle.prefixSize + 1 + SealedBox.size
        let firstEnd = header + Bundle.chunkSize + Bundle.tagSize
        let offsets = Set(0..<header + 40).union(firstEnd - 20..<firstEnd + 20)
            .union(whole.count - 100..<whole.count).union(stride(from: 0, to: whole.count, by: 499))
        for offset in offsets.sorted() {
            for bytes in [whole.flipped(at: offset), Array(whole[..<offset])] {
                // Neither by the epoch's secret nor, where that is not here, by the box.
                for epochs in [[Self.epoch], []] {
                    #expect(throws: Bundle.Failure.self, "byte \(offset)") {
                        _ = try friend.log.receive(try open(bytes, by: friend, with: epochs))
                    }
                }
            }
        }
        let second = whole[header..<firstEnd]
        for more in [[0], Array(second)] {
            #expect(failure { _ = try open(whole + more, by: friend) } == .damaged)
        }
        #expect(failure { _ = try open(Array(whole[..<firstEnd]), by: friend) } == .damaged)
        #expect(friend.log.graph.count == before)
        #expect(try friend.log.receive(try open(whole, by: friend)).indices.count == 1)
    }

    @Test("a device that was away while an epoch began opens it by its own box, and learns of the removal")
    func away() throws {
        var founder = try Member.founder()
        let friend = try founder.admit(2)
        var away = try founder.admit(3)
        let next = Self.epoch(8)
        try founder.remove(friend)
        let bytes = try sealed(by: founder, under: next, and: [away.secrets.device])
        let bundle = try open(bytes, by: away)
        #expect(try away.log.receive(bundle).indices.count == 1)
        #expect(!away.log.isIn(friend.replica))
        #expect(failure { _ = try open(bytes, by: friend) } == .notForThisDevice)
    }

    @Test("of somebody who is out, and of a stranger who knows a secret, nothing is taken")
    func outside() throws {
        var founder = try Member.founder()
        var friend = try founder.admit(2)
        try founder.remove(friend)
        try friend.say(nil, [9])
        let before = founder.log.graph.count
        let bundle = try open(try sealed(by: friend), by: founder)
        #expect(failure { _ = try founder.log.receive(bundle) } == .authorNotIn)
        let stranger = Member(secrets: Member.secrets(9), log: founder.log)
        let other = try open(try sealed(by: stranger), by: founder)
        #expect(failure { _ = try founder.log.receive(other) } == .authorNotIn)
        // In a member's name.
        let forged = Bundle(
            trip: other.trip, author: founder.replica, records: other.records, signature: other.signature,
            signedMessage: other.signedMessage)
        #expect(failure { _ = try founder.log.receive(forged) } == .damaged)
        #expect(founder.log.graph.count == before)
    }

    @Test("of another trip nothing is taken, nor of one change that no node takes")
    func refused() throws {
        var founder = try Member.founder()
        var generator = SeededGenerator(seed: 3)
        let other = Bytes32.random(using: &generator)
        let foreign = try Bundle.seal(
            founder.log.retainedRecords(before: .max), of: other, by: founder.secrets, under: Self.epoch, and: [],
            using: &generator, Member.cryptography)
        let friend = try founder.admit(2)
        #expect(failure { _ = try founder.log.receive(try open(foreign, by: founder)) } == .otherTrip)
        try founder.say(nil, [1])
        try founder.say(nil, [2])
        var records = founder.log.retainedRecords(before: .max)
        let last = try SignedChange(record: records[records.count - 1], using: Member.cryptography)
        records[records.count - 1][last.head.count - 1] ^= 1
        let unsound = try Bundle.seal(
            records, of: founder.log.trip, by: founder.secrets, under: Self.epoch, and: [], using: &generator,
            Member.cryptography)
        var reader = friend
        let bundle = try open(unsound, by: reader)
        #expect(failure { _ = try reader.log.receive(bundle) } == .refused(.invalidSignature))
        #expect(reader.log.graph.count == friend.log.graph.count)
    }

    @Test("what promises more than it holds, or is of a newer version, is refused before anything is made of it")
    func beginnings() throws {
        let founder = try Member.founder()
        let whole = try sealed(by: founder)
        #expect(failure { _ = try open(Array("title,link\n".utf8), by: founder) } == .notABundle)
        var newer = whole
        newer[Bundle.magic.count] = 2
        #expect(failure { _ = try open(newer, by: founder) } == .newerVersion)
        let promising = Array(whole[..<Bundle.prefixSize]) + [0xFF, 0x3F] + [UInt8](repeating: 0, count: 300)
        #expect(failure { _ = try open(promising, by: founder) } == .damaged)
        let huge = Bundle.magic + [UInt8](repeating: 0, count: Bundle.bytesMax)
        #expect(failure { _ = try open(huge, by: founder) } == .tooLarge)
    }
}

extension [UInt8] {
    fileprivate func flipped(at offset: Int) -> [UInt8] {
        var bytes = self
        bytes[offset] ^= 1
        return bytes
    }
}
