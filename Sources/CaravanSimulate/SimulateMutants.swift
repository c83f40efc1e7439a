import ArgumentParser
import Console
import Convergence

/// Small types with one known fault each, which the harness must find.
enum SimulateMutants {
    /// As many as the budget of a mutant.
    static let seeds: ClosedRange<UInt64> = 1...200

    /// Runs a mutant's seeds until a law breaks; `isDrawn` where somebody looks at a page of it.
    static func explore(
        _ mutant: Mutant, _ conditions: Conditions, _ options: RunOptions, isDrawn: Bool
    ) -> Report {
        let range = options.range(orElse: seeds)
        let progress = SimulateProgress("seed", of: UInt64(range.count))
        var tally = Tally()
        let finding = mutant.find(conditions, seeds: range) { _, outcome in
            tally.add(outcome)
            progress.done(tally.runCount)
            return progress.isInterrupted
        } isInterrupted: {
            progress.isInterrupted
        }
        if let finding { tally.add(finding.outcome) }
        progress.end()
        let isCutShort = finding == nil && tally.runCount < range.count
        var report = tally.report(
            subject: "mutant \(mutant.name)", command: command(mutant, conditions, range),
            conditions: conditions, failing: finding.map { failing($0, of: mutant) }, isInterrupted: isCutShort)
        report.elapsed = progress.elapsed
        let seed = finding?.failing.seed ?? range.lowerBound
        if isDrawn, tally.runCount > 0 {
            report.panels = [
                mutant.measure(seed: seed, conditions).divergencePanel(of: "seed \(seed)", in: .count("step"))
            ]
        }
        return report
    }

    private static func command(_ mutant: Mutant, _ conditions: Conditions, _ range: ClosedRange<UInt64>) -> String {
        "caravan simulate --mutant \(mutant.name) \(conditions.options) "
            + "--seeds \(range.lowerBound)..\(range.upperBound)"
    }

    /// What broke, for a report.
    static func failing(_ finding: Mutant.Finding, of mutant: Mutant) -> Report.Failing {
        var failing = finding.failing
        failing.command = "caravan simulate --mutant \(mutant.name) \(finding.options)"
        return failing
    }

    /// Prints what happened in a small run, and fails where a law was violated.
    static func show(_ outcome: Outcome) throws {
        for line in outcome.trace { Output.line(line) }
        guard let violation = outcome.violation else { return Output.line("no violation") }
        Output.line("\(violation.law.name): \(violation.law.description)")
        throw ExitCode.failure
    }
}
