import Convergence
import Testing

/// Runs, made small, in which the harness found real faults of Caravan. Each failed before its fault was mended.
struct TripBugTests {
    /// A link was down when a member's name was looked up, and nobody looked again: they met when the names were
    /// renewed, a quarter of an hour later.
    @Test func aNameThatNobodyAnsweredForIsLookedUpAgain() throws {
        let outcome = try run(
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
        #expect(outcome.violation == nil)
        #expect(outcome.actionCount == 1)
    }

    /// Somebody was let in by a member who had not heard that another was taken out: the change that granted them the new
    /// epoch's secret was sealed with that secret, so that they never read anything again.
    @Test func whoeverWasLetInDuringARemovalReadsOn() throws {
        let outcome = try run(
            """
            caravan-trip 1
            profile hostile
            replicas 5
            faults join,partition,removal
            seed 4
            nodes 0,1,2,3,4
            fault 7 286 removal 1 2 2466 f7bfe2f6fc8eed81
            fault 11 444 partition 3 2 3441 e9b53245e22c49a5
            fault 40 2194 join 4 1 588 ca24072f2be1fe32
            act 75 4524 0 ee1be048be20aa2d
            """)
        #expect(outcome.violation == nil)
        #expect(outcome.faults[.removal] == 1)
    }

    /// A value came back beside the one that replaced it. Somebody who was out had replaced it in between, which does not
    /// count; the last writer's change names what it saw, and does not name what that had replaced.
    @Test func whatWasReplacedOnTopOfAnOutcastsWriteStaysReplaced() throws {
        let outcome = try run(
            """
            caravan-trip 1
            profile hostile
            replicas 5
            faults join,partition,removal
            seed 16
            nodes 0,1,2
            act 3 328 0 72118d723ccdaf5d
            fault 4 517 partition 0 1 1467 2856f57529c1d613
            fault 9 757 removal 1 4 2520 4f9b436b50c2341f
            act 21 1116 1 376d03207b5de756
            act 22 1355 2 3f5f2b8000ff592e
            """)
        #expect(outcome.violation == nil)
        #expect(outcome.faults[.removal] == 1)
    }

    /// A first message was sent under an epoch's secret to a node whose disk had forgotten that epoch: it fitted no key, and
    /// was not remembered. Repeated by somebody else once the node had caught up, it was answered.
    @Test func aFirstMessageHeardBeforeItsKeyIsNotAnsweredWhenItIsRepeated() throws {
        let outcome = try run(
            """
            caravan-trip 1
            profile hostile
            replicas 12
            faults alteration,backdate,backup,bit-flip,clock-drift,clock-jump,clog,copied-home,crash,false-address,forgery,fork,full-disk,gap,garbage,join,late-crash,late-name,leave,malformed,missed-name,move,name-flood,one-way,partition,removal,repeated-name,replay,reset,stall,throttle,torn-write
            seed 3
            nodes 0,1,2,3,4,5,8
            act 210 10381 2 b324abb28c0626e5
            fault 211 10512 removal 2 8 118 c0ed5480e8e98fd9
            act 222 11200 2 466f832051b96721
            fault 1237 61043 bit-flip 0 5 1825 806c216553c07e75
            act 1241 61324 4 b2cba7cc08c75a8f
            fault 1396 68833 replay 0 4 1939 b850e8bbdbe67979
            act 1397 69048 5 602ebf67e9ea594
            """)
        #expect(outcome.violation == nil)
        #expect(outcome.faults[.replay] == 1)
    }

    /// Not mended: the member who let somebody in came back from a backup of before that, and nobody else had heard of it
    /// yet. The newcomer has the secrets, believes to be in, and is sent nothing; they must join again.
    @Test func anAdmissionThatABackupForgotLeavesTheNewcomerOutside() throws {
        let outcome = try run(
            """
            caravan-trip 1
            profile van
            replicas 4
            faults backup,clock-drift,clock-jump,crash,full-disk,join,late-crash,late-name,leave,move,partition,reset,stall,torn-write
            seed 19
            nodes 0,1,3
            fault 56 1801 full-disk 1 0 923 33dcf2843fc91651
            fault 63 2233 join 3 0 1789 8345c9f5f36f74db
            act 64 2260 0 f81f52a23ba1e305
            fault 66 2433 partition 0 1 2559 28c42d23093ff2d4
            fault 80 3057 backup 0 3 1196 ae9eebdb66d169b4
            """)
        withKnownIssue(isIntermittent: true) { #expect(outcome.violation == nil) }
        #expect(outcome.faults[.join] == 1)
    }

    private func run(_ text: String) throws -> TripOutcome {
        let replay = try TripReplay(text)
        return TripSimulation(replay.conditions).run(replay.plan)
    }
}
