package import Convergence

extension TripSimulator {
    /// Tries seeds until a law breaks, and makes that run small; nil where every law holds. `isDone` is asked to go on
    /// after each seed.
    package func firstFailure(
        seeds: ClosedRange<UInt64>, isDone: (UInt64, TripOutcome) -> Bool = { _, _ in false }
    ) -> TripFailure? { firstFailure(seeds: seeds, passingOver: [], isDone: isDone) }

    /// The same, going on where a law breaks that is one of some.
    func firstFailure(
        seeds: ClosedRange<UInt64>, passingOver others: [Law], isDone: (UInt64, TripOutcome) -> Bool
    ) -> TripFailure? {
        for seed in seeds {
            let plan = plan(seed: seed)
            let outcome = run(plan)
            if let violation = outcome.violation, !others.contains(violation.law) { return failure(plan, outcome) }
            if isDone(seed, outcome) { break }
        }
        return nil
    }

    /// A run that broke a law, made small, or less small where `isInterrupted` says so. Nil for one that did not.
    package func failure(
        _ plan: TripPlan, _ outcome: TripOutcome, isInterrupted: @escaping () -> Bool = { false }
    ) -> TripFailure? {
        guard let violation = outcome.violation else { return nil }
        let shrinker = Shrinker(self) { !isInterrupted() && run($0).violation?.law == violation.law }
        let small = shrinker.shrink(plan, failedStep: outcome.failedStep)
        return TripFailure(
            conditions: conditions, plan: plan, outcome: outcome, shrunkPlan: small,
            shrunkOutcome: run(small, isTracing: true))
    }
}

/// A run of real nodes that broke a law, and the least part of it that does.
package struct TripFailure: Sendable, CustomStringConvertible {
    /// Under which it failed.
    package let conditions: TripConditions
    /// The whole run's plan.
    package let plan: TripPlan
    /// What became of it.
    package let outcome: TripOutcome
    /// The least part of it that breaks the same law.
    package let shrunkPlan: TripPlan
    /// What became of that part, with its trace.
    package let shrunkOutcome: TripOutcome

    /// The law that did not hold.
    package var law: Law { (shrunkOutcome.violation ?? outcome.violation)?.law ?? .liveness }

    /// What replays the small run: the options of `caravan simulate`.
    package var options: String {
        var options =
            "--profile \(conditions.profile.rawValue) --replicas \(conditions.replicas) --steps \(conditions.steps)"
            + " --seed \(plan.seed)"
        if conditions.faults != conditions.profile.faults {
            let names = conditions.faults.sorted().map(\.rawValue).joined(separator: ",")
            options += " --faults " + (names.isEmpty ? "none" : names)
        }
        if conditions.faultInterval != plainInterval { options += " --fault-interval \(conditions.faultInterval)" }
        if let mutation = conditions.mutation { options += " --mutant \(mutation.rawValue)" }
        if conditions.hasGuests { options += " --guests" }
        if conditions.cipher != .fast { options += " --cipher \(conditions.cipher.rawValue)" }
        return options + " --keep " + TripSelection(shrunkPlan).description
    }

    /// The interval that these conditions have unless told otherwise.
    private var plainInterval: Int {
        TripConditions(
            replicas: conditions.replicas, steps: conditions.steps, profile: conditions.profile,
            faults: conditions.faults
        ).faultInterval
    }

    /// The small run as a file for `--replay`.
    package var replay: TripReplay {
        TripReplay(
            conditions: conditions, plan: shrunkPlan, law: shrunkOutcome.violation?.law.name,
            digest: shrunkOutcome.digest)
    }

    /// The small run, a line for each thing that happens.
    package var description: String {
        let size = shrunkPlan.size
        return """
            seed \(plan.seed) breaks \(law.name) at step \(outcome.failedStep ?? 0): \(law.description)
            shrunk from \(plan.size.replicas) nodes, \(plan.size.events) events, \(plan.size.faults) faults \
            to \(size.replicas), \(size.events), \(size.faults):
            \(shrunkOutcome.trace.joined(separator: "\n"))
            """
    }
}
