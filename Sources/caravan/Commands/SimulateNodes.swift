import ArgumentParser
import Convergence
import Foundation

/// Trips of real nodes in a simulated world.
enum SimulateNodes {
    /// As many as a look around takes.
    static let seeds: ClosedRange<UInt64> = 1...20

    /// Runs the seeds until a law breaks, and makes what broke small.
    static func explore(_ conditions: TripConditions, _ range: ClosedRange<UInt64>, saving file: SimulateFile?) throws
        -> Report
    {
        let progress = SimulateProgress("seed", of: UInt64(range.count))
        let simulation = TripSimulation(conditions)
        var tally = TripTally(conditions)
        let passedOver = conditions.mutation?.otherLaws ?? []
        var failure: TripFailure?
        progress.done(0)
        for seed in range {
            if failure != nil || progress.isInterrupted { break }
            let plan = simulation.plan(seed: seed)
            let outcome = simulation.run(plan) { steps in
                let detail = "step \(Figures.grouped(steps)) of \(Figures.grouped(plan.steps.count))"
                if steps > 0 { progress.done(tally.runCount, detail: detail) }
                return progress.isInterrupted
            }
            guard let outcome else { break }
            tally.add(outcome, seed: seed)
            progress.done(tally.runCount, detail: speed(tally, progress))
            guard let violation = outcome.violation, !passedOver.contains(violation.law) else { continue }
            // Said before the search for less, which may take minutes, and which somebody may end.
            progress.say("seed \(seed) breaks \(violation.law.name): \(violation.finding)\nmaking that run small …")
            failure = simulation.failure(plan, outcome)
        }
        progress.end()
        if let failure { try file?.write(failure.replay.description) }
        let command = "caravan simulate \(conditions.options) --seeds \(range.lowerBound)..\(range.upperBound)"
        return tally.report(
            command: command, failing: failure.map(failing),
            isInterrupted: failure == nil && tally.runCount < range.count, elapsed: progress.elapsed)
    }

    private static func speed(_ tally: TripTally, _ progress: SimulateProgress) -> String {
        let rate = tally.deliveredCount * 1_000 / max(1, progress.elapsed)
        return "\(Figures.grouped(rate)) messages/s"
    }

    /// What broke, for a report.
    static func failing(_ failure: TripFailure) -> Report.Failing {
        Report.Failing(
            law: failure.law, finding: (failure.shrunkOutcome.violation ?? failure.outcome.violation)?.finding ?? "",
            seed: failure.plan.seed, failedStep: failure.outcome.failedStep ?? 0, before: failure.plan.size,
            after: failure.shrunkPlan.size, trace: failure.shrunkOutcome.trace,
            command: "caravan simulate \(failure.options)")
    }

    /// Runs a part of a seed's plan, prints what happens, and fails where a law is violated.
    static func replay(_ selection: TripSelection, seed: UInt64, _ conditions: TripConditions) throws {
        let simulation = TripSimulation(conditions)
        try show(simulation.run(selection.part(of: simulation.plan(seed: seed)), isTracing: true))
    }

    /// Runs what a file holds.
    static func replay(file path: String) throws {
        let replay: TripReplay
        do { replay = try TripReplay(SimulateFile.text(at: path, bytesMax: TripReplay.bytesMax)) } catch let failure
            as TripReplay.Failure
        {
            throw SimulateFile.Problem(description: "\(path) is no run to replay: \(failure)")
        }
        let outcome = TripSimulation(replay.conditions).run(replay.plan, isTracing: true)
        defer {
            if outcome.digest != replay.digest {
                Output.note("this is not the run that was saved: that one was of another version")
            }
        }
        try show(outcome)
    }

    private static func show(_ outcome: TripOutcome) throws {
        for line in outcome.trace { Output.line(line) }
        guard let violation = outcome.violation else { return Output.line("no violation") }
        Output.line("\(violation.law.name): \(violation.law.description)")
        throw ExitCode.failure
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
        let usual = TripConditions(replicas: replicas, profile: profile, faults: faults).faultInterval
        if faultInterval != usual { options += " --fault-interval \(faultInterval)" }
        if let mutation { options += " --mutant \(mutation.rawValue)" }
        if cipher != .fast { options += " --cipher \(cipher.rawValue)" }
        return options
    }
}
