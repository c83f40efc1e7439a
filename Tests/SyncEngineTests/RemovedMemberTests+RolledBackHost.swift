import ChangeLog
import Convergence
import DeltaCRDT
import Sodium
import Testing

@testable import SyncEngine
@testable import TripSimulation

/// A host whose disk is older than what it knows: it holds a secret, and not the change that says who is not to know it.
extension RemovedMemberTests {
    /// Who was taken out comes by a link that the host's old log takes for an open one, as if they had not heard that they
    /// are in.
    @Test("a host back from before a removal lets nobody in to what came after it")
    func rolledBackHost() throws {
        for seed in UInt64(95)..<98 {
            var trip = try trip(seed: seed, ["Noah", "Mia"])
            let before = trip.world.machines[2].disk.changes.count
            let noah = trip.world.machines[1].node.secrets
            trip.world.crash(1)
            trip.world.remove(noah.device.participant, on: 0)
            let heard = trip.run(for: 20_000) { agree($0, [0, 2]) && epochCount(2, $0) == 2 }
            #expect(heard, "seed \(seed)")
            let epoch = try rollBack(2, to: before, in: &trip)
            let back = trip.addJoiner("Noah", secrets: noah)
            let isIn = trip.run(for: 60_000) {
                $0.machines[back].notices.contains(.admitted) || $0.machines[back].node.isMember
            }
            #expect(isIn, "seed \(seed): the host does not know better")
            _ = trip.run(for: 2_000)
            #expect(trip.world.machines[back].node.newestEpoch != epoch, "seed \(seed)")
            #expect(!trip.world.machines[back].disk.epochs.contains(epoch.secret), "seed \(seed)")
        }
    }

    /// It is named under the one epoch that it knows, and the member thinks that it knows the newest.
    @Test("a device back from a backup of many epochs ago is found by a member who was in then")
    func restoredDevice() throws {
        var trip = try trip(seed: 99, ["Noah"])
        let before = trip.world.machines[0].disk.changes.count
        for count in 2...21 {
            let epoch = Epoch(secret: .random(using: &trip.world.generator), using: trip.cryptography)
            let members = trip.world.machines[0].node.log.membersWithNode
            let grant = EpochGrant(epoch, to: members, using: &trip.world.generator, trip.cryptography)
            trip.world.write(.beginEpoch(grant), on: 0)
            let heard = trip.run(for: 5_000) { epochCount(1, $0) == count && agree($0, [0, 1]) }
            #expect(heard, "epoch \(count)")
        }
        // The member has other addresses of it in mind, where nobody is.
        trip.world.move(0)
        trip.world.crash(0)
        trip.world.rewind(0, to: before)
        try trip.world.restart(0)
        trip.world.move(0)
        #expect(epochCount(0, trip.world) == 1)
        let met = trip.run(for: 60_000) { epochCount(0, $0) == 21 && agree($0, [0, 1]) }
        #expect(met)
    }
}
