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

    @OptionGroup var programs: ProgramOptions

    @OptionGroup var runs: RunOptions

    @OptionGroup var output: ReportOptions

    func validate() throws {
        if try output.part(runs) != nil, output.report != nil {
            throw ValidationError("--report works only with whole seeds")
        }
        _ = try runs.conditions
    }

    func run() async throws {
        let page = try output.report.map(SimulateFile.init)
        let subject = try programs.subject(program)
        let conditions = subject.fitted(try runs.conditions)
        if let part = try output.part(runs) {
            let outcome = subject.simulator(conditions).replay(part)
            if let failure = subject.failure { throw failure }
            return try SimulateMutants.show(outcome)
        }
        try output.publish(try explore(subject, conditions, isDrawn: page != nil), on: page)
    }

    private func explore(_ subject: ProgramSubject, _ conditions: Conditions, isDrawn: Bool) throws -> Report {
        let range = runs.range(orElse: 1...200)
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

    private var start: String {
        func quoted(_ text: String) -> String { "'" + text.replacing("'", with: "'\\''") + "'" }
        return "caravan simulate subject \(quoted(program))" + programs.others.map { " --with \(quoted($0))" }.joined()
    }

    private func command(_ conditions: Conditions) -> String { "\(start) \(conditions.options)" }

    private func again(_ failure: Failure<ProgramReplica>) -> String { "\(start) \(failure.options)" }
}

/// Which programs play a type's replicas beside the first, and how long each may take.
struct ProgramOptions: ParsableArguments {
    @Option(
        name: .customLong("with"),
        help: ArgumentHelp(
            "A newer version, for some replicas, and for others once they start again.", valueName: "program"))
    var others: [String] = []

    @Option(help: ArgumentHelp("Seconds until the program must have answered.", valueName: "s"))
    var patience = 10

    func validate() throws {
        guard (1...3_600).contains(patience) else { throw ValidationError("--patience takes 1 to 3600 seconds") }
    }

    /// Starts a program and its newer versions.
    func subject(_ program: String) throws -> ProgramSubject {
        var limits = SubjectProcess.Limits()
        limits.answerTime = patience * 1_000
        return try ProgramSubject(([program] + others).map { try SubjectProcess($0, limits: limits) })
    }
}
