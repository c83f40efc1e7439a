import ArgumentParser
import Console
import Convergence
import TripSimulation
import TripText

/// Runs replicas in a simulated world in which everything goes wrong, and checks the laws.
struct Simulate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "caravan simulate",
        abstract: "Simulate nodes with injected faults, and check the laws.",
        discussion: """
            A deterministic simulator: the same seeds give the same runs everywhere. The exit status is 1 if a law is \
            violated. With one --mutant, 1 means that its fault was found, 0 that it survived; with --mutant all, 1 means \
            that one survived.

            Examples:
              caravan simulate --seeds 1..100
              caravan simulate --mutant all

            Also:
              caravan simulate subject --help    test a replicated type in any language
              caravan simulate sweep --help      run a share of seeds, for many machines
              caravan simulate merge --help      one report of all shares
              caravan simulate history --help    check a log of what clients did and read
            """)

    @OptionGroup var options: SimulateOptions

    @OptionGroup var output: ReportOptions

    @Option(help: ArgumentHelp("Run a file written by --save.", valueName: "file"))
    var replay: String?

    @Option(help: ArgumentHelp("Write the reduced failing run to a file for --replay.", valueName: "file"))
    var save: String?

    @Option(
        help: ArgumentHelp(
            "Check who is in, for all sets of up to N crafted statements, 1 to 5, instead of nodes.", valueName: "n"))
    var statements: Int?

    @Option(help: ArgumentHelp("With --statements, the Kth of N parts of the largest sets.", valueName: "k/n"))
    var part: String?

    func validate() throws {
        try SimulateSets.check(
            statements, part,
            isAlone: options.isPlain
                && [output.keep, output.tape, replay, save, output.report].allSatisfy { $0 == nil }
                && !output.json)
        if let keep = output.keep { try check(keep) }
        if output.tape != nil {
            guard case .type = try options.subject else { throw ValidationError("--tape needs one small type") }
            _ = try output.part(options.runs)
        }
        if save != nil {
            guard output.keep == nil else { throw ValidationError("--save and --keep cannot be combined") }
            guard case .nodes = try options.subject else {
                throw ValidationError("--save works only with runs of nodes, not with a small type")
            }
        }
        if options.mutant == "list" || options.mutant == "all" || output.isPart || replay != nil, output.report != nil {
            throw ValidationError("--report works only with seeds, of nodes or of one mutant")
        }
        if let report = output.report, let save, SimulateFile.areOne(report, save) {
            throw ValidationError("--report and --save need different files")
        }
        if replay != nil, !options.isPlain || output.isPart || save != nil || output.json {
            throw ValidationError("--replay cannot be combined with other options; the file contains them")
        }
    }

    /// Throws where a part of a run names what the run has not: nothing would happen, and nothing break.
    private func check(_ keep: String) throws {
        switch try options.subject {
        case .list, .sweep: throw ValidationError("--keep needs one mutant or none")
        case _ where options.runs.seed == nil: throw ValidationError("--keep needs --seed")
        case .type(_, let conditions):
            guard let selection = Selection(keep) else { throw ValidationError("--keep takes steps, such as 3,9,14!") }
            try check(selection.numbers, "step", of: conditions.steps)
        case .nodes(let conditions):
            guard let selection = TripSelection(keep), !selection.nodes.isEmpty else {
                throw ValidationError("--keep takes nodes and steps, such as 0,2/14,90")
            }
            try check(selection.nodes, "node", of: conditions.replicas)
            try check(selection.steps, "step", of: conditions.steps)
        }
    }

    private func check(_ numbers: [Int], _ noun: String, of count: Int) throws {
        guard let strange = numbers.first(where: { $0 >= count }) else { return }
        let there = count == 0 ? "no \(noun)s" : "\(noun)s 0 to \(count - 1)"
        throw ValidationError("--keep names \(noun) \(strange), but the run has \(there)")
    }

    func run() async throws {
        if let statements { return try SimulateSets.run(upTo: statements, part: SimulateSets.part(part)) }
        if let replay { return try SimulateNodes.replay(file: replay) }
        // Before the work: nobody waits for minutes to hear that a folder is missing.
        let page = try output.report.map(SimulateFile.init)
        let file = try save.map(SimulateFile.init)
        switch try options.subject {
        case .list: SimulateSweep.list(json: output.json)
        case .sweep: try SimulateSweep.run(options.runs, json: output.json)
        case .type(let mutant, let conditions):
            if let part = try output.part(options.runs) {
                try SimulateSearch.show(mutant.replay(part, conditions))
            } else {
                let report = try SimulateSearch.run(
                    mutant.world(conditions), options.runs.range(orElse: SimulateSweep.seeds),
                    subject: "mutant \(mutant.name)", command: "caravan simulate --mutant \(mutant.name)",
                    passingOver: Array(mutant.laws.dropFirst()), isDrawn: page != nil)
                try output.publish(report, on: page, of: mutant.name)
            }
        case .nodes(let conditions):
            if let selection = output.keep.flatMap({ TripSelection($0) }), let seed = options.runs.seed {
                try SimulateNodes.replay(selection, seed: seed, conditions)
            } else {
                let report = try SimulateSearch.run(
                    TripSimulator(conditions), options.runs.range(orElse: 1...20), subject: conditions.subject,
                    command: "caravan simulate", passingOver: conditions.mutation?.otherLaws ?? [],
                    isDrawn: page != nil, saving: file)
                try output.publish(report, on: page, of: options.mutant)
            }
        }
    }
}
