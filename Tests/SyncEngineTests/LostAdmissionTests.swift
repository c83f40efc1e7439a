import ChangeLog
import DeltaCRDT
import Sodium
import SyncEngine
import Testing

@testable import TripSimulation

/// Somebody is let in, and whoever let them in comes back from a backup of before that, of which nobody else had heard.
struct LostAdmissionTests {
    private func isLetIn(_ world: World, _ id: World.NodeID) -> Bool {
        let log = world.machines[id].node.log
        return log.membership.isIn(world.machines[id].node.secrets.device.replica)
    }

    /// A founder who has let somebody in, and is back from before that; as far as the newcomer had got by then.
    private func rolledBack(
        seed: UInt64, _ trip: inout Trip, newcomerHears: Bool
    ) throws -> (before: Int, noah: World.NodeID) {
        let before = trip.world.machines[0].disk.changes.count
        let noah = trip.addJoiner("Noah")
        let isAnswered = trip.world.run(for: 20_000) { world in
            newcomerHears ? isLetIn(world, noah) : !world.machines[noah].node.log.epochs.isEmpty
        }
        #expect(isAnswered, "seed \(seed)")
        #expect(newcomerHears || !isLetIn(trip.world, noah), "seed \(seed)")
        trip.world.crash(0)
        trip.world.rewind(0, to: before)
        return (before, noah)
    }

    /// They have the secrets and nothing else: they ask again, by the invite that they came with.
    @Test func whoHasTheSecretsAloneAsksAgain() throws {
        for seed in UInt64(1)...8 {
            var trip = try Trip(seed: seed, uses: 1)
            let (before, noah) = try rolledBack(seed: seed, &trip, newcomerHears: false)
            if seed % 2 == 0 {
                // A restart forgets neither.
                trip.world.crash(noah)
                try trip.world.restart(noah)
            }
            try trip.world.restart(0)
            #expect(trip.world.machines[0].node.log.changes.count == before)
            let isIn = trip.world.run(for: 20_000) { isLetIn($0, noah) && Trip.haveConverged($0) }
            #expect(isIn, "seed \(seed)")
            #expect(trip.world.machines[noah].notices.contains(.admitted), "seed \(seed)")
            trip.write("tent", on: noah)
            let hasCome = trip.world.run(for: 5_000) { Trip.haveConverged($0, on: before + 2) }
            #expect(hasCome, "seed \(seed)")
        }
    }

    /// An invite that is over lets nobody in again, however often they ask.
    @Test func byAnInviteThatIsClosedNobodyIsLetInAgain() throws {
        for seed in UInt64(1)...4 {
            var trip = try Trip(seed: seed)
            let (_, noah) = try rolledBack(seed: seed, &trip, newcomerHears: false)
            let invite = Invite.id(ofSecret: trip.link.secret, using: trip.cryptography)
            trip.world.crash(noah)
            try trip.world.restart(0)
            trip.world.author(.membership(.closeInvite(id: invite)), on: 0)
            _ = trip.world.run(for: 100)
            try trip.world.restart(noah)
            let replica = trip.world.machines[noah].node.secrets.device.replica
            let isIn = trip.world.run(for: 60_000) {
                isLetIn($0, noah) || $0.machines[0].node.log.membership.isIn(replica)
            }
            #expect(!isIn, "seed \(seed)")
            #expect(trip.world.machines[noah].node.log.epochs.count == 1, "seed \(seed)")
        }
    }

    /// They have their admission, and have written on it, and so has the founder on another branch: the newcomer hands
    /// the founder's own lost change over before what stands on it, or is asked for it.
    @Test func whoHoldsTheirAdmissionHandsItOver() throws {
        for seed in UInt64(1)...12 {
            var trip = try Trip(seed: seed)
            let (before, noah) = try rolledBack(seed: seed, &trip, newcomerHears: true)
            trip.write("tent", on: noah)
            trip.world.cut(noah)
            try trip.world.restart(0)
            for number in 0..<Int(seed % 4) { trip.write("stove \(number)", on: 0) }
            _ = trip.world.run(for: 200)
            trip.world.join(noah)
            let haveAgreed = trip.world.run(for: 20_000) {
                Trip.haveConverged($0, on: before + 2 + Int(seed % 4))
            }
            #expect(haveAgreed, "seed \(seed)")
            #expect(isLetIn(trip.world, noah))
            // It came over one session, without being refused.
            #expect(
                !trip.world.machines[0].notices.contains {
                    if case .refused(.notAdmitted, _) = $0 { true } else { false }
                }, "seed \(seed)")
        }
    }
}
