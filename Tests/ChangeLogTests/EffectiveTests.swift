import Convergence
import DeltaCRDT
import Foundation
import LogFixtures
import TestTiers
import Testing
import TripSimulation

@testable import ChangeLog

/// What is effective, against the oracle: for whatever anybody can write, in whatever order it comes.
struct EffectiveTests {
    @Test("what is effective is what the oracle says, after each change, in every order of arrival", .tags(.slow))
    func oracle() throws {
        let environment = ProcessInfo.processInfo.environment
        let first = UInt64(environment["CARAVAN_SEED"] ?? "1") ?? 1
        let count = UInt64(environment["CARAVAN_SEEDS"] ?? "40") ?? 40
        for seed in first..<first + count {
            let trip = RandomTrip(seed: seed, count: 10 + Int(seed % 40))
            var generator = SeededGenerator(seed: seed)
            for order in 0..<3 {
                let changes = shuffled(trip.changes, using: &generator)
                var log = TripLog(trip: trip.changes[0].change.trip, cryptography: RandomTrip.quick)
                var held: [SignedChange] = []
                var rest = changes[...]
                while !rest.isEmpty {
                    let batch = rest.prefix(order == 0 ? 1 : 1 + Int(generator.below(6)))
                    #expect(log.add(batch).refusal == nil, "seed \(seed)")
                    held += batch
                    rest = rest.dropFirst(batch.count)
                    if order == 0 {
                        log.expect(
                            EffectiveOracle(held, using: RandomTrip.quick), "seed \(seed), step \(held.count)")
                    }
                }
                log.checkInvariants()
                let whole = EffectiveOracle(held, using: RandomTrip.quick)
                log.expect(whole, "seed \(seed), order \(order)")
                let retained = held.filter { log.isRetained(log.graph.index(of: $0.hash) ?? 0) }
                let again = EffectiveOracle(retained, using: RandomTrip.quick)
                #expect(again.effective == whole.effective, "seed \(seed): what is retained says the same")
                #expect(
                    again.persons.filter(\.value.isIn) == whole.persons.filter(\.value.isIn),
                    "seed \(seed): and of the same people")
            }
        }
    }
}
