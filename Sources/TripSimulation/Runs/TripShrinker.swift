package import Convergence

/// A run of real nodes that broke a law, and the least part of it that does.
package typealias TripFailure = Counterexample<TripSimulator>

extension Counterexample where World == TripSimulator {
    private var conditions: TripConditions { world.conditions }

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
}
