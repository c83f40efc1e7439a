import Testing
import TripSimulation

@testable import SyncEngine

/// How long blocks are read and kept.
struct MailboxRetentionTests {
    private let minute: UInt64 = 60_000

    @Test("blocks of 13 weeks are read, and older ones dropped")
    func weeks() throws {
        let week = UInt64(MailboxKeys.weekDuration)
        var homes = try Homes(2)
        homes.up(0)
        homes.pass(1_000)
        homes.write("a tent", on: 0)
        homes.pass(minute)
        homes.down(0)
        homes.pass(12 * week)
        homes.up(1)
        homes.pass(5_000)
        #expect(homes.has(1, allOf: 0))
        homes.pass(60 * minute)
        homes.down(1)
        let count = homes.box.count
        homes.pass(3 * week)
        homes.up(0)
        homes.pass(2 * minute)
        #expect(homes.box.count < count, "the tent's block is gone, for all have it")
    }

    @Test("who is away for longer is given all again, under the present week")
    func refreshed() throws {
        let week = UInt64(MailboxKeys.weekDuration)
        var homes = try Homes(2)
        homes.up(0)
        homes.pass(1_000)
        homes.write("a tent", on: 0)
        homes.pass(minute)
        homes.down(0)
        homes.pass(20 * week)
        // It has the only copy again, and puts it.
        homes.up(0)
        homes.pass(5 * minute)
        homes.down(0)
        homes.up(1)
        homes.pass(5_000)
        #expect(homes.has(1, allOf: 0))
    }
}
