import Convergence
import Synchronization
import Testing

@testable import TripSimulation

/// Trips of real nodes in a world that breaks: the laws hold, and the same seed gives the same run.
struct TripSimulatorTests {
    @Test func whoIsOutIsNamedAsInEveryOtherLine() {
        var conditions = TripConditions(replicas: 4, steps: 200, profile: .hostile, faults: [.removal])
        conditions.faultInterval = 20
        let simulator = TripSimulator(conditions)
        var heard = 0
        for seed in UInt64(1)...3 {
            let trace = simulator.run(simulator.plan(seed: seed), isTracing: true).trace
            for line in trace where line.contains(" hears that ") {
                let name = line.split(separator: " ").suffix(4)
                #expect(
                    name.first == "machine" && name.dropFirst().first.flatMap { Int($0) }.map { $0 < 4 } == true,
                    "\(line)")
                heard += 1
            }
        }
        #expect(heard > 0)
    }

    private func conditions(_ profile: Profile, replicas: Int = 5, steps: Int = 250) -> TripConditions {
        var conditions = TripConditions(replicas: replicas, steps: steps, profile: profile)
        conditions.faultInterval = 8
        return conditions
    }

    @Test func theLawsHoldInEveryProfile() throws {
        var faults: Set<TripFault> = []
        var checked: Set<Law> = []
        for profile in Profile.allCases {
            let simulator = TripSimulator(conditions(profile))
            for seed in UInt64(1)...(profile == .hostile ? 6 : 2) {
                let plan = simulator.plan(seed: seed)
                let outcome = simulator.run(plan)
                #expect(outcome.violation == nil, "\(profile) seed \(seed): \(outcome.violation?.description ?? "")")
                #expect(outcome.actionCount >= 60, "\(profile) seed \(seed)")
                faults.formUnion(outcome.faults.keys)
                checked.formUnion(outcome.checks.filter { $0.value > 0 }.keys)
            }
        }
        #expect(faults.count >= 25, "\(faults.count) kinds of faults happened")
        // What is asked of members in league is checked with a league, below.
        #expect(Set(Law.ofTrips).subtracting(Law.ofAuthors).subtracting(checked) == [])
    }

    /// Who writes at a host's node is taken for the guest everywhere, and counts as long as their host does.
    @Test func theLawsHoldWithGuests() throws {
        var conditions = conditions(.hostile)
        conditions.hasGuests = true
        let simulator = TripSimulator(conditions)
        var guestsActs = 0
        for seed in UInt64(1)...8 {
            let outcome = simulator.run(simulator.plan(seed: seed), isTracing: true)
            #expect(outcome.violation == nil, "seed \(seed): \(outcome.violation?.description ?? "")")
            guestsActs += outcome.trace.count { $0.contains(", a guest: ") }
            let replay = TripReplay(
                conditions: conditions, plan: simulator.plan(seed: seed), law: nil, digest: outcome.digest)
            #expect(try TripReplay(replay.description).conditions.hasGuests)
        }
        #expect(guestsActs > 40, "\(guestsActs)")
    }

    @Test("the laws hold where members in league write any statement on any past")
    func theLawsHoldWithALeague() {
        var checked: Set<Law> = []
        for (replicas, seeds) in [(2, UInt64(1)...3), (3, 71...74), (4, 37...39)] {
            var conditions = TripConditions(
                replicas: replicas, steps: 100, profile: .hostile,
                faults: [.craftedChange, .withheldBody, .retoldChange])
            conditions.faultInterval = 2
            let simulator = TripSimulator(conditions)
            for seed in seeds {
                let outcome = simulator.run(simulator.plan(seed: seed))
                #expect(
                    outcome.violation == nil, "\(replicas), seed \(seed): \(outcome.violation?.description ?? "")")
                checked.formUnion(outcome.checks.filter { $0.value > 0 }.keys)
            }
        }
        #expect(Set(Law.ofAuthors).subtracting(checked) == [])
    }

    /// Another process hashes otherwise: nothing in a run may follow from a hash table's order.
    @Test func sameSeedSameRunInEveryProcess() async {
        let simulator = TripSimulator(conditions(.hostile, replicas: 4, steps: 120))
        let digest = simulator.run(simulator.plan(seed: 9), isTracing: true).digest
        #expect(digest == simulator.run(simulator.plan(seed: 9)).digest)
        await #expect(processExitsWith: .success) { [digest = digest as UInt64] in
            var conditions = TripConditions(replicas: 4, steps: 120, profile: .hostile)
            conditions.faultInterval = 8
            let simulator = TripSimulator(conditions)
            let other = simulator.run(simulator.plan(seed: 9)).digest
            precondition(digest == other)
        }
    }

    @Test func theRealCipherKeepsTheSameLaws() {
        var conditions = conditions(.hostile, replicas: 3, steps: 90)
        conditions.cipher = .real
        let simulator = TripSimulator(conditions)
        let outcome = simulator.run(simulator.plan(seed: 1))
        #expect(outcome.violation == nil)
        #expect(outcome.actionCount > 20)
    }

    @Test func aPartOfAPlanIsAPlan() throws {
        let simulator = TripSimulator(conditions(.hostile, steps: 60))
        let plan = simulator.plan(seed: 3)
        let selection = try #require(TripSelection("0,2/3,9,40"))
        let part = selection.part(of: plan)
        #expect(part.nodes == [0, 2])
        #expect(part.steps.map(\.number) == [3, 9, 40])
        #expect(TripSelection(part) == selection)
        #expect(simulator.run(part).violation == nil)
        for text in ["", "1", "1/2/3", "2,1/3", "a/1", "1/-1", "1/1,1"] {
            #expect(TripSelection(text) == nil, "\(text)")
        }
    }

    /// A world of nodes in which chances of the network differ from run to run.
    private final class Unsteady: SimulatedWorld {
        static let areRunsLong = true
        let trips: TripSimulator
        private let runs = Atomic<UInt64>(0)

        init(_ trips: TripSimulator) { self.trips = trips }

        var conditions: TripConditions { trips.conditions }
        func plan(seed: UInt64) -> TripPlan { trips.plan(seed: seed) }
        func part(of plan: TripPlan, without replica: Int) -> TripPlan? { trips.part(of: plan, without: replica) }

        func start(_ plan: TripPlan, isTracing: Bool) -> TripRun {
            let seed = plan.seed + runs.add(1, ordering: .relaxed).newValue
            return trips.start(TripPlan(seed: seed, nodes: plan.nodes, steps: plan.steps), isTracing: isTracing)
        }
    }

    @Test("a run of nodes that its plan does not decide is reported with what happened otherwise")
    func anUnsteadyRunIsReported() throws {
        let conditions = TripConditions(replicas: 2, steps: 8, faults: [])
        let found = try #require(Unsteady(TripSimulator(conditions)).counterexample(among: 1...1))
        #expect(found.law == .determinism && found.shrunkPlan.size.events <= 1, "\(found)")
        #expect(found.shrunkOutcome.trace.contains { $0.contains("  run again: ") }, "\(found)")
        #expect(TripSimulator(conditions).counterexample(among: 1...1) == nil)
    }

    /// Power fails at every single write of a run, and leaves nothing of it, half of it, or all of it.
    @Test func nothingIsLostWhereverPowerFails() {
        let simulator = TripSimulator(TripConditions(replicas: 3, steps: 40, profile: .lan, faults: [.reset, .join]))
        let plan = simulator.plan(seed: 2)
        let writes = simulator.run(plan).writeCount
        #expect(writes > 25)
        for write in 1...max(1, writes) {
            for end in [TripFault.crash, .tornWrite, .lateCrash] {
                let outcome = simulator.run(plan, cuttingPowerAtWrite: write, end: end)
                #expect(outcome.violation == nil, "write \(write), \(end): \(outcome.violation?.description ?? "")")
            }
        }
    }

    @Test func measurementsAreOfTheRun() {
        let simulator = TripSimulator(conditions(.van))
        let outcome = simulator.run(simulator.plan(seed: 1))
        let measured = outcome.measurements
        #expect(measured.samples.last?.divergence == 1)
        #expect(measured.samples.contains { $0.divergence > 2 })
        #expect(measured.samples.count <= Measurements.samplesMax)
        #expect(measured.spreads.count >= outcome.actionCount)
        #expect(measured.spreads.allSatisfy { $0.hopsMean <= Double($0.hopsMax) })
        #expect(measured.traffic.map(\.changesWritten).reduce(0, +) >= outcome.actionCount)
        #expect(measured.traffic.map(\.bytesReceived).reduce(0, +) > 100_000)
        #expect(measured.maxima.allSatisfy { maximum in maximum.bound.map { maximum.value <= $0 } ?? true })
        #expect((measured.healing ?? .max) < measured.duration)
    }
}
