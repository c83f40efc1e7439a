import Convergence
import Testing

/// Runs, made small, in which the harness found real faults of Caravan. Each failed before its fault was mended.
struct TripBugTests {
    /// A link was down when a member's name was looked up, and nobody looked again: they met when the names were
    /// renewed, a quarter of an hour later.
    @Test func aNameThatNobodyAnsweredForIsLookedUpAgain() throws {
        let replay = try TripReplay(
            """
            caravan-trip 1
            profile hostile
            replicas 4
            faults fork,partition
            seed 3
            nodes 0,1,3
            fault 0 15 partition 3 0 2282 170e907958318a41
            act 29 1140 1 738da29a568bdeb7
            """)
        let outcome = TripSimulation(replay.conditions).run(replay.plan)
        #expect(outcome.violation == nil)
        #expect(outcome.actionCount == 1)
    }
}
