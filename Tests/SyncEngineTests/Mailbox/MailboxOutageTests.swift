import ChangeLog
import Convergence
import DeltaCRDT
import Testing
import TripSimulation

@testable import SyncEngine

/// A mailbox that can't be reached for a time, or can't be written, costs a delay and nothing else.
struct MailboxOutageTests {
    private let minute: UInt64 = 60_000

    @Test("an outage is no damage: after it what is there is read, and nothing is put again")
    func outage() throws {
        var homes = try Homes(2)
        homes.up(0)
        homes.pass(1_000)
        for number in 0..<3 {
            homes.write("item \(number)", on: 0)
            homes.pass(minute)
        }
        homes.down(0)
        let puts = homes.puts(of: 0).count
        homes.up(1)
        homes.pass(15) { $0.gets(of: 1) > 0 }
        homes.pass(200) { $0.gets(of: 1) > 0 }
        homes.box.faults = [.unreachable]
        homes.pass(30 * minute)
        homes.box.faults = []
        homes.pass(7 * minute)
        #expect(homes.has(1, allOf: 0))
        homes.write("thanks", on: 1)
        homes.pass(minute)
        homes.up(0)
        homes.pass(5 * minute)
        #expect(homes.has(0, allOf: 1))
        let said = homes.puts(of: 0).dropFirst(puts).map(\.bytes.count)
        #expect(said.allSatisfy { $0 == 1_024 }, "receipts alone: \(said)")
    }

    @Test("of two letters that each hold what the other stands on, both are taken")
    func crossedLetters() throws {
        var homes = try Homes(3)
        let people = homes.trip.people
        var (first, second) = (homes.trip.log, homes.trip.log)
        let ones = try (0..<2).map { try first.add(nil, [$0], by: people[1]) }
        let twos = try (0..<2).map { try second.add(nil, [$0], by: people[2]) }
        homes.up(0)
        homes.pass(1_000)
        let slot = try #require(homes.nodes[0].mailboxes.desks[0].writeSlot(of: homes.trip.epoch.id))
        for (author, records) in [(1, [ones[1], twos[0]]), (2, [twos[1], ones[0]])] {
            let letter = MailboxLetter(
                by: people[author], at: homes.wall, records: records.map(\.record), have: [], absent: AbsentBodies(),
                in: slot, using: homes.trip.cryptography)
            homes.put(letter.encoding, in: slot)
        }
        homes.pass(2 * minute)
        #expect((ones + twos).allSatisfy { homes.nodes[0].log.graph.index(of: $0.hash) != nil })
    }

    private let slot = MailboxSlot(prefix: Bytes16(high: 1, low: 1), tag: Bytes16(high: 1, low: 2))

    private func names(_ count: Int) -> [BlockName] {
        (0..<count).map { BlockName(FastCryptography().hash([UInt8($0)])) }
    }

    @Test("while a mailbox answers for no block, blocks are asked for less and less often, and none is called damaged")
    func silence() {
        let limits = MailboxLimits()
        var generator = SeededGenerator(seed: 1)
        var catalogue = BlockCatalogue()
        _ = catalogue.list(slot, names(8), at: 0, under: limits, using: &generator)
        var asked: [UInt64] = []
        for now in stride(from: 0 as UInt64, to: 60 * minute, by: 1_000) {
            let keys = catalogue.fetch(at: now, under: limits)
            if !keys.isEmpty { asked.append(now) }
            for key in keys { catalogue.unanswered(key, at: now, under: limits) }
        }
        #expect(catalogue.damaged(limit: 64).isEmpty)
        #expect((10...25).contains(asked.count), "\(asked)")
        #expect(catalogue.fetch(at: 61 * minute + limits.retryDelayMax, under: limits).count == limits.fetchesMax)
    }

    @Test("a block that a mailbox never answers for is called damaged, if it answers for others meanwhile")
    func oneOfMany() {
        let limits = MailboxLimits()
        var generator = SeededGenerator(seed: 1)
        var catalogue = BlockCatalogue()
        let names = names(40)
        _ = catalogue.list(slot, names, at: 0, under: limits, using: &generator)
        for now in stride(from: 0 as UInt64, to: 10 * minute, by: 1_000) {
            for key in catalogue.fetch(at: now, under: limits).reversed() {
                if key.name == names[0] {
                    catalogue.unanswered(key, at: now, under: limits)
                } else {
                    catalogue.arrived(bytes: 1_024)
                    catalogue.note(
                        key,
                        now < 5 * minute && !now.isMultiple(of: 30_000)
                            ? .unproven(ReplicaID(high: 0, low: 1)) : .useless)
                }
            }
            if now.isMultiple(of: 20_000) { catalogue.readAgain { if case .unproven = $0 { true } else { false } } }
        }
        #expect(catalogue.damaged(limit: 64) == [names[0]])
    }

    @Test(
        "blocks that are never answered for hold back no others, as many as there are", arguments: [4, 8],
        [false, true])
    func manyDead(dead: Int, ofJoins: Bool) {
        let limits = ofJoins ? MailboxLimits().ofJoins : MailboxLimits()
        var generator = SeededGenerator(seed: 1)
        var catalogue = BlockCatalogue()
        let names = names(dead + 24)
        // Those that are never answered for are first in the queue.
        _ = catalogue.list(slot, Array(names.prefix(dead)), at: 0, under: limits, using: &generator)
        _ = catalogue.list(slot, names, at: 0, under: limits, using: &generator)
        var arrived: Set<BlockName> = []
        for now in stride(from: 0 as UInt64, to: 60 * minute, by: 1_000) {
            for key in catalogue.fetch(at: now, under: limits) {
                if names.prefix(dead).contains(key.name) {
                    catalogue.unanswered(key, at: now, under: limits)
                } else {
                    catalogue.arrived(bytes: 1_024)
                    catalogue.note(key, .useless)
                    arrived.insert(key.name)
                }
            }
        }
        #expect(arrived.count == 24)
    }

    @Test("a letter of a removal that can't be put holds back nothing else")
    func fullSlotOfAnother() {
        let limits = MailboxLimits()
        var outbox = MailboxOutbox()
        let key = BlockCatalogue.Key(slot: slot, name: names(1)[0])
        let device = ReplicaID(high: 1, low: 1)
        let telling = BlockCatalogue.Telling(device: device, removal: FastCryptography().hash([1]))
        outbox.put(
            key, contents: BlockCatalogue.Contents(isOwn: true, boxedAt: [], told: telling), said: nil,
            to: Bytes16(high: 1, low: 0), until: 1_000)
        outbox.answered(key, .full, at: 10, limits)
        #expect(!outbox.isFull && outbox.retryAt == 0 && outbox.deadline(at: 10) == nil)
        #expect(!outbox.mayTell(device, at: 10 + limits.fullDelay - 1))
        #expect(outbox.mayTell(device, at: 10 + limits.fullDelay))
    }

    @Test("what a mailbox lost slows down what is put, and is forgotten after hours")
    func losses() {
        let limits = MailboxLimits()
        var generator = SeededGenerator(seed: 1)
        var catalogue = BlockCatalogue()
        _ = catalogue.list(slot, [], at: 0, under: limits, using: &generator)
        for (number, name) in names(9).enumerated() {
            catalogue.note(BlockCatalogue.Key(slot: slot, name: name), .read(BlockCatalogue.Contents(isOwn: true)))
            _ = catalogue.list(slot, [], at: UInt64(number) * 1_000, under: limits, using: &generator)
        }
        #expect(catalogue.losses(at: 9_000) == limits.lossesMax)
        #expect(catalogue.losses(at: 9_000 + 60 * minute) == limits.lossesMax - 1)
        #expect(catalogue.losses(at: 24 * 60 * minute) == 0)
    }

    @Test("a listing of many slots may take long")
    func lateListing() {
        let limits = MailboxLimits()
        var generator = SeededGenerator(seed: 1)
        var schedule = ListingSchedule()
        #expect(schedule.due(at: 0, under: limits, using: &generator) == .whole)
        let slots = (0..<28).map { MailboxSlot(prefix: slot.prefix, tag: Bytes16(high: 0, low: UInt64($0))) }
        schedule.asked(slots, at: 0, under: limits)
        #expect(schedule.due(at: 42_000, under: limits, using: &generator) == .nothing)
        #expect(slots.allSatisfy { schedule.answered($0, well: true, at: 42_000, under: limits) })
        #expect(!schedule.isFailing)
        schedule.asked(slots, at: 50_000, under: limits)
        _ = schedule.due(at: 50_000 + 6 * minute, under: limits, using: &generator)
        #expect(schedule.isFailing)
    }

    @Test("what was told to the readers of one epoch is still owed to those of another")
    func readersOfTwoEpochs() {
        let limits = MailboxLimits()
        var generator = SeededGenerator(seed: 1)
        var outbox = MailboxOutbox()
        let epochs = [Bytes16(high: 1, low: 0), Bytes16(high: 2, low: 0)]
        let said = MailboxOutbox.Said(have: [FastCryptography().hash([1])])
        let key = BlockCatalogue.Key(slot: slot, name: names(1)[0])
        outbox.put(
            key, contents: BlockCatalogue.Contents(isOwn: true, time: 1), said: said, to: epochs[0], until: 1_000)
        outbox.answered(key, .stored, at: 10, limits)
        #expect(!outbox.owes(said, to: epochs[0]) && outbox.owes(said, to: epochs[1]))
        var answers: Set<MailboxOutbox.Answer> = []
        for now in stride(from: 20 as UInt64, to: 31 * minute, by: 1_000) {
            answers.insert(
                outbox.due(
                    MailboxOutbox.Lack(), said: said, to: epochs, losses: 0, at: now, under: limits, using: &generator))
        }
        #expect(answers.contains(.receipt))
        outbox.forgetTold { $0 == key }
        #expect(outbox.owes(said, to: epochs[0]))
    }

    @Test("a node that never runs for long says now and then what it read")
    func shortRuns() throws {
        var homes = try Homes(2)
        homes.up(0)
        homes.pass(1_000)
        homes.write("a tent", on: 0)
        homes.pass(minute)
        homes.down(0)
        for _ in 0..<12 {
            homes.up(1)
            homes.pass(30_000)
            homes.down(1)
            homes.pass(60 * minute)
        }
        homes.up(0)
        homes.pass(5_000)
        #expect(homes.nodes[0].changesNotKnown(at: homes.replica(1)) == 0)
        #expect((1...3).contains(homes.puts(of: 1).count), "once, or what another start says")
    }
}
