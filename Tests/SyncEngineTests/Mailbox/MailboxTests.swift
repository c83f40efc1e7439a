import ChangeLog
import Convergence
import DeltaCRDT
import Testing
import TripSimulation

@testable import SyncEngine

/// People in different homes plan together, though their nodes never run at the same time.
struct MailboxTests {
    private let minute: UInt64 = 60_000

    @Test("two homes that are never up at the same time have everything of each other")
    func neverTogether() throws {
        var homes = try Homes(2)
        homes.up(0)
        homes.pass(1_000)
        homes.write("a tent", on: 0)
        homes.pass(minute)
        homes.down(0)
        homes.up(1)
        homes.pass(5_000)
        #expect(homes.has(1, allOf: 0))
        homes.write("a stove", on: 1)
        homes.pass(minute)
        homes.down(1)
        homes.up(0)
        homes.pass(5_000)
        #expect(homes.has(0, allOf: 1))
        #expect(homes.nodes[0].changesNotKnown(at: homes.replica(1)) == 0, "the letter that brought the stove says so")
    }

    @Test("a home learns within 30 minutes that another has what it wrote, and not at a fixed time")
    func receipts() throws {
        var delays: Set<UInt64> = []
        for seed in 1...4 as ClosedRange<UInt64> {
            var homes = try Homes(2, seed: seed)
            homes.up(0)
            homes.up(1)
            homes.pass(1_000)
            homes.write("a tent", on: 0)
            homes.pass(15_000)
            #expect(homes.has(1, allOf: 0))
            let count = homes.nodes[0].changesNotKnown(at: homes.replica(1))
            #expect(count > 0)
            #expect(
                homes.nodes[0].changesInMailbox(notKnownAt: homes.replica(1)) == count, "in the mailbox, not there yet")
            let begun = homes.time
            homes.pass(31 * minute) { $0.nodes[0].changesNotKnown(at: $0.replica(1)) == 0 }
            #expect(homes.nodes[0].changesNotKnown(at: homes.replica(1)) == 0)
            delays.insert((homes.time - begun) / 1_000)
        }
        #expect(delays.count == 4)
    }

    @Test("a box and two homes come to rest: nothing is put while nothing happens")
    func rest() throws {
        var homes = try Homes(3)
        for home in 0..<3 { homes.up(home) }
        homes.write("a tent", on: 0)
        homes.pass(45 * minute)
        let puts = homes.box.puts
        #expect(puts <= 8, "the tent, and what each has")
        homes.pass(2 * 60 * minute)
        #expect(homes.box.puts == puts)
    }

    @Test("what is written leaves after a quiet of 2 to 10 s, and at once while somebody else is heard")
    func liveAndQuiet() throws {
        var homes = try Homes(2)
        for home in 0..<2 { homes.up(home) }
        homes.pass(1_000)
        homes.write("a tent", on: 0)
        let written = homes.time
        homes.pass(11_000)
        let first = try #require(homes.puts(of: 0).first)
        #expect((2_000...10_000).contains(first.time - written))
        homes.write("a stove", on: 1)
        let answered = homes.time
        homes.pass(1_000)
        #expect(try #require(homes.puts(of: 1).first).time - answered <= 10, "somebody was heard in the last minute")
        #expect(homes.has(0, allOf: 1))
        homes.pass(2 * minute)
        homes.write("a map", on: 1)
        homes.pass(1_500)
        #expect(homes.puts(of: 1).count == 1, "and no more")
    }

    @Test("somebody who goes on writing is heard after 30 s")
    func unquiet() throws {
        var homes = try Homes(2)
        homes.up(0)
        homes.pass(1_000)
        let begun = homes.time
        homes.pass(0)
        for number in 0..<40 {
            homes.write("\(number)", on: 0)
            homes.pass(1_000)
        }
        let first = try #require(homes.puts(of: 0).first)
        #expect(first.time - begun <= 31_000)
    }

    @Test("48 KiB leave at once, in blocks of at most 64 KiB")
    func greatBlocks() throws {
        var homes = try Homes(2)
        homes.up(0)
        homes.pass(1_000)
        for _ in 0..<8 { homes.write(String(repeating: "x", count: 20_000), on: 0) }
        homes.pass(500)
        #expect(homes.puts(of: 0).count >= 2)
        homes.pass(minute)
        #expect(homes.puts(of: 0).allSatisfy { $0.bytes.count <= 65_536 })
        homes.up(1)
        homes.pass(5_000)
        #expect(homes.has(1, allOf: 0))
    }

    @Test("a change of the greatest size goes through the box")
    func greatestChange() throws {
        var homes = try Homes(2)
        homes.up(0)
        homes.pass(1_000)
        homes.write(String(repeating: "x", count: ChangeBounds.contentBytesMax), on: 0)
        homes.pass(minute)
        homes.up(1)
        homes.pass(5_000)
        #expect(homes.has(1, allOf: 0))
    }

    @Test("a home with nothing takes a long trip in any order of blocks")
    func newcomer() throws {
        var homes = try Homes(2)
        homes.up(0)
        homes.pass(1_000)
        for number in 0..<200 { homes.write("\(number)" + String(repeating: "y", count: 900), on: 0) }
        homes.pass(minute)
        #expect(homes.box.count > 4)
        homes.up(1)
        homes.pass(minute)
        #expect(homes.has(1, allOf: 0))
    }

    @Test("a box that forgets costs a delay: who sees that a block is missing puts it again")
    func forgetfulBox() throws {
        var homes = try Homes(2)
        homes.up(0)
        homes.pass(1_000)
        homes.write("a tent", on: 0)
        homes.pass(minute)
        homes.box.forget(oneIn: 1, using: &homes.generator)
        #expect(homes.box.count == 0)
        homes.pass(6 * minute)
        #expect(homes.box.count >= 1)
        homes.down(0)
        homes.up(1)
        homes.pass(5_000)
        #expect(homes.has(1, allOf: 0))
    }

    @Test("somebody else puts it again where its author is away")
    func relay() throws {
        var homes = try Homes(3)
        homes.up(0)
        homes.up(1)
        homes.pass(1_000)
        homes.write("a tent", on: 0)
        homes.pass(minute)
        homes.down(0)
        homes.box.forget(oneIn: 1, using: &homes.generator)
        homes.pass(6 * minute)
        homes.down(1)
        homes.up(2)
        homes.pass(5_000)
        #expect(homes.has(2, allOf: 0))
    }

    @Test("a box that always forgets is put to less and less often")
    func hopelessBox() throws {
        var homes = try Homes(2)
        homes.up(0)
        homes.pass(1_000)
        homes.write("a tent", on: 0)
        for _ in 0..<4 * 60 {
            homes.pass(minute)
            homes.box.forget(oneIn: 1, using: &homes.generator)
        }
        #expect(homes.puts(of: 0).count < 40, "in 240 minutes")
        #expect(homes.nodes[0].changesNotKnown(at: homes.replica(1)) > 0, "and nobody is said to have it")
    }

    @Test("a restored home is given what it lost")
    func restoredHome() throws {
        var homes = try Homes(2)
        for home in 0..<2 { homes.up(home) }
        homes.pass(1_000)
        homes.write("a tent", on: 0)
        homes.pass(40 * minute)
        #expect(homes.nodes[0].changesNotKnown(at: homes.replica(1)) == 0)
        homes.box.forget(oneIn: 1, using: &homes.generator)
        homes.forgetEverything(1)
        homes.pass(90 * minute)
        #expect(homes.has(1, allOf: 0))
    }

    @Test("a receipt in another's name is not believed")
    func forgedReceipt() throws {
        var homes = try Homes(3)
        homes.up(0)
        homes.pass(1_000)
        homes.write("a tent", on: 0)
        homes.pass(minute)
        let slot = try #require(homes.box.slots.first)
        let tip = try #require(homes.nodes[0].log.graph.changes.last).hash
        // Somebody who holds the epoch's secret puts a letter that bears Noah's name, and one of their own.
        for author in [1, 2] {
            var letter = MailboxLetter(
                by: homes.trip.people[2], at: homes.wall, records: [], have: [tip], absent: AbsentBodies(), in: slot,
                using: homes.trip.cryptography
            ).encoding
            if author == 1 {
                let name = homes.replica(1).bytes
                letter.replaceSubrange(1..<1 + name.count, with: name)
                #expect(try MailboxLetter(decoding: letter).author == homes.replica(1))
            }
            homes.put(letter, in: slot)
        }
        homes.pass(2 * minute)
        #expect(homes.nodes[0].changesNotKnown(at: homes.replica(1)) > 0)
        #expect(homes.nodes[0].changesNotKnown(at: homes.replica(2)) == 0, "their own is")
    }

    @Test("an old receipt that is served again says nothing")
    func oldReceipt() throws {
        var homes = try Homes(2)
        for home in 0..<2 { homes.up(home) }
        homes.pass(1_000)
        homes.write("a tent", on: 0)
        homes.pass(40 * minute)
        let slot = try #require(homes.box.slots.first)
        let old = MailboxLetter(
            by: homes.trip.people[1], at: homes.wall - 86_400_000, records: [], have: [], absent: AbsentBodies(),
            in: slot, using: homes.trip.cryptography)
        homes.put(old.encoding, in: slot)
        homes.pass(2 * minute)
        #expect(homes.nodes[0].changesNotKnown(at: homes.replica(1)) == 0)
    }

    @Test("a full box is tried again, and people hear of it")
    func fullBox() throws {
        var homes = try Homes(2)
        homes.box.faults = [.full]
        homes.up(0)
        homes.pass(1_000)
        homes.write("a tent", on: 0)
        homes.pass(60 * minute)
        #expect((2...8).contains(homes.puts(of: 0).count))
        #expect(homes.notices.contains { $0.notice == .reached(.mailboxRoom) })
        homes.box.faults = []
        homes.pass(11 * minute)
        #expect(homes.box.count == 1)
    }

    @Test("blocks that are half there are read once they are whole")
    func partialFiles() throws {
        var homes = try Homes(2)
        homes.up(0)
        homes.pass(1_000)
        for number in 0..<20 {
            homes.write("\(number)", on: 0)
            homes.pass(15_000)
        }
        homes.box.faults = [.partialFile]
        homes.up(1)
        homes.pass(minute)
        homes.box.faults = []
        homes.pass(11 * minute)
        #expect(homes.has(1, allOf: 0))
    }

    @Test("a block that is damaged for good is put again once its reader says so")
    func damagedForGood() throws {
        var homes = try Homes(2)
        for home in 0..<2 { homes.up(home) }
        homes.pass(40 * minute)
        homes.down(1)
        homes.write("a tent", on: 0)
        homes.pass(minute)
        homes.box.truncateAll()
        homes.up(1)
        homes.pass(60 * minute)
        #expect(homes.has(1, allOf: 0))
    }

    @Test("many files that are no blocks delay what is one, and are not read for ever")
    func foreignFiles() throws {
        var homes = try Homes(2) { ($0.mailbox.namesOfSlotMax, $0.mailbox.fetchesPerMinute) = (400, 60) }
        homes.up(0)
        homes.pass(1_000)
        homes.write("a tent", on: 0)
        homes.pass(minute)
        homes.down(0)
        homes.box.stuff(500, into: try #require(homes.box.slots.first), using: &homes.generator)
        homes.up(1)
        homes.pass(minute - 1_000)
        func gets(_ homes: Homes) -> Int {
            homes.requests.count { if case .get = $0.request { $0.home == 1 } else { false } }
        }
        #expect(gets(homes) <= 60)
        #expect(homes.notices.contains { $0.notice == .reached(.mailboxBlocks) })
        homes.pass(15 * minute) { $0.has(1, allOf: 0) }
        #expect(homes.has(1, allOf: 0))
        homes.pass(60 * minute)
        let before = gets(homes)
        #expect(before < 510, "each once")
        homes.pass(60 * minute)
        #expect(gets(homes) - before < 5)
    }

    @Test("letters whose past never comes wait within a bound")
    func missingPasts() throws {
        var homes = try Homes(3) { ($0.mailbox.waitingBytesMax, $0.mailbox.waitingMax) = (20_000, 12) }
        homes.up(0)
        homes.pass(1_000)
        homes.write("a tent", on: 0)
        homes.pass(minute)
        let slot = try #require(homes.box.slots.first)
        var log = homes.trip.log
        try log.add(nil, [0], by: homes.trip.people[2])
        for number in 0..<40 as Range<UInt8> {
            let record = try log.add(nil, [UInt8](repeating: number, count: 1_000), by: homes.trip.people[2]).record
            let letter = MailboxLetter(
                by: homes.trip.people[2], at: homes.wall + Int64(number), records: [record], have: [],
                absent: AbsentBodies(), in: slot, using: homes.trip.cryptography)
            homes.put(letter.encoding, in: slot)
        }
        homes.up(1)
        // The invariants of a catalogue hold after each event.
        homes.pass(20 * minute)
        #expect(homes.has(1, allOf: 0))
    }

    @Test("a fifth mailbox is ignored, and one that is detached is asked for nothing")
    func mailboxes() throws {
        var homes = try Homes(2)
        homes.up(0)
        for number in 0..<6 as Range<UInt64> { homes.tell(0, .mailbox(.attached(Bytes16(high: 0, low: number)))) }
        homes.pass(1_000)
        func prefixes(_ requests: some Sequence<(home: Int, time: UInt64, request: MailboxRequest)>) -> Set<Bytes16> {
            Set(
                requests.flatMap { one -> [Bytes16] in
                    if case .list(let slots) = one.request { slots.map(\.prefix) } else { [] }
                })
        }
        #expect(prefixes(homes.requests).count == SessionLimits().mailbox.mailboxesMax)
        homes.tell(0, .mailbox(.detached(homes.box.prefix)))
        let before = homes.requests.count
        homes.pass(10 * minute)
        let later = prefixes(homes.requests[before...])
        #expect(later.count == 3 && !later.contains(homes.box.prefix))
    }

    @Test("what unknown devices put is bounded")
    func unprovenLetters() throws {
        var homes = try Homes(2) { $0.unprovenChangesMax = 20 }
        homes.up(0)
        homes.pass(1_000)
        homes.write("a tent", on: 0)
        homes.pass(minute)
        let slot = try #require(homes.box.slots.first)
        // Everybody may repeat what is known; only who is in may go on.
        let records = homes.trip.log.graph.changes.map(\.record)
        for number in 0..<20 as Range<UInt64> {
            let letter = MailboxLetter(
                by: stranger(number, homes.trip.cryptography), at: homes.wall, records: records, have: [],
                absent: AbsentBodies(), in: slot, using: homes.trip.cryptography)
            homes.put(letter.encoding, in: slot)
        }
        homes.pass(5 * minute)
        #expect(homes.notices.contains { $0.notice == .reached(.unprovenChanges) })
        // They may put as much again after an hour, and what was passed over is read again.
        let count = homes.requests.count
        homes.pass(57 * minute)
        let fetched = homes.requests[count...].count { if case .get = $0.request { true } else { false } }
        #expect(fetched > 0)
    }
}
