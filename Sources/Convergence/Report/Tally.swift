/// What several runs of a type under test showed together.
package struct Tally: Sendable {
    package private(set) var runCount: UInt64 = 0
    package private(set) var actionCount = 0
    package private(set) var deliveredCount = 0
    package private(set) var faults: [Fault: Int] = [:]
    private var risks = RiskCount()
    private var digest = RunDigest()

    package init() {}

    /// Takes the next run in.
    package mutating func add(_ outcome: Outcome) {
        runCount += 1
        actionCount += outcome.actionCount
        deliveredCount += outcome.deliveredCount
        for (fault, count) in outcome.faults { faults[fault, default: 0] += count }
        risks.add(outcome.premises.laws)
        digest.add(outcome.digest)
    }

    /// What people are told of them.
    package func report(
        subject: String, command: String, conditions: Conditions, failing: Report.Failing?, isInterrupted: Bool
    ) -> Report {
        var report = Report(
            subject: subject, command: command, digest: digest.value,
            headlines: [
                .init("runs", Int(clamping: runCount), runCount == 1 ? "run" : "runs"),
                .init("replicas", conditions.replicas, "replicas"),
                .init("steps", conditions.steps, "steps in each"),
                .init("actions", actionCount, "actions"),
                .init("delivered", deliveredCount, "messages delivered"),
            ],
            // Of a type that has no form in bytes, none can be altered.
            faults: conditions.faults.sorted().filter { $0 != .alteration || faults[$0] != nil }.map { fault in
                Report.FaultCount(name: fault.rawValue, meaning: fault.meaning, count: faults[fault] ?? 0)
            },
            failing: failing, isInterrupted: isInterrupted)
        report.risks = risks.laws.sorted { $0.key < $1.key }.map { name, count in
            Report.FaultCount(name: name, meaning: Law.all.first { $0.name == name }?.description ?? "", count: count)
        }
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
