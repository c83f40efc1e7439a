import Convergence
import ConvergenceExample
import ConvergenceTesting
import Testing

struct ExampleTests {
    /// Two people press at once, and one press is gone.
    @Test func theNaiveCounterLosesPresses() throws {
        let failure = try #require(expectViolation(of: .everyActCounts, by: NaiveCounter.self))
        #expect(
            failure.description == """
                seed 1 breaks every-act-counts at step 7: A counter shows the sum of what people did.
                shrunk from 4 replicas, 120 events, 70 faults to 2, 2, 0, with 1 deviation from the polite schedule:
                  115  replica 2: increment → 1
                  116  replica 1: increment → 1
                  116  all faults end
                  117  replica 1 → 2: 1
                  117  violated: every-act-counts: replica 2: shows 1, people did 2
                this run again: Simulator<NaiveCounter>(Conditions(replicas: 4, steps: 120)).replay(seed: 1, keeping: "115,116")
                """)
    }

    /// Somebody's clock is behind, so what they remove stays.
    @Test func theLastWritersClockIsWrong() throws {
        let failure = try #require(expectViolation(of: .observedRemoves, by: LastWriterSet.self))
        #expect(
            failure.shrunkOutcome.trace.joined(separator: "\n") == """
                   24  replica 1: add map → ["map"]
                   27  replica 1's clock is -2940 s off
                   29  replica 1: remove map → ["map"]
                   29  violated: observed-removes: replica 1: map is shown; last: remove map by 1
                """)
    }

    /// The line that a failure prints runs the same again.
    @Test func aFailureIsReplayed() throws {
        let simulator = Simulator<LastWriterSet>(Conditions(replicas: 4, steps: 120))
        let outcome = try #require(simulator.replay(seed: 1, keeping: "24,27,29"))
        #expect(outcome.violation?.law == .observedRemoves)
        // Without the jump of the clock, nothing breaks.
        #expect(simulator.replay(seed: 1, keeping: "24,29")?.violation == nil)
    }

    /// Without Swift Testing, too.
    @Test func aFailureIsAValue() {
        if let failure = Simulator<FairCounter>().firstFailure(seeds: 1...100) { print(failure) }
        #expect(Simulator<NaiveCounter>().firstFailure(seeds: 1...100) != nil)
    }

    @Test func theFairCounterConverges() { expectConvergence(of: FairCounter.self) }

    @Test func theObservedSetConverges() { expectConvergence(of: ObservedSet.self) }

    @Test func theAskingSetConverges() { expectConvergence(of: AskingSet.self) }

    /// An answer to a question of another life is not all.
    @Test func theTrustingSetSaysTooMuch() throws {
        let failure = try #require(
            expectViolation(
                of: .observedRemoves, by: TrustingSet.self, Conditions(replicas: 2, faults: [.backup, .delay]),
                seeds: 1...400))
        #expect(
            failure.shrunkOutcome.trace.joined(separator: "\n") == """
                    0  replica 0: add map → ["map"] (life 0)
                    1  replica 0 is backed up
                    2  replica 0: remove map → [] (life 0)
                    4  replica 1 → 0 (question): answers (life 0)
                    5  replica 0 → 1 (answer: []): [] (life 0)
                    5  replica 0 → 1 (question): answers (life 0)
                    5  replica 0 is restored from its backup
                    5  replica 0 starts: ["map"] (life 1)
                    6  replica 1: add map → ["map"] (life 0)
                   25  replica 1 → 0 (answer: []): ["map"] (life 1)
                   25  violated: observed-removes: replica 0: map is shown; last: remove map by 0
                """)
    }

    /// Of two writes of one time, each replica keeps its own.
    @Test func theLastWriterSetHasTies() throws {
        let failure = try #require(
            expectViolation(of: .convergence, by: LastWriterSet.self, Conditions(faults: [.burst])))
        #expect(
            failure.shrunkOutcome.trace.joined(separator: "\n") == """
                   61  replica 0: add tent → ["tent"]
                   61  replica 1: remove tent → []
                   61  all faults end
                   62  replica 0 → 1: []
                   62  replica 1 → 0: ["tent"]
                   62  violated: convergence: replicas 0 and 1 know the same; they show ["tent"] and []
                """)
    }
}
