import Testing
import TripModel
import TripService

@testable import PageServer

/// When a page reads its trip again, by a clock that the test holds.
struct ReadingPlanTests {
    private let start = ContinuousClock.now

    @Test("what happens first is read at once, and what follows within 30 ms together")
    func coalescing() {
        var plan = ReadingPlan(at: start)
        #expect(plan.due == nil)
        plan.note(.own)
        #expect(plan.due == start + ReadingPlan.coalescing)
        let now = start + .seconds(1)
        #expect(plan.begin(at: now).own)
        plan.note(.membership)
        #expect(plan.due == nil, "one reading at a time")
        plan.end()
        #expect(plan.due == now + ReadingPlan.coalescing)
        let next = plan.begin(at: now + ReadingPlan.coalescing)
        #expect(next.invites && next.history && !next.own)
    }

    @Test("who has what is read five times a second at most, and holds up nothing else")
    func members() {
        var plan = ReadingPlan(at: start)
        plan.note(.spread)
        #expect(plan.due == start + ReadingPlan.membersPause)
        plan.note(.own)
        #expect(plan.due == start + ReadingPlan.coalescing)
        let first = plan.begin(at: start + ReadingPlan.coalescing)
        #expect(first.own && !first.members)
        plan.end()
        #expect(plan.due == start + ReadingPlan.membersPause)
        #expect(plan.begin(at: start + ReadingPlan.membersPause).members)
    }

    @Test("who writes in notes is read at once, and nothing else for it")
    func writing() {
        var plan = ReadingPlan(at: start)
        plan.note(.writing)
        #expect(plan.due == start + ReadingPlan.coalescing)
        let wanted = plan.begin(at: start + ReadingPlan.coalescing)
        #expect(wanted.writers && !wanted.isWhole && !wanted.members && wanted.items.isEmpty && !wanted.tripNote)
    }

    @Test("a page that missed events reads everything, members too")
    func missed() {
        var plan = ReadingPlan(at: start)
        plan.note(.missed(7))
        let wanted = plan.begin(at: start + .milliseconds(1))
        #expect(wanted.isWhole && wanted.members && wanted.invites && wanted.history && wanted.own && wanted.writers)
    }
}
