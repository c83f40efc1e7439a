import ArgumentParser
import Convergence

/// How runs are made.
struct SimulateOptions: ParsableArguments {
    @Option(help: ArgumentHelp("How many replicas, at most 64.", valueName: "n"))
    var replicas: Int?

    @Option(help: ArgumentHelp("Actions, messages and faults before all heals.", valueName: "n"))
    var steps: Int?

    @Option(help: ArgumentHelp("One seed.", valueName: "n"))
    var seed: UInt64?

    @Option(help: ArgumentHelp("These seeds, one after the other, until a law breaks.", valueName: "from..to"))
    var seeds: SeedRange?

    @Option(
        help: ArgumentHelp("What may go wrong: names with commas between them, all or none.", valueName: "names"),
        transform: { try SimulateOptions.faults(named: $0) })
    var faults: Set<Fault>?

    func validate() throws {
        if let replicas, !(1...64).contains(replicas) { throw ValidationError("--replicas takes 1 to 64") }
        if let steps, !(0...1_000_000).contains(steps) { throw ValidationError("--steps takes 0 to 1000000") }
        if seed != nil, seeds != nil { throw ValidationError("--seed and --seeds exclude one another") }
    }

    /// Reads loss,crash.
    private static func faults(named names: String) throws -> Set<Fault> {
        if names == "none" { return [] }
        if names == "all" { return Set(Fault.allCases) }
        return try Set(
            names.split(separator: ",", omittingEmptySubsequences: false).map { name in
                if let fault = Fault(rawValue: String(name)) { return fault }
                let all = Fault.allCases.map(\.rawValue).joined(separator: ", ")
                throw ValidationError("there is no fault \"\(name.prefix(40))\"; there are \(all)")
            })
    }

    /// For types under test.
    var conditions: Conditions {
        var conditions = Conditions()
        if let replicas { conditions.replicas = replicas }
        if let steps { conditions.steps = steps }
        if let faults { conditions.faults = faults }
        return conditions
    }

    /// The seeds to try.
    func range(orElse usual: ClosedRange<UInt64>) -> ClosedRange<UInt64> {
        seed.map { $0...$0 } ?? seeds?.range ?? usual
    }
}

/// Seeds as they are written on a command line: 1..1000.
struct SeedRange: ExpressibleByArgument, Equatable {
    let range: ClosedRange<UInt64>

    init?(argument: String) {
        guard let dots = argument.firstRange(of: ".."), let first = UInt64(argument[..<dots.lowerBound]),
            let last = UInt64(argument[dots.upperBound...]), first <= last, last < .max
        else { return nil }
        range = first...last
    }
}
