import ChangeLog
import DeltaCRDT
import Sodium
import SyncEngine
import Testing
import TripSimulation

/// Guests of a node: it writes for them in logs of their own, which nobody takes for a node's.
struct GuestTests {
    /// Jie, Noah and Mia, all together, and a guest of Noah's.
    private func trip(seed: UInt64) throws -> (trip: Trip, guest: DeviceSecrets) {
        var trip = try RemovedMemberTests().trip(seed: seed, ["Noah", "Mia"])
        let guest = DeviceSecrets(
            guestOf: trip.world.machines[1].node.secrets.device.participant,
            seed: .random(using: &trip.world.generator), using: trip.cryptography)
        trip.world.admitGuest(guest, name: "Ana", ticket: 1, on: 1)
        let isIn = trip.run(for: 5_000) { world in
            world.machines.allSatisfy { $0.node.log.isIn(guest.device.replica) } && Trip.haveConverged(world)
        }
        #expect(isIn)
        #expect((try? trip.world.machines[1].authored[1]?.get()) != nil)
        return (trip, guest)
    }

    @Test("What a guest does is written in their own log, and every node takes it for theirs", arguments: 1...4)
    func aGuestWritesInALogOfTheirOwn(seed: UInt64) throws {
        var (trip, guest) = try trip(seed: seed)
        let index = trip.world.machines[1].node.log.count
        trip.world.write(content: [1], as: guest.device.replica, ticket: 2, on: 1)
        trip.write("my own", on: 1, ticket: 3)
        trip.world.write(content: [2], as: guest.device.replica, ticket: 4, on: 1)
        let isSame = trip.run(for: 5_000) { Trip.haveConverged($0, on: index + 3) }
        #expect(isSame)
        for machine in trip.world.machines {
            let log = machine.node.log
            let written = (index..<index + 3).map { log.applied($0) }
            #expect(
                written.map(\.participant) == [
                    guest.device.participant, trip.world.machines[1].node.secrets.device.participant,
                    guest.device.participant,
                ])
            #expect(log.graph.branchesOfReplica[guest.device.replica]?.count == 1)
            let person = log.person(guest.device.participant)
            #expect(person?.isGuest == true && person?.name == "Ana")
            #expect(person?.parent == trip.world.machines[1].node.secrets.device.participant)
        }
        for ticket in UInt64(2)...4 { #expect((try? trip.world.machines[1].authored[ticket]?.get()) != nil) }
    }

    @Test("A node writes for nobody whose keys it does not hold")
    func aNodeWritesForNobodyWhoseKeysItDoesNotHold() throws {
        var (trip, guest) = try trip(seed: 5)
        let count = trip.world.machines[0].node.log.count
        let mia = trip.world.machines[2].node.secrets.device.replica
        for (number, replica) in [guest.device.replica, mia].enumerated() {
            let ticket = UInt64(10 + number)
            trip.world.write(content: [1], as: replica, ticket: ticket, on: 0)
            #expect(throws: WritingFailure.notAdmitted) { try trip.world.machines[0].authored[ticket]?.get() }
        }
        _ = trip.run(for: 2_000)
        #expect(trip.world.machines[0].node.log.count == count)
    }

    @Test("Nothing is sealed to a guest, and nobody looks for a node of theirs")
    func nothingIsSealedToAGuest() throws {
        var (trip, guest) = try trip(seed: 6)
        #expect(trip.world.machines[0].node.log.membersWithNode.count == 3)
        #expect(trip.world.machines[0].node.log.people.count == 4)
        // With a removal everybody who remains is given a new secret.
        let mia = trip.world.machines[2].node.secrets.device.participant
        let old = trip.world.machines[0].node.newestEpoch
        trip.world.remove(mia, ticket: 3, on: 0)
        let isNew = trip.run(for: 60_000) { world in
            let nodes = [0, 1].map { world.machines[$0].node }
            return nodes[0].newestEpoch != old && nodes[0].newestEpoch == nodes[1].newestEpoch
                && nodes[0].log.frontier == nodes[1].log.frontier
        }
        #expect(isNew)
        _ = trip.run(for: 30_000)
        let log = trip.world.machines[0].node.log
        let statements = log.graph.changes.compactMap(\.change.statement)
        let grants = statements.compactMap { statement -> EpochGrant? in
            switch statement {
            case .remove(_, _, let grant): grant
            case .grant(let grant), .beginEpoch(let grant): grant
            default: nil
            }
        }
        #expect(grants.count == 1, "nothing more is owed to anybody")
        #expect(grants.first?.boxes.map(\.replica).contains(guest.device.replica) == false)
        let admissions = statements.compactMap { statement -> Admission? in
            if case .admit(let admission) = statement { admission } else { nil }
        }
        #expect(admissions.filter { $0.device == guest.device }.map(\.grant) == [nil])
        // Under the new secret too.
        trip.world.write(content: [9], as: guest.device.replica, ticket: 4, on: 1)
        let isTaken = trip.run(for: 5_000) { world in
            let log = world.machines[0].node.log
            return log.graph.changes.indices.contains { index in
                log.applied(index).replica == guest.device.replica && log.isEffective(index)
            }
        }
        #expect(isTaken)
    }

    @Test("A guest's change leaves their host's node once it is durable, and not before")
    func aGuestsChangeIsDurableFirst() throws {
        var (trip, guest) = try trip(seed: 7)
        let count = trip.world.machines[1].node.log.count
        trip.world.setFull(true, 1)
        trip.world.write(content: [1], as: guest.device.replica, ticket: 2, on: 1)
        _ = trip.run(for: 500)
        #expect(trip.world.machines[0].node.log.count == count)
        trip.world.setFull(false, 1)
        _ = trip.run(for: 10_000)
        trip.world.write(content: [2], as: guest.device.replica, ticket: 3, on: 1)
        let isSame = trip.run(for: 20_000) { Trip.haveConverged($0, on: count + 1) }
        #expect(isSame)
    }

    @Test("A guest who is out writes no more, and neither does one whose host is", arguments: [false, true])
    func whoIsOutWritesNoMore(isHost: Bool) throws {
        var (trip, guest) = try trip(seed: 8)
        let host = trip.world.machines[1].node.secrets.device.participant
        trip.world.remove(isHost ? host : guest.device.participant, ticket: 2, on: isHost ? 0 : 1)
        let isOut = trip.run(for: 20_000) { world in
            world.machines.allSatisfy { !$0.node.log.isIn(guest.device.replica) }
        }
        #expect(isOut)
        trip.world.write(content: [1], as: guest.device.replica, ticket: 3, on: 1)
        #expect(throws: WritingFailure.out) { try trip.world.machines[1].authored[3]?.get() }
    }
}
