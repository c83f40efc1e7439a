package import Convergence

/// What several runs of real nodes showed together.
package struct TripTally: Sendable {
    private let conditions: TripConditions
    package private(set) var runCount: UInt64 = 0
    package private(set) var deliveredCount = 0
    package private(set) var applicationCount = 0
    private var actionCount = 0
    private var faults: [TripFault: Int] = [:]
    private var checks: [Law: Int] = [:]
    private var digest = RunDigest()
    private var spreading = Spreading()
    /// The run that is drawn: the first that broke a law, else the first of all.
    private var drawn: (seed: UInt64, measurements: Measurements)?

    package init(_ conditions: TripConditions) { self.conditions = conditions }

    /// Takes the next run in.
    package mutating func add(_ outcome: TripOutcome, seed: UInt64) {
        runCount += 1
        actionCount += outcome.actionCount
        deliveredCount += outcome.deliveredCount
        applicationCount += outcome.applicationCount
        faults.merge(outcome.faults, uniquingKeysWith: +)
        checks.merge(outcome.checks, uniquingKeysWith: +)
        digest.add(outcome.digest)
        spreading.add(outcome.measurements)
        if drawn == nil || outcome.violation != nil { drawn = (seed, outcome.measurements) }
    }

    /// What people are told of them.
    package func report(command: String, failing: Report.Failing?, isInterrupted: Bool, elapsed: Int) -> Report {
        var report = Report(
            subject: subject, command: command, digest: digest.value,
            headlines: [
                .init("runs", Int(clamping: runCount), runCount == 1 ? "run" : "runs"),
                .init("replicas", conditions.replicas, "nodes"),
                .init("steps", conditions.steps, "steps in each"),
                .init("actions", actionCount, "actions acknowledged"),
                .init("delivered", deliveredCount, "messages delivered"),
                .init("applied", applicationCount, "changes taken from others"),
            ],
            faults: conditions.faults.sorted().map { fault in
                Report.FaultCount(name: fault.rawValue, meaning: fault.meaning, count: faults[fault] ?? 0)
            },
            failing: failing, isInterrupted: isInterrupted, elapsed: elapsed)
        report.laws = Law.ofTrips.map { .init(name: $0.name, meaning: $0.description, count: checks[$0] ?? 0) }
        report.panels =
            (drawn.map { [$0.measurements.divergencePanel(of: "seed \($0.seed)")] } ?? [])
            + spreading.panels
        report.bounds = spreading.greatest
        return report
    }

    private var subject: String {
        let place =
            switch conditions.profile {
            case .lan: "on a hostel's network"
            case .van: "in a van"
            case .apart: "in homes that are apart"
            case .festival: "at a festival"
            case .hostile: "among enemies"
            case .mixed: "of two versions in a van"
            }
        let mutation = conditions.mutation.map { " with the fault \($0.rawValue)" } ?? ""
        return "\(Figures.grouped(conditions.replicas)) nodes \(place)\(mutation)"
    }
}
