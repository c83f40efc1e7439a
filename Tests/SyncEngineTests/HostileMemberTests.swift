import ChangeLog
import DeltaCRDT
import Sodium
import Testing
import TripSimulation

@testable import SyncEngine

/// What a stranger or a member with a node of their own making must not do to others.
struct HostileMemberTests {
    @Test("an epoch whose secret one alone was given parts nobody")
    func keptEpoch() throws {
        var trip = try Trip(seed: 5)
        for name in ["Noah", "Mia"] { trip.addJoiner(name) }
        let met = trip.run(for: 40_000) { world in
            world.machines.allSatisfy { $0.node.sessions.count == 2 && !$0.node.isPersisting }
        }
        #expect(met)
        let epoch = Epoch(secret: .random(using: &trip.world.generator), using: trip.cryptography)
        let noah = trip.world.machines[1].node.secrets.device
        let grant = EpochGrant(epoch, to: [noah], using: &trip.world.generator, trip.cryptography)
        trip.world.write(.beginEpoch(grant), on: 2)
        _ = trip.run(for: 5_000)
        trip.write("from Noah", on: 1)
        trip.write("from Jie", on: 0)
        let isWhole = trip.run(for: 60_000) { world in
            world.machines.allSatisfy { machine in machine.applied.count { !$0.content.isEmpty } == 2 }
                && Set(world.machines.map(\.node.newestEpoch)).count == 1
        }
        #expect(isWhole)
        #expect(trip.haveConverged())
    }
}
