import ChangeLog
import DeltaCRDT
import Sodium
import SyncEngine
import Testing

@testable import TripSimulation

/// Somebody is let in, and whoever let them in comes back from a backup of before that, of which nobody else had heard.
struct LostAdmissionTests {
    private func isLetIn(_ world: World, _ id: World.NodeID) -> Bool {
        world.machines[id].node.log.isIn(world.machines[id].node.secrets.device.replica)
    }

    /// A founder who has let somebody in, and is back from before that; as far as the newcomer had got by then.
    private func rolledBack(
        seed: UInt64, _ trip: inout Trip, newcomerHears: Bool
    ) throws -> (before: Int, noah: World.NodeID) {
        let before = trip.world.machines[0].disk.changes.count
        let noah = trip.addJoiner("Noah")
        let isAnswered = trip.run(for: 20_000) { world in
            newcomerHears ? isLetIn(world, noah) : world.machines[noah].node.isMember
        }
        #expect(isAnswered, "seed \(seed)")
        #expect(newcomerHears || !isLetIn(trip.world, noah), "seed \(seed)")
        trip.world.crash(0)
        trip.world.rewind(0, to: before)
        return (before, noah)
    }

    /// They have the secrets and nothing else: they ask again, by the invite that they came with.
    @Test("whoever has the secrets alone asks again")
    func secretsAlone() throws {
        for seed in UInt64(1)...8 {
            var trip = try Trip(seed: seed, uses: 1)
            let (before, noah) = try rolledBack(seed: seed, &trip, newcomerHears: false)
            if seed % 2 == 0 {
                // A restart forgets neither.
                trip.world.crash(noah)
                try trip.world.restart(noah)
            }
            try trip.world.restart(0)
            #expect(trip.world.machines[0].node.log.count == before)
            let isIn = trip.run(for: 20_000) { isLetIn($0, noah) && Trip.haveConverged($0) }
            #expect(isIn, "seed \(seed)")
            #expect(trip.world.machines[noah].notices.contains(.admitted), "seed \(seed)")
            trip.write("tent", on: noah)
            let hasCome = trip.run(for: 5_000) { Trip.haveConverged($0, on: before + 2) }
            #expect(hasCome, "seed \(seed)")
        }
    }

    /// An invite that is over lets nobody in again, however often they ask.
    @Test("by an invite that is closed nobody is let in again")
    func closedInvite() throws {
        for seed in UInt64(1)...4 {
            var trip = try Trip(seed: seed)
            let (_, noah) = try rolledBack(seed: seed, &trip, newcomerHears: false)
            let invite = Invite.id(ofSecret: trip.link.secret, using: trip.cryptography)
            trip.world.crash(noah)
            try trip.world.restart(0)
            trip.world.write(.closeInvite(id: invite), on: 0)
            _ = trip.run(for: 100)
            try trip.world.restart(noah)
            let replica = trip.world.machines[noah].node.secrets.device.replica
            let isIn = trip.run(for: 60_000) {
                isLetIn($0, noah) || $0.machines[0].node.log.isIn(replica)
            }
            #expect(!isIn, "seed \(seed)")
            #expect(trip.world.machines[noah].node.isMember, "seed \(seed)")
        }
    }

    /// They have their admission, and have written on it, and so has the founder on another branch: the newcomer hands
    /// the founder's own lost change over before what stands on it, or is asked for it.
    @Test("whoever holds their admission hands it over")
    func handedOver() throws {
        for seed in UInt64(1)...12 {
            var trip = try Trip(seed: seed)
            let (before, noah) = try rolledBack(seed: seed, &trip, newcomerHears: true)
            trip.write("tent", on: noah)
            trip.world.cut(noah)
            try trip.world.restart(0)
            for number in 0..<Int(seed % 4) { trip.write("stove \(number)", on: 0) }
            _ = trip.run(for: 200)
            trip.world.join(noah)
            let haveAgreed = trip.run(for: 20_000) {
                Trip.haveConverged($0, on: before + 2 + Int(seed % 4))
            }
            #expect(haveAgreed, "seed \(seed)")
            #expect(isLetIn(trip.world, noah))
            // It came over one session, without being refused.
            #expect(
                !trip.world.machines[0].notices.contains {
                    if case .misbehaved = $0 { true } else { false }
                }, "seed \(seed)")
        }
    }
}
