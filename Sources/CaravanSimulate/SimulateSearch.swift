import ArgumentParser
import Console
import Convergence
import TripSimulation

/// Seeds of some world, tried while people watch.
enum SimulateSearch {
    /// Runs the seeds until a law breaks that is none of some, and makes what broke small.
    ///
    /// - Parameters:
    ///   - command: repeats all of it, or the small run, with options after it.
    ///   - isDrawn: whether somebody looks at a page of it.
    ///   - file: takes the small run of nodes.
    ///   - isBroken: ends the search.
    static func run<World: SimulatedWorld>(
        _ world: World, _ range: ClosedRange<UInt64>, subject: String, command: String, passingOver others: [Law] = [],
        isDrawn: Bool, saving file: SimulateFile? = nil, isBroken: @escaping () -> Bool = { false }
    ) throws -> Report {
        let progress = SimulateProgress("seed", of: UInt64(range.count))
        let stepCount = Figures.grouped(world.conditions.steps)
        var tally = Tally(world)
        progress.done(0)
        let found = world.counterexample(among: range, passingOver: others) { steps in
            if steps > 0 { progress.done(tally.runCount, detail: "step \(Figures.grouped(steps)) of \(stepCount)") }
            return progress.isInterrupted || isBroken()
        } willShrink: { seed, violation in
            guard World.areRunsLong else { return }
            progress.say("Seed \(seed) violates \(violation.law.name): \(violation.finding)\nReducing the run…")
        } isDone: { seed, outcome in
            tally.add(outcome, seed: seed)
            let rate = tally.deliveredCount * 1_000 / max(1, progress.elapsed)
            progress.done(tally.runCount, detail: "\(Figures.grouped(rate)) messages/s")
            return progress.isInterrupted
        }
        if let found { tally.add(found.outcome, seed: found.seed) }
        progress.end()
        if let failure = found as? TripFailure { try file?.write(failure.replay.description) }
        var report = tally.report(
            subject: subject,
            command: "\(command) \(world.conditions.options) --seeds \(range.lowerBound)..\(range.upperBound)",
            failing: found.map { $0.failing(command: "\(command) \($0.options)") },
            isInterrupted: found == nil && tally.runCount < range.count)
        report.elapsed = progress.elapsed
        if isDrawn, report.panels.isEmpty, tally.runCount > 0 {
            let seed = found?.seed ?? range.lowerBound
            let measurements = world.measurements(of: world.plan(seed: seed))
            report.panels = [measurements.divergencePanel(of: "seed \(seed)", in: .count("step"))]
        }
        return report
    }

    /// Prints what happened in a run, and fails with a problem, or where a law was violated.
    static func show(_ outcome: some SimulatedOutcome, _ problem: SimulateFile.Problem? = nil) throws {
        for line in outcome.trace { Output.line(line) }
        Output.line(outcome.violation.map { "\($0.law.name): \($0.law.description)" } ?? "no violation")
        if let problem { throw problem }
        if outcome.violation != nil { throw ExitCode.failure }
    }
}
