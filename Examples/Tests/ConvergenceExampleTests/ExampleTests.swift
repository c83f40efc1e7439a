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
                seed 1 breaks every-act-counts at step 14: A counter shows the sum of what people did.
                shrunk from 4 replicas, 120 events, 70 faults to 2, 2, 0:
                  105  replica 1: increment → 1
                  107  replica 0: increment → 1
                  107  all faults end
                  108  replica 0 → 1: 1
                  108  violated: every-act-counts: replica 1: shows 1, people did 2
                """)
    }

    /// Somebody's clock is behind, so what they remove stays.
    @Test func theLastWritersClockIsWrong() throws {
        let failure = try #require(expectViolation(of: .observedRemoves, by: LastWriterSet.self))
        #expect(
            failure.shrunkOutcome.trace.joined(separator: "\n") == """
                    5  replica 1: add map → ["map"]
                   25  replica 1's clock is -3420 s off
                   29  replica 1: remove map → ["map"]
                   29  violated: observed-removes: replica 1: map is shown; last: remove map by 1
                """)
    }

    /// The line that a failure prints runs the same again.
    @Test func aFailureIsReplayed() throws {
        let simulator = Simulator<LastWriterSet>(Conditions(replicas: 4, steps: 120))
        let outcome = try #require(simulator.replay(seed: 2, keeping: "5,25,29"))
        #expect(outcome.violation?.law == .observedRemoves)
        // Without the jump of the clock, nothing breaks.
        #expect(simulator.replay(seed: 2, keeping: "5,29")?.violation == nil)
    }

    /// Without Swift Testing, too.
    @Test func aFailureIsAValue() {
        if let failure = Simulator<FairCounter>().firstFailure(seeds: 1...100) { print(failure) }
        #expect(Simulator<NaiveCounter>().firstFailure(seeds: 1...100) != nil)
    }

    @Test func theFairCounterConverges() { expectConvergence(of: FairCounter.self) }

    @Test func theObservedSetConverges() { expectConvergence(of: ObservedSet.self) }
}
