import Convergence
import TestTiers
import Testing
import TripSimulation

/// Groups whose people did not update on the same day: two versions, one of which knows less of content and of messages.
struct MixedVersionTests {
    private func simulator(_ faults: Set<TripFault>? = nil, replicas: Int = 4) -> TripSimulator {
        var conditions = TripConditions(replicas: replicas, steps: 150, profile: .mixed, faults: faults)
        conditions.faultInterval = 8
        return TripSimulator(conditions)
    }

    @Test("two versions keep the laws, and show the same once all have updated", .tags(.slow))
    func laws() {
        let simulator = simulator()
        var (actions, unknown, updates) = (0, 0, 0)
        for seed in UInt64(1)...8 {
            let outcome = simulator.run(simulator.plan(seed: seed))
            #expect(outcome.violation == nil, "seed \(seed): \(outcome.violation?.description ?? "")")
            #expect(outcome.digest == simulator.run(simulator.plan(seed: seed)).digest)
            actions += outcome.actionCount
            unknown += outcome.checks[.unknownIsTaken] ?? 0
            updates += outcome.faults[.update] ?? 0
        }
        #expect(actions > 200 && unknown > 40 && updates > 8, "\(actions), \(unknown), \(updates)")
    }

    @Test("all of the older version are updated in the end, with every cable pulled")
    func lastUpdate() {
        let simulator = simulator([])
        for seed in UInt64(1)...4 {
            let outcome = simulator.run(simulator.plan(seed: seed), isTracing: true)
            #expect(outcome.violation == nil, "\(outcome.violation?.description ?? "")")
            let older = outcome.trace.count { $0.hasSuffix("of the older version") }
            let cut = outcome.trace.firstIndex { $0.contains("every cable is pulled") } ?? 0
            let updated = outcome.trace[cut...].dropFirst().count { $0.hasSuffix("is updated") }
            let met = outcome.trace[cut...].count { $0.contains(" meets ") }
            #expect(older > 0 && updated == older && met == 0)
        }
    }

    @Test("a run of two versions is repeated from its file")
    func replay() throws {
        let simulator = simulator()
        let plan = simulator.plan(seed: 3)
        let outcome = simulator.run(plan)
        let file = TripReplay(conditions: simulator.conditions, plan: plan, law: nil, digest: outcome.digest)
        let read = try TripReplay(file.description)
        #expect(TripSimulator(read.conditions).run(read.plan).digest == outcome.digest)
    }

    /// The move named a neighbour that the older version does not know, and had no effect there.
    @Test("what is moved beside something unknown is moved for the older version too")
    func unknownNeighbour() {
        var conditions = TripConditions(
            replicas: 5, steps: 200, profile: .mixed, faults: [.partition, .update])
        conditions.faultInterval = 8
        let simulator = TripSimulator(conditions)
        #expect(simulator.run(simulator.plan(seed: 3)).violation == nil)
    }
}
