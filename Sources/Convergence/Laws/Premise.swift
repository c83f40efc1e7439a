/// When a law of this library is at risk: its premise holds, so that a fault could break it. A law whose premise never held in some
/// runs was not tested by them.
enum Premise: Int, CaseIterable {
    case convergence, delivery, durability, determinism, nothingLost, nothingVanishes, nothingInvented, addWins,
        observedRemoves
    case uniqueDots, ownHand, wholeItems, everyActCounts, inPlace, shownOnce, noInterleaving, rooted
    case readability, staysReadable, oneForm

    var law: Law {
        switch self {
        case .convergence: .convergence
        case .delivery: .delivery
        case .durability: .durability
        case .determinism: .determinism
        case .nothingLost: .nothingLost
        case .nothingVanishes: .nothingVanishes
        case .nothingInvented: .nothingInvented
        case .addWins: .addWins
        case .observedRemoves: .observedRemoves
        case .uniqueDots: .uniqueDots
        case .ownHand: .ownHand
        case .wholeItems: .wholeItems
        case .everyActCounts: .everyActCounts
        case .inPlace: .inPlace
        case .shownOnce: .shownOnce
        case .noInterleaving: .noInterleaving
        case .rooted: .rooted
        case .readability: .readability
        case .staysReadable: .staysReadable
        case .oneForm: .oneForm
        }
    }

    /// The faults that put it at risk more often.
    var causes: Set<Fault> {
        switch self {
        case .delivery: [.loss, .partition]
        case .durability: [.crash, .torn]
        case .uniqueDots: [.crash, .backup]
        case .staysReadable: [.alteration]
        case .convergence, .addWins, .everyActCounts, .inPlace, .noInterleaving, .rooted, .ownHand:
            [.burst, .partition]
        default: []
        }
    }
}

/// Which laws a run was held to, and which of them were at risk in it.
package struct PremiseSet: Hashable, Sendable {
    private var checked: UInt32 = 0
    private var held: UInt32 = 0

    /// Remembers that a law is owed, and asks whether it is at risk, until it once was.
    mutating func look(_ premise: Premise, _ isAtRisk: () -> Bool) {
        let bit: UInt32 = 1 << UInt32(premise.rawValue)
        checked |= bit
        if held & bit == 0, isAtRisk() { held |= bit }
    }

    /// The laws by name, each with whether it was at risk.
    package var laws: [String: Bool] {
        var laws: [String: Bool] = [:]
        for premise in Premise.allCases where checked >> UInt32(premise.rawValue) & 1 == 1 {
            laws[premise.law.name] = held >> UInt32(premise.rawValue) & 1 == 1
        }
        return laws
    }
}

/// Collects the premises of one run, from the harness and from the specifications. A run asks on one thread.
final class PremiseLog: @unchecked Sendable {
    private(set) var premises = PremiseSet()

    func look(_ premise: Premise, _ isAtRisk: @autoclosure () -> Bool) { premises.look(premise, isAtRisk) }
}

extension History {
    /// A law is owed here, and at risk or not.
    func look(_ premise: Premise, _ isAtRisk: @autoclosure () -> Bool) { log.look(premise, isAtRisk()) }

    /// Whether two of some events, in their order, did not know of each other.
    static func areConcurrent(_ events: [HistoryEvent<Action>]) -> Bool {
        zip(events, events.dropFirst()).contains { $0.number != $1.number && !$1.past.contains($0.number) }
    }
}

/// In how many of some runs each law was at risk; those that were owed and never at risk have 0.
package struct RiskCount: Hashable, Sendable {
    package private(set) var laws: [String: Int] = [:]

    package init() {}

    package mutating func add(_ run: [String: Bool]) {
        for (law, isAtRisk) in run { laws[law, default: 0] += isAtRisk ? 1 : 0 }
    }

    /// Faults that are worth drawing more often, of those that may happen: after so many runs, what happened in fewer than one of 16, and
    /// what puts at risk a law that was in fewer.
    func emphasis(of faults: Set<Fault>, happened: [Fault: Int], in runCount: Int) -> Set<Fault> {
        let rare = faults.filter { happened[$0, default: 0] * 16 < runCount }
        let causes = Premise.allCases.filter { laws[$0.law.name].map { $0 * 16 < runCount } ?? false }.map { $0.causes }
        return causes.reduce(rare) { $0.union($1) }.intersection(faults)
    }
}
