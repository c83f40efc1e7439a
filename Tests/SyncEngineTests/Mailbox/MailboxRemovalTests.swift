import ChangeLog
import Convergence
import DeltaCRDT
import Testing
import TripSimulation

@testable import SyncEngine

/// Who was removed reads nothing new in a mailbox, and who was away learns there of the removal.
struct MailboxRemovalTests {
    private let minute: UInt64 = 60_000

    /// A trip of three, of whom the first has removed the last while both others were away.
    private func removal() throws -> (homes: Homes, putsBefore: Int) {
        var homes = try Homes(3)
        for home in 0..<3 { homes.up(home) }
        homes.write("a tent", on: 0)
        homes.pass(40 * minute)
        for home in 0..<3 { homes.down(home) }
        homes.up(0)
        homes.pass(1_000)
        let before = homes.box.history.count
        homes.tell(0, .remove(participant: homes.trip.people[2].device.participant, ticket: 1))
        homes.pass(1_000)
        homes.write("a secret stay", on: 0)
        homes.pass(5 * minute)
        return (homes, before)
    }

    /// The blocks that a home can read by what it holds.
    private func readable(_ blocks: some Sequence<(slot: MailboxSlot, bytes: [UInt8])>, by home: Int, _ homes: Homes)
        -> Int
    {
        let epochs = homes.nodes[home].epochs.held
        return blocks.count { block in
            epochs.contains { epoch in
                let keys = MailboxKeys(of: epoch, using: homes.trip.cryptography)
                let content = MailboxBlock.open(
                    block.bytes, in: block.slot, under: keys, by: homes.trip.people[home],
                    using: homes.trip.cryptography)
                guard let content, let letter = MailboxLetter(of: content) else { return false }
                return letter.told == nil
            }
        }
    }

    /// The homes that are told in the letters of the box that they are out.
    private func told(_ homes: Homes) -> [Int] {
        let keys = homes.nodes[0].epochs.held.map { MailboxKeys(of: $0, using: homes.trip.cryptography) }
        return homes.box.history.compactMap { block in
            let contents = keys.compactMap {
                MailboxBlock.open(
                    block.bytes, in: block.slot, under: $0, by: homes.trip.people[0], using: homes.trip.cryptography)
            }
            guard let letter = contents.first.flatMap({ MailboxLetter(of: $0) }), let told = letter.told else {
                return nil
            }
            return homes.nodes.indices.first { homes.replica($0) == told }
        }
    }

    @Test("a removed member opens no block that is put afterwards but the one that says so")
    func removedMember() throws {
        var (homes, before) = try removal()
        let blocks = homes.box.history[before...]
        #expect(!blocks.isEmpty)
        #expect(readable(homes.box.history[..<before], by: 2, homes) > 0, "it did before")
        #expect(readable(blocks, by: 2, homes) == 0)
        #expect(readable(blocks, by: 0, homes) == blocks.count - 1, "their author knows what is there")
        #expect(told(homes) == [2])
        let count = homes.nodes[2].log.count
        homes.up(2)
        homes.pass(5 * minute)
        #expect(homes.nodes[2].log.isOut(homes.replica(2)))
        #expect(homes.nodes[2].log.count == count + 1, "the removal, and nothing that was written after it")
    }

    @Test("who leaves says so in the mailbox, after what they wrote before, and puts nothing else")
    func farewell() throws {
        var homes = try Homes(3)
        for home in 0..<3 { homes.up(home) }
        homes.write("a tent", on: 0)
        homes.pass(40 * minute)
        for home in 0..<3 { homes.down(home) }
        homes.up(2)
        homes.pass(minute)
        homes.write("a stove", on: 2)
        homes.tell(2, .remove(participant: homes.trip.people[2].device.participant, ticket: 1))
        homes.pass(5 * minute)
        let count = homes.box.history.count
        homes.pass(90 * minute)
        #expect(homes.box.history.count == count, "all that is to be said lies there")
        homes.down(2)
        for home in 0..<2 {
            homes.up(home)
            homes.pass(5 * minute)
            #expect(homes.nodes[home].log.departure(of: homes.replica(2))?.reason == .left)
            #expect(homes.nodes[home].log.count == homes.nodes[2].log.count + 1, "and an epoch that begins after it")
            homes.down(home)
        }
        homes.up(0)
        homes.write("a secret stay", on: 0)
        homes.pass(5 * minute)
        homes.down(0)
        let later = homes.box.history.count
        homes.up(2)
        homes.pass(90 * minute)
        #expect(homes.box.history.count == later)
        #expect(homes.nodes[2].log.isOut(homes.replica(2)))
        // What the mailbox lost is put again, for 30 days.
        var generator = SeededGenerator(seed: 1)
        homes.box.forget(oneIn: 1, using: &generator)
        homes.pass(30 * minute)
        let again = homes.box.history.count
        #expect(again > later)
        homes.down(2)
        homes.pass(31 * 24 * 60 * minute)
        homes.box.forget(oneIn: 1, using: &generator)
        homes.up(2)
        homes.pass(30 * minute)
        #expect(homes.box.history.count == again)
    }

    @Test("a removed member is told once, by the remover, and not again after later starts")
    func toldOnce() throws {
        var (homes, _) = try removal()
        #expect(told(homes) == [2])
        for _ in 0..<2 {
            for home in 0..<2 {
                homes.up(home)
                homes.pass(20 * minute)
                homes.down(home)
            }
        }
        #expect(told(homes) == [2])
    }

    @Test("a removed member is told by another member if the box lost what the remover put")
    func toldByAnother() throws {
        var (homes, _) = try removal()
        homes.pass(40 * minute)
        homes.up(1)
        homes.pass(minute)
        homes.down(0)
        homes.box.forget(oneIn: 1, using: &homes.generator)
        homes.pass(minute)
        #expect(told(homes) == [2], "nothing of the removed member's lies there")
        homes.up(2)
        homes.pass(10 * minute)
        #expect(told(homes) == [2, 2])
        #expect(homes.nodes[2].log.isOut(homes.replica(2)))
    }

    @Test("a member's false letter keeps the remover's from nobody")
    func falseTelling() throws {
        var homes = try Homes(3)
        for home in 0..<3 { homes.up(home) }
        homes.write("a tent", on: 0)
        homes.pass(40 * minute)
        homes.down(2)
        let slot = try #require(homes.nodes[1].mailboxes.desks[0].writeSlot(of: homes.trip.epoch.id))
        let letter = MailboxLetter(
            by: homes.people[1], at: homes.wall, records: [], have: [], absent: AbsentBodies(),
            telling: homes.replica(2), in: slot, using: homes.trip.cryptography)
        homes.put(letter.encoding, in: slot)
        homes.pass(minute)
        homes.tell(0, .remove(participant: homes.trip.people[2].device.participant, ticket: 1))
        homes.pass(5 * minute)
        #expect(told(homes) == [2, 2])
        homes.up(2)
        homes.pass(minute)
        #expect(homes.nodes[2].log.isOut(homes.replica(2)))
    }

    @Test("many who are out are told, a few at once")
    func manyOut() throws {
        var homes = try Homes(7) { $0.mailbox.toldMax = 2 }
        for home in 0..<7 { homes.up(home) }
        homes.write("a tent", on: 0)
        homes.pass(40 * minute)
        for home in 1..<7 { homes.down(home) }
        homes.box.faults = [.full]
        for home in 1..<7 {
            homes.tell(0, .remove(participant: homes.trip.people[home].device.participant, ticket: 1))
            homes.pass(1_000)
        }
        var node = homes.nodes[0]
        let context = node.mailboxContext()
        #expect(node.mailboxes.desks[0].outsiders(in: context).count == 2)
        homes.box.faults = []
        homes.pass(30 * minute)
        #expect(Set(told(homes)) == Set(1..<7))
        for home in 1..<7 { homes.up(home) }
        homes.pass(minute)
        #expect((1..<7).allSatisfy { homes.nodes[$0].log.isOut(homes.replica($0)) })
    }

    @Test("those who left by themselves keep nobody from being told")
    func leavers() throws {
        var homes = try Homes(5) { $0.mailbox.toldMax = 1 }
        for home in 0..<5 { homes.up(home) }
        homes.write("a tent", on: 0)
        homes.pass(40 * minute)
        let slot = try #require(homes.nodes[0].mailboxes.desks[0].writeSlot(of: homes.trip.epoch.id))
        for home in 1..<4 {
            homes.tell(home, .remove(participant: homes.trip.people[home].device.participant, ticket: 1))
            let farewell = try #require(homes.nodes[home].log.graph.changes.last).record
            let letter = MailboxLetter(
                by: homes.people[home], at: homes.wall, records: [farewell], have: [], absent: AbsentBodies(), in: slot,
                using: homes.trip.cryptography)
            homes.put(letter.encoding, in: slot)
        }
        homes.pass(5 * minute)
        for home in 1..<5 { homes.down(home) }
        #expect((1..<4).allSatisfy { homes.nodes[0].log.isOut(homes.replica($0)) })
        homes.tell(0, .remove(participant: homes.trip.people[4].device.participant, ticket: 1))
        homes.pass(5 * minute)
        #expect(told(homes) == [4])
    }

    @Test("nobody is told after 30 days")
    func longAgo() throws {
        var homes = try Homes(2)
        for home in 0..<2 { homes.up(home) }
        homes.write("a tent", on: 0)
        homes.pass(40 * minute)
        homes.down(1)
        homes.tell(0, .remove(participant: homes.trip.people[1].device.participant, ticket: 1))
        homes.pass(100)
        homes.box.faults = [.full]
        homes.down(0)
        homes.box.faults = []
        let before = told(homes).count
        homes.pass(31 * 24 * 60 * minute)
        homes.up(0)
        homes.pass(10 * minute)
        #expect(told(homes).count == before)
    }

    @Test("a member who was away learns of the removal and of the new epoch through the mailbox")
    func awayMember() throws {
        var (homes, _) = try removal()
        homes.down(0)
        homes.up(1)
        homes.pass(2 * minute)
        #expect(homes.has(1, allOf: 0))
        #expect(homes.nodes[1].newestEpoch == homes.nodes[0].newestEpoch)
        let before = homes.box.history.count
        homes.write("thanks", on: 1)
        homes.pass(5 * minute)
        let blocks = homes.box.history[before...]
        #expect(!blocks.isEmpty)
        #expect(readable(blocks, by: 2, homes) == 0)
        homes.down(1)
        homes.up(0)
        homes.pass(minute)
        #expect(homes.has(0, allOf: 1))
        let later = homes.box.history.count
        homes.write("one block", on: 0)
        homes.pass(minute)
        #expect(homes.box.history.count == later + 1, "nobody is behind any more")
    }

    @Test("what a removed member goes on to put is not taken")
    func putByRemoved() throws {
        var (homes, _) = try removal()
        homes.down(0)
        homes.up(2)
        homes.pass(1_000)
        homes.write("I am still here", on: 2)
        homes.pass(minute)
        homes.down(2)
        homes.up(0)
        homes.pass(5 * minute)
        let text = Array("I am still here".utf8)
        #expect(!homes.nodes[0].log.graph.changes.contains { $0.change.content == text })
    }

    @Test("two removals at once: those who remain meet again through the mailbox")
    func twoRemovals() throws {
        // Home 1 brought 3; the founder removes 2 while 1 removes 3, and neither has heard of the other's.
        var homes = try Homes(4, bringers: [0, 0, 1])
        for home in 0..<4 { homes.up(home) }
        homes.pass(40 * minute)
        for home in 0..<4 { homes.down(home) }
        homes.box.faults = [.full]
        for (remover, removed) in [(0, 2), (1, 3)] {
            homes.up(remover)
            homes.pass(1_000)
            homes.tell(remover, .remove(participant: homes.trip.people[removed].device.participant, ticket: 1))
            homes.pass(15_000)
            homes.down(remover)
        }
        homes.box.faults = []
        for _ in 0..<3 {
            for home in 0..<2 {
                homes.up(home)
                homes.pass(20 * minute)
                homes.down(home)
            }
        }
        #expect(homes.has(0, allOf: 1) && homes.has(1, allOf: 0))
        #expect(homes.nodes[0].newestEpoch == homes.nodes[1].newestEpoch)
        #expect(homes.nodes[0].log.leavesRemovalsUnanswered(try #require(homes.nodes[0].newestEpoch).id) == false)
    }
}
