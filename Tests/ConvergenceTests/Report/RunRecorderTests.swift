import Convergence
import Testing

struct RunRecorderTests {
    /// Measuring changes nothing, and what is measured fits what happened.
    @Test func aMeasuredRunIsTheSameRun() throws {
        for mutant in Mutant.all.prefix(6) {
            for seed: UInt64 in 1...6 {
                let measured = mutant.measure(seed: seed)
                #expect(measured == mutant.measure(seed: seed))
                #expect(measured.samples.allSatisfy { (1...4).contains($0.divergence) && $0.runningNodes <= 4 })
                #expect(zip(measured.samples, measured.samples.dropFirst()).allSatisfy { $0.time < $1.time })
                #expect(measured.intervals.allSatisfy { $0.start <= $0.end && !$0.nodes.contains { $0 > 3 } })
                #expect(measured.duration == measured.samples.last?.time)
            }
        }
        var faults: Set<String> = []
        for seed: UInt64 in 1...20 {
            faults.formUnion(Mutant.all[1].measure(seed: seed).intervals.map(\.fault))
        }
        #expect(faults == ["crash", "one-way", "partition", "torn"])
    }

    /// A run that held every law ends with everybody alike.
    @Test func divergenceEndsAtOne() throws {
        let conditions = Conditions(replicas: 5, steps: 3_000, faults: [.partition, .crash])
        let mutant = try #require(Mutant.named("hash-order"))
        let calm = Conditions(replicas: 1, steps: 100, faults: [])
        #expect(mutant.measure(seed: 1, calm).samples.last?.divergence == 1)
        let long = mutant.measure(seed: 1, conditions)
        #expect(long.samples.count <= Measurements.samplesMax)
    }
}
