/// The draws of which a plan was made, a unit for each event or burst, as text: units divided by `/`, draws by `.`, each a fraction of what
/// can be drawn in hexadecimal digits, or `z` for the greatest. To lower a draw is to choose an earlier one of its choices (MacIver, Donaldson:
/// *Test-case reduction via test-case generation*, 2020).
public struct PlanTape: Sendable, Hashable, CustomStringConvertible {
    var units: [[UInt64]]

    private static var unitsMax: Int { 10_000 }
    private static var drawsMax: Int { 1_000 }

    init(units: [[UInt64]]) { self.units = units }

    /// Reads what `description` wrote; nil for anything else. At most 10,000 units of at most 1,000 draws.
    public init?(_ text: String) {
        units = []
        for unit in text.split(separator: "/", omittingEmptySubsequences: false) {
            let words = unit.split(separator: ".", omittingEmptySubsequences: false).map(Self.word)
            guard units.count < Self.unitsMax, words.count <= Self.drawsMax else { return nil }
            units.append(words.compactMap { $0 })
            guard units[units.count - 1].count == words.count else { return nil }
        }
    }

    private static func word(_ digits: Substring) -> UInt64? {
        if digits == "z" { return .max }
        guard (1...16).contains(digits.utf8.count), digits.first != "+" else { return nil }
        return UInt64(digits + String(repeating: "0", count: 16 - digits.utf8.count), radix: 16)
    }

    public var description: String {
        units.map { unit in
            unit.map { word in
                let digits = Figures.digest(word)
                return word == .max ? "z" : word == 0 ? "0" : String(digits.reversed().drop { $0 == "0" }.reversed())
            }.joined(separator: ".")
        }.joined(separator: "/")
    }
}

/// A small run, as the command line names it.
public enum PlanPart: Sendable, Hashable {
    /// Some steps of a seed's plan.
    case events(Selection, seed: UInt64)
    /// The plan of some draws.
    case tape(PlanTape)
}

extension Simulator {
    /// Runs a part of a plan, and says what happens.
    public func replay(_ part: PlanPart) -> Outcome {
        switch part {
        case .events(let selection, let seed): run(selection.part(of: plan(seed: seed)), isTracing: true)
        case .tape(let tape): run(Plan.Drawing<Subject>.plan(conditions, playing: tape.units).plan, isTracing: true)
        }
    }
}

/// Makes a failing plan small on the tape of its draws: units are left out, and draws lowered, so that what is left may be done by other
/// replicas, or be other actions, which no choice among the plan's events gives.
struct TapeShrinker<Subject: ReplicatedType> {
    /// Less is simpler.
    private struct Cost: Comparable {
        let size: [Int]
        /// Draws that are neither the least nor the greatest.
        let inner: Int
        let sum: UInt64

        static func < (left: Self, right: Self) -> Bool {
            if left.size != right.size { return left.size.lexicographicallyPrecedes(right.size) }
            return (left.inner, left.sum) < (right.inner, right.sum)
        }
    }

    private let conditions: Conditions
    private let isFailing: (Plan<Subject.Action>) -> Bool

    /// Plans tried at most.
    static var runsMax: Int { 1_500 }

    init(_ conditions: Conditions, isFailing: @escaping (Plan<Subject.Action>) -> Bool) {
        (self.conditions, self.isFailing) = (conditions, isFailing)
    }

    /// A tape whose plan fails with fewer replicas, or else fewer events or faults, than a plan made small before; nil where none was found.
    func shrink(seed: UInt64, below small: Plan<Subject.Action>) -> PlanTape? {
        var runs = 0
        /// The draws that a plan took where it fails.
        func failing(_ units: [[UInt64]]) -> (units: [[UInt64]], cost: Cost)? {
            runs += 1
            guard runs <= Self.runsMax else { return nil }
            let (plan, taken) = Plan.Drawing<Subject>.plan(conditions, playing: units)
            return isFailing(plan) ? (taken, cost(plan, taken)) : nil
        }
        let (plan, all) = Plan.Drawing<Subject>.tape(conditions, seed: seed)
        let kept = Set(small.steps.map { $0.number })
        let part = zip(plan, all).filter { !kept.isDisjoint(with: $0.0) }.map { $0.1 }
        guard var best = failing(part) ?? failing(all) else { return nil }
        while runs <= Self.runsMax {
            let before = best.cost
            let fewer = DeltaDebugging.minimise(best.units) { failing($0) != nil }
            if let next = failing(fewer), next.cost < best.cost { best = next }
            lower(&best, failing)
            if !(best.cost < before) { break }
        }
        let size = cost(small, []).size
        return best.cost.size.lexicographicallyPrecedes(size) ? PlanTape(units: best.units) : nil
    }

    /// Lowers draw after draw, as long as the plan fails and gets simpler.
    private func lower(
        _ best: inout (units: [[UInt64]], cost: Cost), _ failing: ([[UInt64]]) -> (units: [[UInt64]], cost: Cost)?
    ) {
        var unit = 0
        while unit < best.units.count {
            var draw = 0
            while unit < best.units.count, draw < best.units[unit].count {
                let word = best.units[unit][draw]
                for other in [UInt64.max, 0, word >> 1 & 0xFF << 56, word & 0xFF << 56, word & 0xFFFF << 48]
                where other != word {
                    var units = best.units
                    units[unit][draw] = other
                    guard let next = failing(units), next.cost < best.cost else { continue }
                    best = next
                    break
                }
                draw += 1
            }
            unit += 1
        }
    }

    private func cost(_ plan: Plan<Subject.Action>, _ units: [[UInt64]]) -> Cost {
        let inner = units.joined().filter { $0 != 0 && $0 != .max }
        let size = plan.size
        return Cost(
            size: [size.replicas, size.events, size.faults], inner: inner.count, sum: inner.reduce(0) { $0 + $1 >> 32 })
    }
}
