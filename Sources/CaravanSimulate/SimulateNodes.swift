import ArgumentParser
import Console
import Convergence
import Foundation
import TripSimulation

/// Trips of real nodes in a simulated world.
enum SimulateNodes {
    /// As many as a look around takes.
    static let seeds: ClosedRange<UInt64> = 1...20

    /// Runs the seeds until a law breaks, and makes what broke small.
    static func explore(_ conditions: TripConditions, _ range: ClosedRange<UInt64>, saving file: SimulateFile?) throws
        -> Report
    {
        let progress = SimulateProgress("seed", of: UInt64(range.count))
        let simulator = TripSimulator(conditions)
        var tally = TripTally(conditions)
        progress.done(0)
        let failure = simulator.counterexample(among: range, passingOver: conditions.mutation?.otherLaws ?? []) { steps in
            let detail = "step \(Figures.grouped(steps)) of \(Figures.grouped(conditions.steps))"
            if steps > 0 { progress.done(tally.runCount, detail: detail) }
            return progress.isInterrupted
        } willShrink: { seed, violation in
            progress.say("Seed \(seed) violates \(violation.law.name): \(violation.finding)\nReducing the run…")
        } isDone: { seed, outcome in
            tally.add(outcome, seed: seed)
            progress.done(tally.runCount, detail: speed(tally, progress))
            return progress.isInterrupted
        }
        if let failure { tally.add(failure.outcome, seed: failure.seed) }
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
        failure.failing(command: "caravan simulate \(failure.options)")
    }

    /// Runs a part of a seed's plan, prints what happens, and fails where a law is violated.
    static func replay(_ selection: TripSelection, seed: UInt64, _ conditions: TripConditions) throws {
        let simulator = TripSimulator(conditions)
        let outcome = simulator.run(selection.part(of: simulator.plan(seed: seed)), isTracing: true)
        show(outcome)
        if outcome.violation != nil { throw ExitCode.failure }
    }

    /// Runs what a file holds. Fails where a law is violated, or where the run is not the one that was saved.
    static func replay(file path: String) throws {
        let replay: TripReplay
        do { replay = try TripReplay(SimulateFile.text(at: path, bytesMax: TripReplay.bytesMax)) } catch let failure
            as TripReplay.Failure
        {
            throw SimulateFile.Problem(description: "\(path) is not a saved run: \(failure)")
        }
        guard replay.hasEnd, let digest = replay.digest else {
            let missing = replay.hasEnd ? "digest" : "end"
            throw SimulateFile.Problem(
                description:
                    "\(path) has no line “\(missing)”; it is truncated, altered, or from an older version")
        }
        let outcome = TripSimulator(replay.conditions).run(replay.plan, isTracing: true)
        show(outcome)
        guard outcome.digest == digest, outcome.violation?.law.name == replay.law else {
            throw SimulateFile.Problem(
                description:
                    "the run differs from the one that was saved; \(path) was altered, or is from another version")
        }
        if outcome.violation != nil { throw ExitCode.failure }
    }

    private static func show(_ outcome: TripOutcome) {
        for line in outcome.trace { Output.line(line) }
        Output.line(outcome.violation.map { "\($0.law.name): \($0.law.description)" } ?? "no violation")
    }
}
