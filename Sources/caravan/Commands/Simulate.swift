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

    @Option(help: ArgumentHelp("A faulty type instead of nodes: its name, all, or list.", valueName: "name"))
    var mutant: String?

    @Option(help: ArgumentHelp("Run only these steps of the seed, as a failure names them.", valueName: "steps"))
    var keep: String?

    @Flag(help: "Print JSON with stable keys, sorted.")
    var json = false

    @Option(help: ArgumentHelp("Write a page to look at.", valueName: "file.html"))
    var report: String?

    func validate() throws {
        if let mutant, !["all", "list"].contains(mutant), Mutant.named(mutant) == nil {
            throw ValidationError("there is no mutant \"\(mutant.prefix(40))\": see caravan simulate --mutant list")
        }
        if let keep {
            guard Selection(keep) != nil else { throw ValidationError("--keep takes steps, as in 3,9,14!") }
            guard runs.seed != nil, mutant.map(Mutant.named) ?? nil != nil else {
                throw ValidationError("--keep goes with --seed and --mutant NAME")
            }
        }
        if mutant == "list" || mutant == "all", report != nil {
            throw ValidationError("--report goes with one mutant")
        }
    }

    func run() async throws {
        // Before the work: nobody waits for minutes to hear that a folder is missing.
        let page = try report.map(SimulateFile.init)
        switch mutant {
        case "list": SimulateMutants.list(json: json)
        case "all":
            let isComplete = SimulateMutants.sweep(runs, json: json)
            if !isComplete { throw ExitCode.failure }
        case .some(let name):
            guard let mutant = Mutant.named(name) else { return }
            if let selection = keep.flatMap(Selection.init), let seed = runs.seed {
                try SimulateMutants.replay(mutant, selection, seed: seed, runs.conditions)
            } else {
                try publish(SimulateMutants.explore(mutant, runs), on: page)
            }
        case nil: throw ValidationError("say which --mutant")
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
