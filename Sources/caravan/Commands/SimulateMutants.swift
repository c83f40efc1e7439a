import ArgumentParser
import Convergence
import TripModel

/// Small types with one known fault each, which the harness must find.
enum SimulateMutants {
    /// As many as the budget of a mutant.
    static let seeds: ClosedRange<UInt64> = 1...200

    /// Prints which there are, and which law each is known to break.
    static func list(json: Bool) {
        if json {
            let mutants = Mutant.all.map { mutant in
                JSONValue.object([
                    "laws": .array(mutant.laws.map { .string($0.name) }), "name": .string(mutant.name),
                ])
            }
            Output.line(JSONValue.object(["mutants": .array(mutants)]).text)
        } else {
            let rows = Mutant.all.map { [$0.name, $0.laws[0].name, $0.laws[0].description] }
            for line in Report.columns([["mutant", "breaks", "which says"]] + rows) { Output.line(line) }
        }
    }

    /// Runs a mutant's seeds until a law breaks.
    static func explore(_ mutant: Mutant, _ conditions: Conditions, _ options: SimulateOptions) -> Report {
        let range = options.range(orElse: seeds)
        let progress = SimulateProgress("seed", of: UInt64(range.count))
        var tally = Tally()
        let finding = mutant.find(conditions, seeds: range) { _, outcome in
            tally.add(outcome)
            progress.done(tally.runCount)
            return progress.isInterrupted
        }
        if let finding { tally.add(finding.outcome) }
        progress.end()
        let isCutShort = finding == nil && tally.runCount < range.count
        var report = tally.report(
            subject: "mutant \(mutant.name)", command: command(mutant, conditions, range),
            conditions: conditions, failing: finding.map { failing($0, of: mutant) }, isInterrupted: isCutShort)
        report.elapsed = progress.elapsed
        let seed = finding?.failing.seed ?? range.lowerBound
        report.panels = [
            mutant.measure(seed: seed, conditions).divergencePanel(of: "seed \(seed)", in: .count("step"))
        ]
        return report
    }

    private static func command(_ mutant: Mutant, _ conditions: Conditions, _ range: ClosedRange<UInt64>) -> String {
        "caravan simulate --mutant \(mutant.name) \(conditions.options) "
            + "--seeds \(range.lowerBound)..\(range.upperBound)"
    }

    private static func failing(_ finding: Mutant.Finding, of mutant: Mutant) -> Report.Failing {
        var failing = finding.failing
        failing.command = "caravan simulate --mutant \(mutant.name) \(finding.options)"
        return failing
    }

    /// Runs the chosen steps of a seed, prints what happens, and fails where a law is violated.
    static func replay(
        _ mutant: Mutant, _ selection: Selection, seed: UInt64, _ conditions: Conditions
    ) throws {
        let outcome = mutant.replay(selection, seed: seed, conditions)
        for line in outcome.trace { Output.line(line) }
        guard let violation = outcome.violation else { return Output.line("no violation") }
        Output.line("\(violation.law.name): \(violation.law.description)")
        throw ExitCode.failure
    }

    /// Looks for every mutant, and prints a table. False where one survives, or somebody ended it.
    static func sweep(_ options: SimulateOptions, json: Bool) -> Bool {
        let range = options.range(orElse: seeds)
        let progress = SimulateProgress("mutant", of: UInt64(Mutant.all.count))
        let conditions = Conditions(replicas: options.replicas ?? 4, steps: options.steps ?? 120)
        var found: [(Mutant, Mutant.Finding?)] = []
        for mutant in Mutant.all where !progress.isInterrupted {
            progress.done(UInt64(found.count), detail: mutant.name)
            let finding = mutant.find(conditions, seeds: range) { _, _ in progress.isInterrupted }
            if finding != nil || !progress.isInterrupted { found.append((mutant, finding)) }
        }
        progress.end()
        Output.text(json ? Self.json(found).text + "\n" : table(found))
        return found.count == Mutant.all.count && found.allSatisfy { $1.map { _ in true } ?? false }
    }

    private static func table(_ found: [(Mutant, Mutant.Finding?)]) -> String {
        let rows = found.map { mutant, finding in
            guard let finding else { return [mutant.name, "SURVIVES", "", "", "", ""] }
            func size(_ size: Report.Failing.Size) -> String { "\(size.replicas)/\(size.events)/\(size.faults)" }
            return [
                mutant.name, finding.law.name + (mutant.laws.contains(finding.law) ? "" : " (not promised)"),
                "\(finding.seedCount)", "\(finding.failedStep)", size(finding.before), size(finding.after),
            ]
        }
        let head = ["mutant", "law broken", "seeds", "step", "before", "after"]
        let lines = Report.columns([head] + rows, alignRight: [2, 3])
        let caught = found.filter { $0.1 != nil }.count
        return lines.joined(separator: "\n")
            + "\n\n\(caught) of \(Mutant.all.count) found. Sizes are replicas/events/faults.\n"
    }

    private static func json(_ found: [(Mutant, Mutant.Finding?)]) -> JSONValue {
        let mutants = found.map { mutant, finding in
            JSONValue.object([
                "failing": finding.map { failing($0, of: mutant).json },
                "laws": .array(mutant.laws.map { .string($0.name) }), "name": .string(mutant.name),
                "seeds_tried": finding.map { .integer(Int64(clamping: $0.seedCount)) },
            ])
        }
        return .object(["mutants": .array(mutants)])
    }
}

extension Conditions {
    /// As options of `caravan simulate`.
    var options: String {
        let names =
            faults.isEmpty
            ? "none"
            : faults.count == Fault.allCases.count ? "all" : faults.sorted().map(\.rawValue).joined(separator: ",")
        return "--replicas \(replicas) --steps \(steps) --faults \(names)"
    }
}
