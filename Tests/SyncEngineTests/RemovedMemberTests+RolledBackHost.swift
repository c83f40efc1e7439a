import ChangeLog
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
}
