/// What became of a plan.
package protocol SimulatedOutcome: Sendable {
    associatedtype FaultKind: SimulatedFault

    /// The first law that did not hold.
    var violation: Violation? { get set }
    /// The step at which it did not; the number of steps for one that fails after healing.
    var failedStep: Int? { get set }
    /// Follows from all that was shown, in order. Equal runs have equal digests, in every process.
    var digest: UInt64 { get }
    /// How often each fault happened to something.
    var faults: [FaultKind: Int] { get }
    /// What people did.
    var actionCount: Int { get }
    /// Messages that arrived.
    var deliveredCount: Int { get }
    /// What happened, where it was asked for.
    var moments: [Moment] { get set }
    /// The same, a line each.
    var trace: [String] { get }
    /// How often the run left the polite schedule; nil where that is not counted.
    var deviationCount: Int? { get }

    /// Remembers whether the run was repeated.
    mutating func look(isRepeated: Bool)
}

extension SimulatedOutcome {
    /// Whether two runs of one plan went alike, as far as it was seen.
    func isRepetition(of other: Self) -> Bool {
        (digest, violation, failedStep, actionCount, deliveredCount)
            == (other.digest, other.violation, other.failedStep, other.actionCount, other.deliveredCount)
            && faults == other.faults
    }

    /// What tells it from other runs of its plan, in a few words.
    var summary: String {
        "\(violation.map { "a violation of \($0.law.name)" } ?? "no violation"), digest \(Figures.digest(digest))"
    }
}
