import ArgumentParser
import Console
import Convergence
import TripText

/// How runs are made, of nodes, of small types and of programs.
struct RunOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Number of nodes, 2 to 1000, or of replicas of a type, 1 to 64.", valueName: "n"))
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

    @Option(help: ArgumentHelp("Faults of a type to inject more often.", valueName: "names"))
    var emphasis: String?

    func validate() throws {
        if let steps, !(0...1_000_000).contains(steps) { throw ValidationError("--steps takes 0 to 1000000") }
        if seed != nil, seeds != nil { throw ValidationError("--seed and --seeds cannot be combined") }
    }

    /// Nothing was chosen.
    var isPlain: Bool {
        replicas == nil && steps == nil && seed == nil && seeds == nil && faults == nil && emphasis == nil
    }

    /// The seeds to try.
    func range(orElse usual: ClosedRange<UInt64>) -> ClosedRange<UInt64> {
        seed.map { $0...$0 } ?? seeds?.range ?? usual
    }

    /// How types are run, with what was left out as it is for most.
    var conditions: Conditions {
        get throws {
            if let replicas, !(1...64).contains(replicas) {
                throw ValidationError("--replicas takes 1 to 64 for a small type")
            }
            var conditions = Conditions(
                replicas: replicas ?? 4, steps: steps ?? 120,
                faults: try faults.map { try Self.faults(named: $0, of: Fault.self) } ?? Set(Fault.allCases))
            conditions.emphasis = try emphasis.map { try Self.faults(named: $0, of: Fault.self) } ?? []
            return conditions
        }
    }

    /// Reads loss,crash.
    static func faults<Kind>(named names: String, of kind: Kind.Type) throws -> Set<Kind>
    where Kind: CaseIterable & Hashable & RawRepresentable<String> {
        if names == "none" { return [] }
        if names == "all" { return Set(Kind.allCases) }
        return try Set(
            names.split(separator: ",", omittingEmptySubsequences: false).map {
                try named(String($0), "fault", or: ["all", "none"])
            })
    }

    /// The case of a name.
    static func named<Kind>(_ name: String, _ noun: String, or others: [String] = []) throws -> Kind
    where Kind: CaseIterable & RawRepresentable<String> {
        if let kind = Kind(rawValue: name) { return kind }
        let all = (others + Kind.allCases.map(\.rawValue)).joined(separator: ", ")
        throw ValidationError("there is no \(noun) “\(name.prefix(40))”; choose from \(all)")
    }
}

/// Which part of a run is wanted, and in which form it is shown.
struct ReportOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Run only this part of a seed's plan, as printed by a failure.", valueName: "part"))
    var keep: String?

    @Option(help: ArgumentHelp("Run a plan of these draws, as printed by a failure of a type.", valueName: "draws"))
    var tape: String?

    @Flag(help: "Print JSON with stable, sorted keys.")
    var json = false

    @Option(help: ArgumentHelp("Write a report as a web page.", valueName: "file.html"))
    var report: String?

    func validate() throws {
        if json, isPart { throw ValidationError("--json and --\(keep == nil ? "tape" : "keep") cannot be combined") }
        if keep != nil, tape != nil { throw ValidationError("--keep and --tape cannot be combined") }
    }

    /// A part of a run is asked for, and no whole seeds.
    var isPart: Bool { keep != nil || tape != nil }

    /// The small run of a type that is asked for; nil for whole seeds.
    func part(_ runs: RunOptions) throws -> PlanPart? {
        if let tape {
            guard runs.seed == nil, runs.seeds == nil else {
                throw ValidationError("--tape cannot be combined with --seed and --seeds")
            }
            guard let tape = PlanTape(tape) else { throw ValidationError("--tape takes draws, such as z.0.43/0.8") }
            return .tape(tape)
        }
        guard let keep else { return nil }
        guard let seed = runs.seed else { throw ValidationError("--keep needs --seed") }
        guard let selection = Selection(keep) else { throw ValidationError("--keep takes steps, such as 3,9,14!") }
        return .events(selection, seed: seed)
    }

    /// Prints a report, writes its page, and fails where a law was violated.
    func publish(_ report: Report, on page: SimulateFile?, of mutant: String? = nil) throws {
        Output.text(json ? report.json.text + "\n" : report.text)
        try page?.write(report.html)
        if report.failing != nil { throw ExitCode.failure }
        if report.isInterrupted { throw CancellationError() }
        if let mutant { Output.note("\(mutant) survived these seeds") }
    }
}

/// Seeds as they are written on a command line: 1..1000.
struct SeedRange: Equatable {
    let range: ClosedRange<UInt64>

    init(_ text: String) throws {
        guard let dots = text.firstRange(of: ".."), let first = UInt64(text[..<dots.lowerBound]),
            let last = UInt64(text[dots.upperBound...]), first <= last, last - first < Int.max
        else {
            throw ValidationError(
                "--seeds takes FROM..TO, such as 1..100, with FROM <= TO and at most \(Int.max) seeds")
        }
        range = first...last
    }
}
