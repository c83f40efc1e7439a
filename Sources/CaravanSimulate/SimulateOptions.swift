import ArgumentParser
import Convergence
import TripSimulation

/// What is run, and how.
struct SimulateOptions: ParsableArguments {
    /// What the options ask for.
    enum Subject {
        /// Real nodes, or real nodes with a fault put into their world.
        case nodes(TripConditions)
        /// A small type with a known fault.
        case type(Mutant, Conditions)
        /// All that has a known fault.
        case sweep
        /// Their names.
        case list
    }

    @Option(help: ArgumentHelp("Number of nodes, 2 to 1000, or of replicas of a small type, 1 to 64.", valueName: "n"))
    var replicas: Int?

    @Option(help: ArgumentHelp("Number of actions and faults before everything heals.", valueName: "n"))
    var steps: Int?

    @Option(help: ArgumentHelp("Run one seed.", valueName: "n"))
    var seed: UInt64?

    @Option(
        help: ArgumentHelp("Run these seeds until a law is violated.", valueName: "from..to"),
        transform: { try SeedRange($0) })
    var seeds: SeedRange?

    @Option(
        help: ArgumentHelp(
            "The network and its faults: lan, van, festival, hostile, mixed.", valueName: "name"),
        transform: { try SimulateOptions.named($0, "profile") })
    var profile: Profile?

    @Option(
        help: ArgumentHelp(
            "Faults to inject instead: names separated by commas, all or none.", valueName: "names"))
    var faults: String?

    @Option(help: ArgumentHelp("One step in N is a fault.", valueName: "n"))
    var faultInterval: Int?

    @Option(help: ArgumentHelp("Run code with a known fault: its name, all, or list.", valueName: "name"))
    var mutant: String?

    @Option(
        help: ArgumentHelp("fast, or real for libsodium.", valueName: "name"),
        transform: { try SimulateOptions.named($0, "cipher") })
    var cipher: TripConditions.Cipher?

    @Flag(help: "Give each member a guest, who adds and votes on that member's node.")
    var guests = false

    func validate() throws {
        if let steps, !(0...1_000_000).contains(steps) { throw ValidationError("--steps takes 0 to 1000000") }
        if seed != nil, seeds != nil { throw ValidationError("--seed and --seeds cannot be combined") }
        _ = try subject
    }

    /// What is meant; throws where the options contradict one another.
    var subject: Subject {
        get throws {
            switch mutant {
            case "list":
                guard isPlainBesidesMutant else {
                    throw ValidationError("--mutant list can be combined only with --json")
                }
                return .list
            case "all":
                let given = [
                    faults == nil ? nil : "--faults", profile == nil ? nil : "--profile",
                    cipher == nil ? nil : "--cipher", faultInterval == nil ? nil : "--fault-interval",
                    guests ? "--guests" : nil,
                ].compactMap(\.self)
                guard given.isEmpty else {
                    throw ValidationError(
                        "--mutant all cannot be combined with \(given.joined(separator: " and "))")
                }
                // Nodes are at least two, small types at most 64.
                if let replicas, !(2...64).contains(replicas) {
                    throw ValidationError("--replicas takes 2 to 64 with --mutant all")
                }
                return .sweep
            case .some(let name):
                if let mutant = Mutant.named(name) { return .type(mutant, try typeConditions) }
                guard let mutation = TripMutation(rawValue: name) else {
                    throw ValidationError(
                        "there is no mutant “\(name.prefix(40))”; list them with `caravan simulate --mutant list`")
                }
                return .nodes(try nodeConditions(mutation))
            case nil: return .nodes(try nodeConditions(nil))
            }
        }
    }

    private var typeConditions: Conditions {
        get throws {
            guard profile == nil, cipher == nil, faultInterval == nil, !guests else {
                throw ValidationError(
                    "--profile, --cipher, --fault-interval and --guests need nodes, but \(mutant ?? "this") is a small type"
                )
            }
            return try Self.conditions(replicas, steps, faults)
        }
    }

    /// How small types are run, with what was left out as it is for most.
    static func conditions(_ replicas: Int?, _ steps: Int?, _ faults: String?) throws -> Conditions {
        if let replicas, !(1...64).contains(replicas) {
            throw ValidationError("--replicas takes 1 to 64 for a small type")
        }
        if let steps, !(0...1_000_000).contains(steps) { throw ValidationError("--steps takes 0 to 1000000") }
        return Conditions(
            replicas: replicas ?? 4, steps: steps ?? 120,
            faults: try faults.map { try Self.faults(named: $0, of: Fault.self) } ?? Set(Fault.allCases))
    }

    private func nodeConditions(_ mutation: TripMutation?) throws -> TripConditions {
        if let replicas, !(2...1_000).contains(replicas) { throw ValidationError("--replicas takes 2 to 1000") }
        if let faultInterval, !(1...1_000_000).contains(faultInterval) {
            throw ValidationError("--fault-interval takes 1 to 1000000")
        }
        let named = try faults.map { try Self.faults(named: $0, of: TripFault.self) }
        var conditions = mutation?.conditions ?? TripConditions(faults: named)
        if let profile { conditions = TripConditions(profile: profile, faults: named, mutation: mutation) }
        conditions.replicas = replicas ?? conditions.replicas
        conditions.steps = steps ?? conditions.steps
        conditions.faults = named ?? conditions.faults
        conditions.faultInterval = faultInterval ?? conditions.faultInterval
        conditions.cipher = cipher ?? conditions.cipher
        conditions.hasGuests = guests || conditions.hasGuests
        return conditions
    }

    /// Nothing was chosen.
    var isPlain: Bool { isPlainBesidesMutant && mutant == nil }

    private var isPlainBesidesMutant: Bool {
        replicas == nil && steps == nil && seed == nil && seeds == nil && profile == nil && faults == nil
            && cipher == nil && faultInterval == nil && !guests
    }

    /// The seeds to try.
    func range(orElse usual: ClosedRange<UInt64>) -> ClosedRange<UInt64> {
        seed.map { $0...$0 } ?? seeds?.range ?? usual
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

    private static func named<Kind>(_ name: String, _ noun: String, or others: [String] = []) throws -> Kind
    where Kind: CaseIterable & RawRepresentable<String> {
        if let kind = Kind(rawValue: name) { return kind }
        let all = (others + Kind.allCases.map(\.rawValue)).joined(separator: ", ")
        throw ValidationError("there is no \(noun) “\(name.prefix(40))”; choose from \(all)")
    }
}

/// Seeds as they are written on a command line: 1..1000.
struct SeedRange: Equatable {
    let range: ClosedRange<UInt64>

    init(_ range: ClosedRange<UInt64>) { self.range = range }

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
