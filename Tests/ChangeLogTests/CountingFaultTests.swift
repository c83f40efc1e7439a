import Convergence
import DeltaCRDT
import Testing
import TripSimulation

@testable import ChangeLog

/// What a node could get wrong about what counts: each must show, or the random trips are too tame to be held against the oracle.
enum CountingFault: CaseIterable {
    /// What a remover had seen last does not count.
    case cutTooLow
    /// The change after what a remover had seen counts.
    case cutTooHigh
    /// People are taken out by those whom they brought, or by anybody else.
    case cutFromBelow
    /// People are taken out by what somebody wrote who was out by then.
    case cutFromCutAuthor
    /// People are settled by what came first, not by the lowest stamp.
    case arrivalOrder
}

struct CountingFaultTests {
    @Test("every fault of counting shows in a few random trips", arguments: CountingFault.allCases)
    func shows(_ fault: CountingFault) throws {
        let seeds = UInt64(1)...60
        #expect(try seeds.contains { try isShown(fault, bySeed: $0) }, "not in \(seeds.count) trips")
    }

    private func isShown(_ fault: CountingFault, bySeed seed: UInt64) throws -> Bool {
        var generator = SeededGenerator(seed: seed)
        let changes = shuffled(RandomTrip(seed: seed, count: 40).changes, using: &generator)
        var log = TripLog(trip: changes[0].change.trip, cryptography: RandomTrip.quick, branchesMax: .max)
        for signed in changes { _ = try log.add(signed) }
        let faulty = EffectiveOracle(changes, using: RandomTrip.quick, fault: fault)
        let effective = log.graph.changes.indices.filter { log.isEffective($0) }.map { log.graph.changes[$0].hash }
        let parents = Dictionary(uniqueKeysWithValues: log.people.map { ($0.id, $0.parent) })
        return Set(effective) != faulty.effective || parents != faulty.persons.mapValues(\.parent)
    }
}
