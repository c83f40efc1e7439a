import ArgumentParser
import Console
import Convergence
import TripSimulation
import TripText

/// Runs replicas in a simulated world in which everything goes wrong, and checks the laws.
struct Simulate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "caravan simulate",
        abstract: "Break a world of simulated nodes; check the laws.",
        discussion: """
            Exit status 1 where a law is violated: of one --mutant, too, 1 says that it is found, and 0 that it survives.
            Of --mutant all, 1 where one survives. The same seeds give the same runs everywhere.
            Examples: caravan simulate --seeds 1..100, caravan simulate --mutant all
            """)

    @OptionGroup var runs: SimulateOptions

    @Option(help: ArgumentHelp("Run only this part of the seed, as a failure names it.", valueName: "part"))
    var keep: String?

    @Option(help: ArgumentHelp("Run what --save wrote.", valueName: "file"))
    var replay: String?

    @Option(help: ArgumentHelp("Write a failing run, made small, to be replayed.", valueName: "file"))
    var save: String?

    @Flag(help: "Print JSON with stable keys, sorted.")
    var json = false

    @Option(help: ArgumentHelp("Write a page to look at.", valueName: "file.html"))
    var report: String?

    func validate() throws {
        if let keep { try check(keep) }
        if save != nil {
            guard keep == nil else { throw ValidationError("--save goes with seeds: leave --keep out") }
            guard case .nodes = try runs.subject else {
                throw ValidationError("--save goes with runs of nodes; a small type's line is short")
            }
        }
        if json, keep != nil { throw ValidationError("--json goes with seeds: --keep prints what happens") }
        if runs.mutant == "list" || runs.mutant == "all" || keep != nil || replay != nil, report != nil {
            throw ValidationError("--report goes with seeds, of nodes or of one mutant")
        }
        if let report, let save, SimulateFile.areOne(report, save) {
            throw ValidationError("--report and --save name one file: name two")
        }
        if replay != nil, !runs.isPlain || keep != nil || save != nil || json {
            throw ValidationError("--replay stands alone: the file says everything")
        }
    }

    /// Throws where a part of a run names what the run has not: nothing would happen, and nothing break.
    private func check(_ keep: String) throws {
        switch try runs.subject {
        case .list, .sweep: throw ValidationError("--keep is a part of one run: name one mutant, or none")
        case _ where runs.seed == nil: throw ValidationError("--keep goes with --seed")
        case .type(_, let conditions):
            guard let selection = Selection(keep) else { throw ValidationError("--keep takes steps, as in 3,9,14!") }
            try check(selection.numbers, "step", of: conditions.steps)
        case .nodes(let conditions):
            guard let selection = TripSelection(keep), !selection.nodes.isEmpty else {
                throw ValidationError("--keep takes nodes and steps, as in 0,2/14,90")
            }
            try check(selection.nodes, "node", of: conditions.replicas)
            try check(selection.steps, "step", of: conditions.steps)
        }
    }

    private func check(_ numbers: [Int], _ noun: String, of count: Int) throws {
        guard let strange = numbers.first(where: { $0 >= count }) else { return }
        let there = count == 0 ? "no \(noun)s" : "\(noun)s 0 to \(count - 1)"
        throw ValidationError("--keep names \(noun) \(strange), and the run has \(there)")
    }

    func run() async throws {
        if let replay { return try SimulateNodes.replay(file: replay) }
        // Before the work: nobody waits for minutes to hear that a folder is missing.
        let page = try report.map(SimulateFile.init)
        let file = try save.map(SimulateFile.init)
        switch try runs.subject {
        case .list: SimulateSweep.list(json: json)
        case .sweep: try SimulateSweep.run(runs, json: json)
        case .type(let mutant, let conditions):
            if let selection = keep.flatMap(Selection.init), let seed = runs.seed {
                try SimulateMutants.replay(mutant, selection, seed: seed, conditions)
            } else {
                try publish(
                    SimulateMutants.explore(mutant, conditions, runs, isDrawn: page != nil), on: page)
            }
        case .nodes(let conditions):
            if let selection = keep.flatMap({ TripSelection($0) }), let seed = runs.seed {
                try SimulateNodes.replay(selection, seed: seed, conditions)
            } else {
                let range = runs.range(orElse: SimulateNodes.seeds)
                try publish(SimulateNodes.explore(conditions, range, saving: file), on: page)
            }
        }
    }

    /// Prints what was shown, writes its page, and fails where a law was violated.
    private func publish(_ report: Report, on page: SimulateFile?) throws {
        Output.text(json ? report.json.text + "\n" : report.text)
        try page?.write(report.html)
        if report.failing != nil { throw ExitCode.failure }
        if report.isInterrupted { throw CancellationError() }
        if let mutant = runs.mutant { Output.note("\(mutant) survives these seeds") }
    }
}
