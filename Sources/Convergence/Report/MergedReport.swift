/// What many workers found: lines of any seeds, in any order, some twice, some cut. The same lines give the same text, whichever worker wrote
/// them.
package struct MergedReport: Sendable {
    private struct Kind: Hashable {
        let law: String
        let shape: String
    }

    /// What is tested; nil before the first line.
    package private(set) var sweep: String?
    private var seeds: Set<UInt64> = []
    private var (actions, delivered) = (0, 0)
    /// A sum of what follows from each seed and its digest, so that no order matters.
    private var digest: UInt64 = 0
    private var faults: [String: Int] = [:]
    private var risks = RiskCount()
    /// Of each emphasis, the seeds that were drawn with it.
    private var emphases: [String: Int] = [:]
    /// Of each law and shape, the first failing seed; and how many there were.
    private var failing: [Kind: (report: SeedReport, count: Int)] = [:]
    private(set) var repeatedCount = 0
    package private(set) var unreadableCount = 0
    /// Lines of the same seed that say different things: one of them is not of this sweep, or the subject does not repeat itself.
    private(set) var contradictions: Set<UInt64> = []
    private var digests: [UInt64: UInt64] = [:]

    package init() {}

    /// Takes a line in. Throws where it is of another sweep.
    package mutating func add(_ line: some StringProtocol) throws(OtherSweep) {
        guard !line.allSatisfy({ $0.isWhitespace }) else { return }
        guard let report = SeedReport(line) else {
            unreadableCount += 1
            return
        }
        guard sweep == nil || sweep == report.sweep else { throw OtherSweep(one: sweep ?? "", other: report.sweep) }
        sweep = report.sweep
        guard seeds.insert(report.seed).inserted else {
            repeatedCount += 1
            if digests[report.seed] != report.digest { contradictions.insert(report.seed) }
            return
        }
        digests[report.seed] = report.digest
        actions += report.actions
        delivered += report.delivered
        digest &+= (report.digest ^ report.seed &* 0x9E37_79B9_7F4A_7C15) &* 0xBF58_476D_1CE4_E5B9
        for (fault, count) in report.faults { faults[fault, default: 0] += count }
        risks.add(report.risks)
        if !report.emphasis.isEmpty { emphases[report.emphasis.joined(separator: ", "), default: 0] += 1 }
        guard let failure = report.failing else { return }
        let kind = Kind(law: failure.law, shape: failure.shape)
        let known = failing[kind]
        let isFirst = known.map { report.seed < $0.report.seed } ?? true
        failing[kind] = (isFirst ? report : known?.report ?? report, (known?.count ?? 0) + 1)
    }

    /// Lines of another subject, or of other conditions.
    package struct OtherSweep: Error, CustomStringConvertible {
        let one: String
        let other: String

        package var description: String { "these are lines of two sweeps: “\(one)” and “\(other)”; merge them apart" }
    }

    /// Whether a law broke.
    package var isViolated: Bool { !failing.isEmpty }

    /// Shapes that are shown of one law; the others are counted.
    private static var shapesMax: Int { 3 }

    /// What people and programs are told: a law, a failing seed of each shape of it, the smallest first, and what was not covered.
    package var text: String {
        let sorted = seeds.sorted()
        let gaps = sorted.last.map { $0 - sorted[0] - UInt64(sorted.count - 1) } ?? 0
        var lines = ["\(sweep ?? "nothing"): \(failing.isEmpty ? "no violation" : "violations")", ""]
        var rows = [
            ["seeds", "\(seeds.count)" + (sorted.isEmpty ? "" : ", \(sorted[0]) to \(sorted[sorted.count - 1])")],
            ["missing between", "\(gaps)"], ["actions", "\(actions)"], ["delivered", "\(delivered)"],
            ["digest", Figures.digest(digest)],
        ]
        if !contradictions.isEmpty {
            rows.append(["contradictory", "\(contradictions.count), the first \(contradictions.min() ?? 0)"])
        }
        lines += Report.columns(rows)
        for (law, kinds) in Dictionary(grouping: failing, by: { $0.key.law }).sorted(by: { $0.key < $1.key }) {
            let all = kinds.map { $0.value }.sorted {
                let (one, other) = ($0.report.failing?.events ?? 0, $1.report.failing?.events ?? 0)
                return (one, $0.report.seed) < (other, $1.report.seed)
            }
            lines += ["", "\(law): \(all.reduce(0) { $0 + $1.count }) failing seeds of \(all.count) shapes"]
            for (report, count) in all.prefix(Self.shapesMax) {
                guard let failing = report.failing else { continue }
                let size = "\(failing.replicas)/\(failing.events)/\(failing.faults)"
                lines += [
                    "  seed \(report.seed), \(size), \(count) like it: \(failing.finding)", "    \(failing.options)",
                ]
            }
            let left = all.dropFirst(Self.shapesMax)
            if !left.isEmpty {
                lines.append("  not shown: \(left.reduce(0) { $0 + $1.count }) seeds of \(left.count) shapes")
            }
        }
        lines += ["", "Faults that happened:"]
        let never = Fault.allCases.map { $0.rawValue }.filter { faults[$0] == nil }
        lines += Report.columns(faults.sorted { $0.key < $1.key }.map { [$0.key, "\($0.value)"] }, alignRight: [1])
        if !never.isEmpty { lines.append("never: \(never.joined(separator: ", "))") }
        for (names, count) in emphases.sorted(by: { $0.key < $1.key }) {
            lines.append("drawn more often in \(Figures.count(count, "seed")): \(names)")
        }
        return (lines + riskLines).joined(separator: "\n") + "\n"
    }

    /// Of each law, the seeds in which it was at risk, and those that broke it.
    private var riskLines: [String] {
        guard !risks.laws.isEmpty else { return [] }
        let rows = risks.laws.filter { $0.value > 0 }.sorted { $0.key < $1.key }.map { law, count in
            let broken = failing.filter { $0.key.law == law }.reduce(0) { $0 + $1.value.count }
            return [law, "\(count)", "\(broken)"]
        }
        let never = risks.laws.filter { $0.value == 0 }.keys.sorted()
        return ["", "Seeds in which a fault could have broken a law, and seeds in which one did:"]
            + Report.columns(rows, alignRight: [1, 2])
            + (never.isEmpty
                ? [] : ["never at risk in \(Figures.count(seeds.count, "seed")): \(never.joined(separator: ", "))"])
    }

    /// What was dropped on the way, which depends on who wrote the lines: for standard error.
    package var dropped: String? {
        repeatedCount == 0 && unreadableCount == 0
            ? nil : "\(repeatedCount) repeated and \(unreadableCount) unreadable lines were dropped"
    }
}
