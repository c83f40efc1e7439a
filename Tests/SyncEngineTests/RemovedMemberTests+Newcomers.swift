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
