import ChangeLog
import Testing
import TripSimulation

@testable import SyncEngine

extension RemovedMemberTests {
    /// A node that has taken one member out and does not meet the other, and a name under the key of before that.
    private func alone(seed: UInt64) throws -> (trip: Trip, name: String) {
        var trip = try trip(seed: seed, ["Noah", "Mia"])
        let old = try #require(trip.world.machines[1].node.log.newestEpoch)
        trip.world.remove(participant(1, trip.world), on: 0)
        for machine in [1, 2] { trip.world.crash(machine) }
        _ = trip.world.run(for: 20_000)
        #expect(trip.world.machines[0].node.sessions.isEmpty)
        let name = InstanceName(credential: Credential(epoch: old), nonce: 7, using: trip.cryptography)
        return (trip, name.text)
    }

    private func tell(_ event: Event, _ node: inout SyncNode, _ trip: inout Trip, after pause: UInt64 = 300) -> [Effect]
    {
        _ = trip.world.run(for: pause)
        return node.handle(event, at: Now(monotonic: trip.world.time, wall: 0), using: &trip.world.generator)
    }

    private func isResolved(_ name: String, by effects: [Effect]) -> Bool {
        effects.contains { if case .resolve(name) = $0 { true } else { false } }
    }

    /// A member goes on to another epoch: their old name goes, and the new one, which says nothing here yet, stays.
    @Test func aNameThatSaysNothingIsLookedUpAgainWhenTheOneBesideItGoes() throws {
        var (trip, name) = try alone(seed: 96)
        var node = trip.world.machines[0].node
        let other = Epoch(secret: .random(using: &trip.world.generator), using: trip.cryptography)
        let strange = InstanceName(credential: Credential(epoch: other), nonce: 8, using: trip.cryptography).text
        let address = PeerAddress(host: "10.9.9.9", port: 4_000)
        #expect(isResolved(name, by: tell(.appeared(instance: name), &node, &trip)))
        _ = tell(.resolved(instance: name, addresses: [address]), &node, &trip)
        #expect(isResolved(strange, by: tell(.appeared(instance: strange), &node, &trip)))
        _ = tell(.resolved(instance: strange, addresses: [address]), &node, &trip)
        #expect(isResolved(strange, by: tell(.disappeared(instance: name), &node, &trip)))
    }

    /// Somebody else answered for a member once; the second answer is an address that is known, of whom nobody has said.
    @Test func aDoubtedNameGivesItsKeyToAnAddressThatWasKnownBefore() throws {
        var (trip, name) = try alone(seed: 97)
        var node = trip.world.machines[0].node
        let wrong = PeerAddress(host: "10.6.6.6", port: 4_000)
        let right = PeerAddress(host: "10.9.9.9", port: 4_000)
        _ = tell(.addAddress(right), &node, &trip)
        _ = tell(.appeared(instance: name), &node, &trip)
        var effects = tell(.resolved(instance: name, addresses: [wrong]), &node, &trip)
        var isDoubted = false
        for _ in 0..<200 where !isDoubted {
            for case .dial(let id, _) in effects { effects += tell(.closed(id), &node, &trip, after: 1) }
            isDoubted = isResolved(name, by: effects)
            effects = tell(.woke, &node, &trip)
        }
        #expect(isDoubted)
        _ = tell(.resolved(instance: name, addresses: [right]), &node, &trip)
        #expect(node.addresses.entries[right]?.instance == name)
    }
}
