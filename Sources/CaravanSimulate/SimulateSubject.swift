import ArgumentParser
import Convergence
import ConvergenceProcess

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
            return try SimulateSearch.show(outcome)
        }
        let report = try SimulateSearch.run(
            subject.simulator(conditions), runs.range(orElse: 1...200), subject: subject.name, command: start,
            isDrawn: page != nil, isBroken: { subject.failure != nil })
        if let failure = subject.failure { throw failure }
        try output.publish(report, on: page)
    }

    private var start: String {
        func quoted(_ text: String) -> String { "'" + text.replacing("'", with: "'\\''") + "'" }
        return "caravan simulate subject \(quoted(program))" + programs.others.map { " --with \(quoted($0))" }.joined()
    }
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
