import Convergence
import TestTiers
import Testing
import TripSimulation

/// People who meet nowhere but in a mailbox lose nothing, whatever it does.
struct ApartTests {
    private func conditions(_ faults: Set<TripFault>? = nil, replicas: Int = 3, steps: Int = 60) -> TripConditions {
        var conditions = TripConditions(replicas: replicas, steps: steps, profile: .apart, faults: faults)
        conditions.faultInterval = 4
        return conditions
    }

    @Test("whatever a mailbox does, honest nodes have everything in the end, and twice in the same way", .tags(.slow))
    func laws() {
        var happened: Set<TripFault> = []
        for seed in UInt64(1)...6 {
            let simulator = TripSimulator(conditions(steps: 120))
            let plan = simulator.plan(seed: seed)
            let outcome = simulator.run(plan)
            #expect(outcome.violation == nil, "seed \(seed): \(outcome.violation?.description ?? "")")
            #expect(outcome.digest == simulator.run(plan).digest)
            happened.formUnion(outcome.faults.keys)
        }
        #expect(happened.filter(\.isOfMailbox).count >= 6, "\(happened.filter(\.isOfMailbox))")
    }

    @Test("a run with a mailbox alone: nothing passes from machine to machine")
    func mailboxAlone() {
        let simulator = TripSimulator(conditions([.boxReorders, .boxRepeats], steps: 30))
        let outcome = simulator.run(simulator.plan(seed: 1))
        #expect(outcome.violation == nil, "\(outcome.violation?.description ?? "")")
        #expect(outcome.deliveredCount == 0)
    }

    @Test("no profile but apart has a mailbox")
    func profiles() {
        for profile in Profile.allCases where profile != .apart {
            #expect(profile.faults.allSatisfy { !$0.isOfMailbox })
        }
    }
}
