import ArgumentParser
import Convergence
import TripModel

/// Runs replicas in a simulated world in which everything goes wrong, and checks the laws.
struct Simulate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Break a world of simulated nodes; check the laws.",
        discussion: """
            Exit status 1 where a law is violated, or a mutant survives. The same seeds give the same runs everywhere.
            Examples: caravan simulate --seeds 1..100, caravan simulate --mutant all
            """)

    @OptionGroup var runs: SimulateOptions

    @Option(help: ArgumentHelp("Run only these steps of the seed, as a failure names them.", valueName: "steps"))
    var keep: String?

    @Flag(help: "Print JSON with stable keys, sorted.")
    var json = false

    @Option(help: ArgumentHelp("Write a page to look at.", valueName: "file.html"))
    var report: String?

    func validate() throws {
        let isSmallType = if case .type = try runs.subject { true } else { false }
        if let keep {
            guard Selection(keep) != nil else { throw ValidationError("--keep takes steps, as in 3,9,14!") }
            guard runs.seed != nil, isSmallType else {
                throw ValidationError("--keep goes with --seed and --mutant NAME")
            }
        }
        if runs.mutant == "list" || runs.mutant == "all", report != nil {
            throw ValidationError("--report goes with one mutant")
        }
    }

    func run() async throws {
        // Before the work: nobody waits for minutes to hear that a folder is missing.
        let page = try report.map(SimulateFile.init)
        switch try runs.subject {
        case .list: SimulateMutants.list(json: json)
        case .sweep:
            let isComplete = SimulateMutants.sweep(runs, json: json)
            if !isComplete { throw ExitCode.failure }
        case .type(let mutant, let conditions):
            if let selection = keep.flatMap(Selection.init), let seed = runs.seed {
                try SimulateMutants.replay(mutant, selection, seed: seed, conditions)
            } else {
                try publish(SimulateMutants.explore(mutant, conditions, runs), on: page)
            }
        case .nodes(let conditions): try publish(SimulateNodes.explore(conditions, runs), on: page)
        }
    }

    /// Prints what was shown, writes its page, and fails where a law was violated.
    private func publish(_ report: Report, on page: SimulateFile?) throws {
        Output.text(json ? report.json.text + "\n" : report.text)
        try page?.write(report.html)
        if report.failing != nil { throw ExitCode.failure }
        if report.isInterrupted { throw CancellationError() }
    }
}
