import Testing

@testable import Convergence

/// Which laws a run puts at risk, and what follows from it.
struct PremiseTests {
    @Test("a law that breaks was at risk", arguments: Mutant.all.map(\.name))
    func broken(_ name: String) throws {
        let mutant = try #require(Mutant.named(name))
        let finding = try #require(mutant.find(seeds: 1...200))
        #expect(finding.outcome.premises.laws[finding.law.name] == true, "\(finding.outcome.premises.laws)")
    }

    @Test("where nobody is concurrent and nothing goes wrong, only what that can break is at risk")
    func calm() throws {
        let mutant = try #require(Mutant.named("clock-set"))
        var atRisk: Set<String> = []
        var owed: Set<String> = []
        _ = mutant.findInTwin(Conditions(replicas: 1, faults: []), seeds: 1...50) { _, outcome in
            owed.formUnion(outcome.premises.laws.keys)
            atRisk.formUnion(outcome.premises.laws.filter(\.value).keys)
            return false
        }
        #expect(atRisk == ["determinism", "nothing-lost", "nothing-invented", "nothing-vanishes", "observed-removes"])
        #expect(owed.subtracting(atRisk).isSuperset(of: ["add-wins", "delivery"]), "\(owed)")
    }

    @Test("a sweep draws more of what was seldom at risk, and then it is at risk more often")
    func steered() throws {
        // In twelve steps hardly anybody is restored from a backup.
        let mutant = try #require(Mutant.named("reused-numbers"))
        let conditions = Conditions(replicas: 2, steps: 12)
        func sweep(_ conditions: Conditions, of range: ClosedRange<UInt64>) -> [SeedReport] {
            var reports: [SeedReport] = []
            mutant.sweep("reused-numbers", conditions, seeds: Array(65...400), of: range) {
                reports.append($0)
                return false
            }
            return reports
        }
        let steered = sweep(conditions, of: 1...400)
        #expect(steered.allSatisfy { $0.emphasis.contains("backup") }, "\(steered[0].emphasis)")
        // The pilot of this range is all of it.
        let plain = sweep(conditions, of: 65...128) + []
        func atRisk(_ reports: [SeedReport], _ fault: String) -> Int { reports.count { $0.faults[fault] != nil } }
        let even = Array(plain.prefix(64))
        #expect(even.allSatisfy { $0.emphasis.isEmpty })
        #expect(atRisk(Array(steered.prefix(64)), "backup") > 2 * atRisk(even, "backup"))
        // What fails runs again with its options alone.
        let failing = try #require(steered.first { $0.failing != nil }?.failing)
        #expect(failing.options.contains("--emphasis ") && failing.law == "unique-dots")
    }
}
