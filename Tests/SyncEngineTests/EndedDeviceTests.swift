import ChangeLog
import DeltaCRDT
import TestTiers
import Testing

@testable import SyncEngine
@testable import TripSimulation

/// A person ends another device of theirs.
struct EndedDeviceTests {
    @Test(
        "all devices that remain get a new epoch's secret, the ended one gets none, and its later changes don't count")
    func end() throws {
        var trip = try Trip(seed: 5)
        trip.addJoiner("Noah")
        _ = trip.run(for: 40_000) { world in world.machines.allSatisfy { $0.node.sessions.count == 1 } }
        let jie = trip.world.machines[0].node.secrets.device.participant
        let link = trip.invite(participant: jie, on: 0)
        _ = trip.run(for: 1_000)
        let secrets = DeviceSecrets.random(of: jie, using: &trip.world.generator, trip.cryptography)
        trip.addJoiner("Laptop", link: link, secrets: secrets)
        #expect(
            trip.run(for: 40_000) { world in
                world.machines.allSatisfy { $0.node.sessions.count == 2 && !$0.node.isPersisting }
            })
        trip.write("by the laptop", on: 2)
        _ = trip.run(for: 2_000)
        let laptop = trip.world.machines[2].node.secrets.device
        let before = try #require(trip.world.machines[0].node.newestEpoch)
        let kept = trip.world.machines[0].node.log.lastChangeToKeep(of: laptop.replica)

        trip.world.handle(.end(device: laptop.replica, ticket: 1), on: 1)
        trip.world.handle(.end(device: laptop.replica, ticket: 2), on: 0)
        #expect(
            trip.run(for: 3_000) { world in
                [0, 1].allSatisfy { world.machines[$0].node.newestEpoch.map { $0 != before } ?? false }
            })
        #expect(throws: WritingFailure.notAbove) { try trip.world.machines[1].authored[1]?.get() }
        let hash = try #require(try trip.world.machines[0].authored[2]?.get())
        let log = trip.world.machines[0].node.log
        let change = log.graph[try #require(log.graph.index(of: hash))].change
        guard case .end(laptop.replica, let last, let grant?) = change.statement else {
            Issue.record("not an end: \(String(describing: change.statement))")
            return
        }
        #expect(last != nil && last == kept.map { log.graph[$0].hash })
        #expect(grant.boxes.count == 2, "one for each device that remains")
        #expect(trip.world.machines[2].node.newestEpoch == before || trip.world.machines[2].node.sessions.isEmpty)
        trip.write("by a thief", on: 2)
        _ = trip.run(for: 20_000)
        for machine in [0, 1] {
            let node = trip.world.machines[machine].node
            #expect(!node.sessions.contains { $0.device == laptop })
            #expect(node.log.isOut(laptop.replica) && !node.log.membersWithNode.contains(laptop))
        }
        #expect(trip.world.machines[2].node.newestEpoch == before, "the ended device cannot open the new epoch")
    }
}
