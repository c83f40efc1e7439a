/// What several runs of one world showed together.
package struct Tally<World: SimulatedWorld>: Sendable {
    private let world: World
    package private(set) var runCount: UInt64 = 0
    package private(set) var deliveredCount = 0
    private var figures = World.RunOutcome().figures
    private var faults: [World.RunOutcome.FaultKind: Int] = [:]
    private var risks = RiskCount()
    private var checks: [Law: Int] = [:]
    private var digest = RunDigest()
    private var spreading = Spreading()
    /// The run that is drawn: the last that broke a law, else the first of all.
    private var drawn: (seed: UInt64, measurements: Measurements)?

    package init(_ world: World) { self.world = world }

    /// Takes the next run in.
    package mutating func add(_ outcome: World.RunOutcome, seed: UInt64) {
        runCount += 1
        deliveredCount += outcome.deliveredCount
        for (index, figure) in outcome.figures.enumerated() { figures[index].number += figure.number }
        for (fault, count) in outcome.faults { faults[fault, default: 0] += count }
        risks.add(outcome.risks)
        for (law, count) in outcome.checks { checks[law, default: 0] += count }
        digest.add(outcome.digest)
        guard outcome.measurements != Measurements() else { return }
        spreading.add(outcome.measurements)
        if drawn == nil || outcome.violation != nil { drawn = (seed, outcome.measurements) }
    }

    /// What people are told of them.
    package func report(
        subject: String, command: String, failing: Report.Failing?, isInterrupted: Bool = false
    ) -> Report {
        let conditions = world.conditions
        var report = Report(
            subject: subject, command: command, digest: digest.value,
            headlines: [
                .init("runs", Int(clamping: runCount), runCount == 1 ? "run" : "runs"),
                .init("replicas", conditions.replicas, World.noun),
                .init("steps", conditions.steps, "steps in each"),
            ] + figures,
            faults: world.possibleFaults.sorted().map { fault in
                Report.FaultCount(name: fault.rawValue, meaning: fault.meaning, count: faults[fault] ?? 0)
            },
            failing: failing, isInterrupted: isInterrupted)
        report.laws = World.countedLaws.map { .init(name: $0.name, meaning: $0.description, count: checks[$0] ?? 0) }
        report.risks = risks.laws.sorted { $0.key < $1.key }.map { name, count in
            .init(name: name, meaning: Law.all.first { $0.name == name }?.description ?? "", count: count)
        }
        if let drawn { report.panels = [drawn.measurements.divergencePanel(of: "seed \(drawn.seed)")] }
        report.panels += spreading.panels
        report.bounds = spreading.greatest
        return report
    }
}

/// Follows from the digests of runs, in their order: FNV-1a (Fowler, Noll, Vo) over their bytes.
package struct RunDigest: Sendable {
    package private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

    package init() {}

    package mutating func add(_ digest: UInt64) {
        for shift in stride(from: UInt64(0), to: 64, by: 8) {
            value = (value ^ (digest >> shift & 0xFF)) &* 0x0000_0100_0000_01B3
        }
    }
}
