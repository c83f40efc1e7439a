/// What became of a plan, in any world; more is said where ``Outcome`` has the same.
package protocol SimulatedOutcome: Sendable {
    associatedtype FaultKind: SimulatedFault

    init()

    var violation: Violation? { get set }
    var failedStep: Int? { get set }
    var digest: UInt64 { get }
    var faults: [FaultKind: Int] { get }
    var deliveredCount: Int { get }
    var moments: [Moment] { get set }
    var trace: [String] { get }
    /// What is added up over many runs.
    var figures: [Report.Headline] { get }
    /// How often the run left the polite schedule; nil where that is not counted.
    var deviationCount: Int? { get }
    /// The laws that were owed, by name, each with whether it was at risk; empty where that is not known.
    var risks: [String: Bool] { get }
    /// How often each law was checked; empty where that is not counted.
    var checks: [Law: Int] { get }
    /// What a report draws; empty where a run is measured only if somebody asks for it.
    var measurements: Measurements { get }

    /// Remembers whether the run was repeated.
    mutating func look(isRepeated: Bool)
}

extension SimulatedOutcome {
    package var deviationCount: Int? { nil }
    package var risks: [String: Bool] { [:] }
    package var checks: [Law: Int] { [:] }
    package var measurements: Measurements { Measurements() }
    package mutating func look(isRepeated: Bool) {}

    /// Whether two runs of one plan went alike, as far as it was seen.
    func isRepetition(of other: Self) -> Bool {
        (digest, violation, failedStep, figures, faults)
            == (other.digest, other.violation, other.failedStep, other.figures, other.faults)
    }

    /// What tells it from other runs of its plan, in a few words.
    var summary: String {
        "\(violation.map { "a violation of \($0.law.name)" } ?? "no violation"), digest \(Figures.digest(digest))"
    }
}
