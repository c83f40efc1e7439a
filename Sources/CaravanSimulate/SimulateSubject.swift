import ArgumentParser
import Console
import Convergence
import ConvergenceProcess
import TripText

/// Tests a program that plays a replicated type.
struct SimulateSubject: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "caravan simulate subject",
        abstract: "Test a replicated type in any language: a program that speaks JSON lines.",
        discussion: """
            The program reads requests from standard input, one JSON object a line, and answers each with one line on \
            standard output. The simulator plays the network, disks, clocks and people, and checks the laws. \
            The article “Test a program in any language” of Convergence's documentation describes the protocol; \
            Examples/Subjects has programs to start from.

            Examples:
              caravan simulate subject "python3 Examples/Subjects/counter.py --naive"
              caravan simulate subject ./my-set-1.0 --with ./my-set-2.0 --seeds 1..1000
            """)

    @Argument(help: ArgumentHelp("The program: a command line for the shell.", valueName: "program"))
    var program: String

    @Option(
        name: .customLong("with"),
        help: ArgumentHelp("Another version of it; versions take turns among the replicas.", valueName: "program"))
    var others: [String] = []

    @Option(help: ArgumentHelp("Number of replicas, 1 to 64.", valueName: "n"))
    var replicas: Int?

    @Option(help: ArgumentHelp("Number of actions, messages and faults before everything heals.", valueName: "n"))
    var steps: Int?

    @Option(help: ArgumentHelp("Run one seed.", valueName: "n"))
    var seed: UInt64?

    @Option(
        help: ArgumentHelp("Run these seeds until a law is violated.", valueName: "from..to"),
        transform: { try SeedRange($0) })
    var seeds: SeedRange?

    @Option(help: ArgumentHelp("Faults to inject: names separated by commas, all or none.", valueName: "names"))
    var faults: String?

    @Option(help: ArgumentHelp("Seconds until the program must have answered.", valueName: "s"))
    var patience = 10

    @Option(help: ArgumentHelp("Run only this part of a seed's plan, as printed by a failure.", valueName: "part"))
    var keep: String?

    @Flag(help: "Print JSON with stable, sorted keys.")
    var json = false

    @Option(help: ArgumentHelp("Write a report as a web page.", valueName: "file.html"))
    var report: String?

    func validate() throws {
        if seed != nil, seeds != nil { throw ValidationError("--seed and --seeds cannot be combined") }
        guard (1...3_600).contains(patience) else { throw ValidationError("--patience takes 1 to 3600 seconds") }
        if let keep {
            guard seed != nil else { throw ValidationError("--keep needs --seed") }
            guard Selection(keep) != nil else { throw ValidationError("--keep takes steps, such as 3,9,14!") }
            if json || report != nil { throw ValidationError("--keep cannot be combined with --json or --report") }
        }
        _ = try SimulateOptions.conditions(replicas, steps, faults)
    }

    private var range: ClosedRange<UInt64> { seed.map { $0...$0 } ?? seeds?.range ?? 1...200 }

    func run() async throws {
        let page = try report.map(SimulateFile.init)
        var limits = SubjectProcess.Limits()
        limits.answerTime = patience * 1_000
        var programs: [SubjectProcess] = []
        for command in [program] + others { programs.append(try SubjectProcess(command, limits: limits)) }
        let subject = try ProgramSubject(programs)
        let conditions = subject.fitted(try SimulateOptions.conditions(replicas, steps, faults))
        if let selection = keep.flatMap(Selection.init), let seed {
            return try replay(selection, seed, subject, conditions)
        }
        let report = try explore(subject, conditions, isDrawn: page != nil)
        Output.text(json ? report.json.text + "\n" : report.text)
        try page?.write(report.html)
        if report.failing != nil { throw ExitCode.failure }
        if report.isInterrupted { throw CancellationError() }
    }

    private func explore(_ subject: ProgramSubject, _ conditions: Conditions, isDrawn: Bool) throws -> Report {
        let range = self.range
        let progress = SimulateProgress("seed", of: UInt64(range.count))
        var tally = Tally()
        let failure = try subject.firstFailure(conditions, seeds: range, isInterrupted: { progress.isInterrupted }) {
            tally.add($1)
            progress.done(
                tally.runCount,
                detail: "\(Figures.grouped(tally.deliveredCount * 1_000 / max(1, progress.elapsed))) messages/s")
            return progress.isInterrupted
        }
        if let failure { tally.add(failure.outcome) }
        progress.end()
        let line = command(conditions)
        var report = tally.report(
            subject: subject.name, command: "\(line) --seeds \(range.lowerBound)..\(range.upperBound)",
            conditions: conditions, failing: failure.map { $0.failing(command: again($0)) },
            isInterrupted: failure == nil && tally.runCount < range.count)
        report.elapsed = progress.elapsed
        if isDrawn, let failure { report.panels = failure.page(subject: subject.name, command: line).panels }
        return report
    }

    private func replay(
        _ selection: Selection, _ seed: UInt64, _ subject: ProgramSubject, _ conditions: Conditions
    ) throws {
        let simulator = subject.simulator(conditions)
        let outcome = simulator.run(selection.part(of: simulator.plan(seed: seed)), isTracing: true)
        if let failure = subject.failure { throw failure }
        for line in outcome.trace { Output.line(line) }
        guard let violation = outcome.violation else { return Output.line("no violation") }
        Output.line("\(violation.law.name): \(violation.law.description)")
        throw ExitCode.failure
    }

    private var start: String {
        func quoted(_ text: String) -> String { "'" + text.replacing("'", with: "'\\''") + "'" }
        return "caravan simulate subject \(quoted(program))" + others.map { " --with \(quoted($0))" }.joined()
    }

    private func command(_ conditions: Conditions) -> String { "\(start) \(conditions.options)" }

    private func again(_ failure: Failure<ProgramReplica>) -> String { "\(start) \(failure.options)" }
}
