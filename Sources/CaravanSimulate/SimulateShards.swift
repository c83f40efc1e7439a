import ArgumentParser
import Console
import Convergence
import ConvergenceProcess
import TripText

/// Runs a share of some seeds, a line of JSON for each.
struct SimulateShard: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "caravan simulate sweep",
        abstract: "Run all seeds, or a share of them, and print a JSON line for each.",
        discussion: """
            Workers on any number of machines run shares; `caravan simulate merge` makes one report of their lines. Failing \
            seeds don't end a sweep. After the first 64 seeds, faults and laws that were seldom at risk get more of the draws.

            Examples:
              caravan simulate sweep --mutant gapped-interval --seeds 1..1000 --shard 2/4 > 2.jsonl
              caravan simulate sweep --subject ./my-set --seeds 1..1000 > all.jsonl
              caravan simulate merge *.jsonl
            """)

    @Option(help: ArgumentHelp("A small type with a known fault.", valueName: "name"))
    var mutant: String?

    @Option(help: ArgumentHelp("A program that plays a replicated type.", valueName: "program"))
    var subject: String?

    @Option(help: ArgumentHelp("Every Nth seed, from the Ith.", valueName: "I/N"), transform: { try Shard($0) })
    var shard = Shard(number: 1, count: 1)

    @OptionGroup var programs: ProgramOptions

    @OptionGroup var runs: RunOptions

    struct Shard {
        let number: UInt64
        let count: UInt64

        init(number: UInt64, count: UInt64) { (self.number, self.count) = (number, count) }

        init(_ text: String) throws {
            let parts = text.split(separator: "/", omittingEmptySubsequences: false).map { UInt64($0) }
            guard parts.count == 2, let number = parts[0], let count = parts[1], (1...65_536).contains(count),
                (1...count).contains(number)
            else { throw ValidationError("--shard takes I/N, such as 2/4, with 1 <= I <= N <= 65536") }
            self.init(number: number, count: count)
        }
    }

    func validate() throws {
        guard (mutant == nil) != (subject == nil) else { throw ValidationError("give either --mutant or --subject") }
        if let mutant, Mutant.named(mutant) == nil {
            throw ValidationError(
                "there is no small type “\(mutant.prefix(40))”; list them with `caravan simulate --mutant list`")
        }
        if mutant != nil, !programs.others.isEmpty { throw ValidationError("--with needs --subject") }
        _ = try runs.conditions
    }

    func run() async throws {
        let conditions = try runs.conditions
        let range = runs.range(orElse: 1...200)
        let first = range.lowerBound + (shard.number - 1)
        let own =
            first > range.upperBound ? [] : Array(stride(from: first, through: range.upperBound, by: Int(shard.count)))
        let progress = SimulateProgress("seed", of: UInt64(own.count))
        var count: UInt64 = 0
        func isDone(_ report: SeedReport) -> Bool {
            Output.line(report.line)
            count += 1
            progress.done(count)
            return progress.isInterrupted || Output.problem != nil
        }
        if let mutant = mutant.flatMap(Mutant.named) {
            mutant.sweep(
                "mutant \(mutant.name) \(conditions.options)", conditions, seeds: own, of: range, isDone: isDone)
        } else if let program = subject {
            let subject = try programs.subject(program)
            let fitted = subject.fitted(conditions)
            subject.simulator(fitted).sweep("\(subject.name) \(fitted.options)", seeds: own, of: range, isDone: isDone)
            if let failure = subject.failure { throw failure }
        }
        progress.end()
        if progress.isInterrupted { throw CancellationError() }
    }
}

/// Makes one report of the lines of many workers.
struct SimulateMerge: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "caravan simulate merge",
        abstract: "Merge the JSON lines of sweeps into one report.",
        discussion: """
            A seed counts once, however many files have it. A line that was cut is dropped, and counted on standard error. The \
            exit status is 1 if a law is violated.
            """)

    @Argument(help: ArgumentHelp("Files that sweeps wrote.", valueName: "file.jsonl"))
    var files: [String]

    func run() async throws {
        var merged = MergedReport()
        for file in files {
            let text = try SimulateFile.text(at: file, bytesMax: 256 << 20)
            do {
                for line in text.split(separator: "\n") { try merged.add(line) }
            } catch {
                throw SimulateFile.Problem(description: "\(file): \(error)")
            }
        }
        Output.text(merged.text)
        if let dropped = merged.dropped { Output.note(dropped) }
        if merged.isViolated { throw ExitCode.failure }
    }
}
