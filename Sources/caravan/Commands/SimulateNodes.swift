import ArgumentParser
import Convergence

/// Trips of real nodes in a simulated world.
enum SimulateNodes {
    /// As many as a look around takes.
    static let seeds: ClosedRange<UInt64> = 1...20

    /// Runs the seeds until a law breaks.
    static func explore(_ conditions: TripConditions, _ options: SimulateOptions) -> Report {
        let range = options.range(orElse: seeds)
        let progress = SimulateProgress("seed", of: UInt64(range.count))
        let simulation = TripSimulation(conditions)
        var tally = TripTally(conditions)
        var failing: Report.Failing?
        for seed in range where failing == nil && !progress.isInterrupted {
            let plan = simulation.plan(seed: seed)
            let outcome = simulation.run(plan)
            tally.add(outcome, seed: seed)
            progress.done(tally.runCount, detail: speed(tally, progress))
            guard let violation = outcome.violation else { continue }
            progress.say("seed \(seed) breaks \(violation.law.name): \(violation.finding)")
            failing = Report.Failing(
                law: violation.law, finding: violation.finding, seed: seed, failedStep: outcome.failedStep ?? 0,
                before: plan.size, after: plan.size, trace: [], command: nil)
        }
        progress.end()
        let command = "caravan simulate \(conditions.options) --seeds \(range.lowerBound)..\(range.upperBound)"
        return tally.report(
            command: command, failing: failing, isInterrupted: failing == nil && tally.runCount < range.count,
            elapsed: progress.elapsed)
    }

    private static func speed(_ tally: TripTally, _ progress: SimulateProgress) -> String {
        let rate = tally.deliveredCount / max(1, progress.elapsed) * 1_000
        return "\(Figures.grouped(rate)) messages/s"
    }
}

extension TripConditions {
    /// As options of `caravan simulate`.
    var options: String {
        var options = "--profile \(profile.rawValue) --replicas \(replicas) --steps \(steps)"
        if faults != profile.faults {
            let names = faults.isEmpty ? "none" : faults.sorted().map(\.rawValue).joined(separator: ",")
            options += " --faults \(names)"
        }
        if let mutation { options += " --mutant \(mutation.rawValue)" }
        if cipher != .fast { options += " --cipher \(cipher.rawValue)" }
        return options
    }
}
