/// A plan as it is carried out.
package protocol SimulatedRun {
    associatedtype RunPlan: SimulatedPlan
    associatedtype RunOutcome: SimulatedOutcome

    var plan: RunPlan { get }
    var outcome: RunOutcome { get set }

    mutating func begin() throws(Violation)
    mutating func carryOut(_ step: RunPlan.Step, at place: Int) throws(Violation)
    /// Ends all faults, and checks what must hold then.
    mutating func heal() throws(Violation)
    /// Completes the outcome, whether a law broke or not.
    mutating func conclude()
}

extension SimulatedRun {
    /// Carries the plan out, heals, and checks. `isDone` is asked now and then to go on, with the steps carried out; nil
    /// where it ends the run.
    package mutating func finish(_ isDone: (Int) -> Bool = { _ in false }) -> RunOutcome? {
        do throws(Violation) {
            try begin()
            for (place, step) in plan.steps.enumerated() {
                if place % 16 == 0, isDone(place) { return nil }
                outcome.failedStep = step.number
                try carryOut(step, at: place)
            }
            outcome.failedStep = (plan.steps.last?.number ?? -1) + 1
            try heal()
            outcome.failedStep = nil
        } catch {
            outcome.violation = error
        }
        conclude()
        return outcome
    }
}
