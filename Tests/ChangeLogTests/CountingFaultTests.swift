import Convergence
import DeltaCRDT
import LogFixtures
import Testing
import TripSimulation

@testable import ChangeLog

/// Each fault of counting must show, or the random trips are too tame to be held against the rules.
struct CountingFaultTests {
    @Test("every fault of counting shows in a few random trips", arguments: CountingFault.allCases)
    func shows(_ fault: CountingFault) throws {
        let seeds = UInt64(1)...300
        #expect(try seeds.contains { try isShown(fault, bySeed: $0) }, "not in \(seeds.count) trips")
    }

    private func isShown(_ fault: CountingFault, bySeed seed: UInt64) throws -> Bool {
        var generator = SeededGenerator(seed: seed)
        let changes = shuffled(RandomTrip(seed: seed, count: 40).changes, using: &generator)
        var log = TripLog(trip: changes[0].change.trip, cryptography: RandomTrip.quick)
        #expect(log.add(changes).refusal == nil)
        let faulty = EffectiveOracle(changes, using: RandomTrip.quick, fault: fault)
        let effective = log.graph.changes.indices.filter { log.isEffective($0) }.map { log.graph.changes[$0].hash }
        let states = Dictionary(uniqueKeysWithValues: log.people.map { ($0.id, $0.state) })
        return Set(effective) != faulty.effective || states != faulty.persons.mapValues(\.state)
    }
}
