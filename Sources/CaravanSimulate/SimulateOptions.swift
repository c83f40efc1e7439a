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

    @OptionGroup var runs: RunOptions

    @Option(
        help: ArgumentHelp(
            "The network and its faults: lan, van, festival, hostile, mixed, apart.", valueName: "name"),
        transform: { try RunOptions.named($0, "profile") })
    var profile: Profile?

    @Option(help: ArgumentHelp("One step in N is a fault.", valueName: "n"))
    var faultInterval: Int?

    @Option(help: ArgumentHelp("Run code with a known fault: its name, all, or list.", valueName: "name"))
    var mutant: String?

    @Option(
        help: ArgumentHelp("fast, or real for libsodium.", valueName: "name"),
        transform: { try RunOptions.named($0, "cipher") })
    var cipher: TripConditions.Cipher?

    @Flag(help: "Give each member a guest, who adds and votes on that member's node.")
    var guests = false

    func validate() throws {
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
                    runs.faults == nil ? nil : "--faults", runs.emphasis == nil ? nil : "--emphasis",
                    profile == nil ? nil : "--profile",
                    cipher == nil ? nil : "--cipher", faultInterval == nil ? nil : "--fault-interval",
                    guests ? "--guests" : nil,
                ].compactMap(\.self)
                guard given.isEmpty else {
                    throw ValidationError(
                        "--mutant all cannot be combined with \(given.joined(separator: " and "))")
                }
                // Nodes are at least two, small types at most 64.
                if let replicas = runs.replicas, !(2...64).contains(replicas) {
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
            return try runs.conditions
        }
    }

    private func nodeConditions(_ mutation: TripMutation?) throws -> TripConditions {
        if let replicas = runs.replicas, !(2...1_000).contains(replicas) {
            throw ValidationError("--replicas takes 2 to 1000")
        }
        if let faultInterval, !(1...1_000_000).contains(faultInterval) {
            throw ValidationError("--fault-interval takes 1 to 1000000")
        }
        guard runs.emphasis == nil else { throw ValidationError("--emphasis needs a small type") }
        let named = try runs.faults.map { try RunOptions.faults(named: $0, of: TripFault.self) }
        var conditions = mutation?.conditions ?? TripConditions(faults: named)
        if let profile { conditions = TripConditions(profile: profile, faults: named, mutation: mutation) }
        conditions.replicas = runs.replicas ?? conditions.replicas
        conditions.steps = runs.steps ?? conditions.steps
        conditions.faults = named ?? conditions.faults
        conditions.faultInterval = faultInterval ?? conditions.faultInterval
        conditions.cipher = cipher ?? conditions.cipher
        conditions.hasGuests = guests || conditions.hasGuests
        return conditions
    }

    /// Nothing was chosen.
    var isPlain: Bool { isPlainBesidesMutant && mutant == nil }

    private var isPlainBesidesMutant: Bool {
        runs.isPlain && profile == nil && cipher == nil && faultInterval == nil && !guests
    }
}
