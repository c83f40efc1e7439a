import ArgumentParser
import Console
import Convergence
import TripSimulation
import TripText

/// Everything that has a known fault, small types and the world of nodes: each must be found.
enum SimulateSweep {
    /// As many as find every mutant of nodes.
    static let seeds: ClosedRange<UInt64> = 1...500

    /// Something with a known fault.
    private struct Entry {
        let name: String
        /// Any of these may be the first that breaks; the first says most.
        let laws: [Law]
        let isOfNodes: Bool
        let find: (RunOptions, ClosedRange<UInt64>, @escaping () -> Bool) -> Report.Failing?

        /// Whether what broke is what its fault breaks. Another law says that the harness is wrong.
        func isFound(by failing: Report.Failing?) -> Bool { failing.map { laws.contains($0.law) } ?? false }
    }

    private static var entries: [Entry] {
        Mutant.all.map { mutant in
            Entry(name: mutant.name, laws: mutant.laws, isOfNodes: false) { options, range, isInterrupted in
                let conditions = Conditions(replicas: options.replicas ?? 4, steps: options.steps ?? 120)
                return mutant.find(conditions, seeds: range, isInterrupted: isInterrupted)
                    .map { repeated($0.failing, by: "--mutant \(mutant.name) \($0.options)") }
            }
        }
            + TripMutation.allCases.map { mutation in
                Entry(name: mutation.rawValue, laws: [mutation.law], isOfNodes: true) { options, range, isInterrupted in
                    var conditions = mutation.conditions
                    conditions.replicas = options.replicas ?? conditions.replicas
                    conditions.steps = options.steps ?? conditions.steps
                    return mutation.find(conditions, seeds: range, isInterrupted: isInterrupted)
                        .map { repeated($0.failing(command: nil), by: $0.options) }
                }
            }
    }

    private static func repeated(_ failing: Report.Failing, by options: String) -> Report.Failing {
        var failing = failing
        failing.command = "caravan simulate \(options)"
        return failing
    }

    /// Prints which there are, and which law each is known to break.
    static func list(json: Bool) {
        if json {
            let mutants = entries.map { entry in JSONValue.object(common(entry)) }
            Output.line(JSONValue.object(["mutants": .array(mutants)]).text)
        } else {
            let rows = entries.map {
                [$0.name, $0.isOfNodes ? "nodes" : "type", $0.laws[0].name, $0.laws[0].description]
            }
            for line in Report.columns([["mutant", "of", "violates", "law"]] + rows) { Output.line(line) }
        }
    }

    /// Looks for every one, and prints a table. Fails where one survives, or is found by a law that it should not break.
    static func run(_ options: RunOptions, json: Bool) throws {
        let entries = self.entries
        let range = options.range(orElse: seeds)
        let progress = SimulateProgress("mutant", of: UInt64(entries.count))
        var found: [(entry: Entry, failing: Report.Failing?)] = []
        for entry in entries where !progress.isInterrupted {
            progress.done(UInt64(found.count), detail: entry.name)
            let failing = entry.find(options, range) { progress.isInterrupted }
            if failing != nil || !progress.isInterrupted { found.append((entry, failing)) }
        }
        progress.end()
        Output.text(
            json
                ? Self.json(found, in: range, isInterrupted: found.count < entries.count)
                : table(found, from: range.lowerBound, entries.count))
        if !found.allSatisfy({ $0.isFound(by: $1) }) { throw ExitCode.failure }
        if found.count < entries.count { throw CancellationError() }
    }

    private static func table(_ found: [(entry: Entry, failing: Report.Failing?)], from first: UInt64, _ all: Int)
        -> String
    {
        let rows = found.map { entry, failing in
            guard let failing else { return [entry.name, "SURVIVES", "", "", "", ""] }
            func size(_ size: Report.Failing.Size) -> String { "\(size.replicas)/\(size.events)/\(size.faults)" }
            let isPromised = entry.isFound(by: failing)
            return [
                entry.name, failing.law.name + (isPromised ? "" : ", not \(entry.laws[0].name)"),
                "\(failing.seed - first + 1)", "\(failing.failedStep)", size(failing.before), size(failing.after),
            ]
        }
        let head = ["mutant", "law violated", "seeds", "step", "before", "after"]
        let caught = found.filter { $0.isFound(by: $1) }.count
        return Report.columns([head] + rows, alignRight: [2, 3]).joined(separator: "\n")
            + "\n\nFound \(caught) of \(all). Sizes are replicas/events/faults.\n"
            + coverage(found)
    }

    /// How many mutants each law found, and how many small runs of types each fault is in; a law or a fault of which nothing shows that it
    /// is ever of use.
    private static func coverage(_ found: [(entry: Entry, failing: Report.Failing?)]) -> String {
        func line(_ title: String, _ counts: [String: Int], _ all: [String], _ none: String) -> String {
            let some = counts.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
            let never = all.filter { counts[$0] == nil }
            return "\n\(title): \(some)\n" + (never.isEmpty ? "" : "\(none): \(never.joined(separator: ", "))\n")
        }
        let laws = Dictionary(found.compactMap(\.failing).map { ($0.law.name, 1) }, uniquingKeysWith: +)
        let happened = found.filter { !$0.entry.isOfNodes }.flatMap { $0.failing?.happened ?? [] }
        let faults = Dictionary(happened.map { ($0, 1) }, uniquingKeysWith: +)
        return line("Mutants found by each law", laws, Law.all.map(\.name), "Laws that found none")
            + line(
                "Small runs of types with each fault", faults, Fault.allCases.map(\.rawValue), "Faults that none needed"
            )
    }

    private static func json(
        _ found: [(entry: Entry, failing: Report.Failing?)], in range: ClosedRange<UInt64>, isInterrupted: Bool
    ) -> String {
        let mutants = found.map { entry, failing in
            var members = common(entry)
            members["failing"] = .some(failing?.json)
            // Of a survivor all were tried.
            let last = failing?.seed ?? range.upperBound
            members["seeds_tried"] = .some(.integer(Int64(clamping: last - range.lowerBound + 1)))
            return JSONValue.object(members)
        }
        return JSONValue.object(["interrupted": .bool(isInterrupted), "mutants": .array(mutants)]).text + "\n"
    }

    private static func common(_ entry: Entry) -> [String: JSONValue?] {
        [
            "laws": .array(entry.laws.map { .string($0.name) }), "name": .string(entry.name),
            "of": .string(entry.isOfNodes ? "nodes" : "type"),
        ]
    }
}
