import ChangeLog
import SyncEngine
import Testing
import TripSimulation

extension RemovedMemberTests {
    /// A link to a new invite of a machine's.
    private func invite(_ trip: inout Trip, on machine: Int, uses: Int) -> InviteLink {
        let invite = Invite(secret: .random(using: &trip.world.generator), uses: uses, expires: nil)
        trip.world.author(.membership(.invite(invite)), on: machine)
        _ = trip.world.run(for: 1_000)
        return InviteLink(trip: trip.link.trip, secret: invite.secret, hints: [])
    }

    /// Nobody else is there from whom the host could hear that the newcomer is in.
    @Test func whoTookSomebodyOutLetsOthersInAlone() throws {
        for seed in UInt64(90)..<94 {
            var trip = try trip(seed: seed, ["Noah"])
            trip.world.remove(participant(1, trip.world), on: 0)
            _ = trip.world.run(for: 2_000)
            trip.world.crash(1)
            let link = invite(&trip, on: 0, uses: 1)
            let newcomer = trip.addJoiner("Mia", link: link)
            let joined = trip.world.run(for: 20_000) { world in
                world.machines[newcomer].notices.contains(.admitted) && agree(world, [0, newcomer])
            }
            #expect(joined, "seed \(seed)")
        }
    }

    @Test func anInviteForOneLetsOneInAfterARemoval() throws {
        var trip = try trip(seed: 95, ["Noah"])
        trip.world.remove(participant(1, trip.world), on: 0)
        _ = trip.world.run(for: 2_000)
        trip.world.crash(1)
        let link = invite(&trip, on: 0, uses: 1)
        let newcomers = ["Mia", "Tom"].map { trip.addJoiner($0, link: link) }
        _ = trip.world.run(for: 20_000)
        #expect(newcomers.filter { trip.world.machines[$0].notices.contains(.admitted) }.count == 1)
        #expect(trip.world.machines[0].node.log.membership.allMembers.count == 2)
    }
}
