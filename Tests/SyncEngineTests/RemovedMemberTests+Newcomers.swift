import ChangeLog
import SyncEngine
import Testing
import TripSimulation

extension RemovedMemberTests {
    @Test("whoever took somebody out lets others in with nobody else there")
    func newcomerAfterRemoval() throws {
        for seed in UInt64(90)..<94 {
            var trip = try trip(seed: seed, ["Noah"])
            trip.world.remove(participant(1, trip.world), on: 0)
            _ = trip.run(for: 2_000)
            trip.world.crash(1)
            let link = trip.invite(on: 0)
            _ = trip.run(for: 1_000)
            let newcomer = trip.addJoiner("Mia", link: link)
            let joined = trip.run(for: 20_000) { world in
                world.machines[newcomer].notices.contains(.admitted) && agree(world, [0, newcomer])
            }
            #expect(joined, "seed \(seed)")
        }
    }

    /// Lets somebody join while Noah alone is there.
    private func joinThroughNoah(_ comment: Comment, within duration: UInt64 = 20_000, in trip: inout Trip) -> Int {
        let newcomer = trip.addJoiner("Mia")
        let joined = trip.run(for: duration) { world in
            world.machines[newcomer].notices.contains(.admitted) && agree(world, [1, newcomer])
        }
        #expect(joined, comment)
        return newcomer
    }

    /// The host is the only member who has met the newcomer, and is gone for good.
    @Test("a newcomer whose host is removed before anybody else met them shows their own admission, and is kept")
    func newcomerOfARemovedHost() throws {
        for seed in UInt64(100)..<104 {
            var trip = try trip(seed: seed, ["Noah"])
            trip.world.crash(0)
            let newcomer = joinThroughNoah("seed \(seed)", in: &trip)
            trip.write("by Mia", on: newcomer)
            _ = trip.run(for: 2_000)
            for machine in [1, newcomer] { trip.world.crash(machine) }
            try trip.world.restart(0)
            trip.world.remove(participant(1, trip.world), on: 0)
            _ = trip.run(for: 2_000)
            try trip.world.restart(newcomer)
            let mia = participant(newcomer, trip.world)
            let isTold = trip.run(for: 60_000) { world in
                world.machines[0].node.log.peopleWaiting == [mia]
                    && world.machines[newcomer].node.ownDeparture?.waitsFor == participant(1, world)
            }
            #expect(isTold, "seed \(seed)")
            trip.world.handle(.keep(participant: mia, ticket: 9), on: 0)
            let isKept = trip.run(for: 60_000) { world in
                world.machines[newcomer].node.ownDeparture == nil && agree(world, [0, newcomer])
            }
            #expect(isKept, "seed \(seed)")
            let changes = trip.world.machines[0].node.log.graph.changes
            #expect(changes.contains { $0.change.content == Array("by Mia".utf8) }, "seed \(seed)")
        }
    }

    /// More than is sent without an acknowledgement stands before the admission.
    @Test("a newcomer that nobody knows is heard in a trip of megabytes, too")
    func newcomerInALongTrip() throws {
        var trip = try trip(seed: 104, ["Noah"])
        for _ in 0..<40 { trip.world.handle(.write(content: [UInt8](repeating: 7, count: 50_000), ticket: 0), on: 0) }
        let spread = trip.run(for: 20_000) { agree($0, [0, 1]) }
        #expect(spread)
        trip.world.crash(0)
        let newcomer = joinThroughNoah("a long trip", within: 40_000, in: &trip)
        for machine in [1, newcomer] { trip.world.crash(machine) }
        try trip.world.restart(0)
        trip.world.remove(participant(1, trip.world), on: 0)
        _ = trip.run(for: 2_000)
        try trip.world.restart(newcomer)
        let mia = participant(newcomer, trip.world)
        let isTold = trip.run(for: 60_000) { world in
            world.machines[0].node.log.peopleWaiting == [mia] && world.machines[newcomer].node.ownDeparture != nil
        }
        #expect(isTold)
    }

    /// One member hears the admission by the removed host, and another admits the newcomer again, and is gone.
    @Test("a newcomer who was kept by somebody who is gone is heard by those who think that they wait")
    func keptBySomebodyGone() throws {
        for seed in UInt64(120)..<123 {
            var trip = try trip(seed: seed, ["Noah", "Jie"])
            for machine in [0, 2] { trip.world.crash(machine) }
            let newcomer = joinThroughNoah("seed \(seed)", in: &trip)
            for machine in [1, newcomer] { trip.world.crash(machine) }
            for machine in [0, 2] { try trip.world.restart(machine) }
            trip.world.remove(participant(1, trip.world), on: 0)
            let heard = trip.run(for: 20_000) { agree($0, [0, 2]) }
            #expect(heard, "seed \(seed)")
            try trip.world.restart(newcomer)
            let mia = participant(newcomer, trip.world)
            let waits = trip.run(for: 60_000) { world in
                [0, 2].allSatisfy { world.machines[$0].node.log.peopleWaiting == [mia] }
            }
            #expect(waits, "seed \(seed)")
            trip.world.crash(2)
            trip.world.handle(.keep(participant: mia, ticket: 9), on: 0)
            let isKept = trip.run(for: 60_000) { agree($0, [0, newcomer]) }
            #expect(isKept, "seed \(seed)")
            trip.world.crash(0)
            try trip.world.restart(2)
            let isHeard = trip.run(for: 60_000) { agree($0, [2, newcomer]) }
            #expect(isHeard, "seed \(seed)")
        }
    }

    @Test("an invite for one lets one in after a removal")
    func oneNewcomer() throws {
        var trip = try trip(seed: 95, ["Noah"])
        trip.world.remove(participant(1, trip.world), on: 0)
        _ = trip.run(for: 2_000)
        trip.world.crash(1)
        let link = trip.invite(on: 0)
        _ = trip.run(for: 1_000)
        let newcomers = ["Mia", "Tom"].map { trip.addJoiner($0, link: link) }
        _ = trip.run(for: 20_000)
        #expect(newcomers.filter { trip.world.machines[$0].notices.contains(.admitted) }.count == 1)
        #expect(trip.world.machines[0].node.log.membersWithNode.count == 2)
    }
}
