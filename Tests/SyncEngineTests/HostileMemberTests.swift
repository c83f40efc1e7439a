import ChangeLog
import DeltaCRDT
import Sodium
import Testing
import TripSimulation

@testable import SyncEngine

/// What a stranger or a member with a node of their own making must not do to others.
struct HostileMemberTests {
    /// An epoch whose secret one alone was given: what they write from then on must not be lost to the others.
    @Test func anEpochThatOneAloneWasGivenPartsNobody() throws {
        var trip = try Trip(seed: 5)
        for name in ["Noah", "Mia"] { trip.addJoiner(name) }
        let met = trip.world.run(for: 40_000) { world in
            world.machines.allSatisfy { $0.node.sessions.count == 2 && !$0.node.isPersisting }
        }
        #expect(met)
        let epoch = Epoch(secret: .random(using: &trip.world.generator), using: trip.cryptography)
        let noah = trip.world.machines[1].node.secrets.device
        let grant = EpochGrant(epoch, to: [noah], using: &trip.world.generator, trip.cryptography)
        trip.world.author(.membership(.beginEpoch(grant)), on: 2)
        _ = trip.world.run(for: 5_000)
        trip.write("from Noah", on: 1)
        trip.write("from Jie", on: 0)
        _ = trip.world.run(for: 5_000)
        let isWhole = trip.world.run(for: 120_000) { world in
            world.machines.allSatisfy { machine in
                machine.applied.count { if case .content = $0.body { true } else { false } } == 2
            }
        }
        #expect(isWhole)
        #expect(trip.haveConverged())
    }
}
