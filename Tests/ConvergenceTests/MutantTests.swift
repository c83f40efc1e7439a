import Convergence
import Testing

struct MutantTests {
    @Test func everyMutantIsFoundByTheRightLawAndMadeSmall() throws {
        #expect(Mutant.all.map(\.mutation) == Mutation.allCases)
        for mutant in Mutant.all {
            let finding = try #require(mutant.find(seeds: 1...20), "\(mutant.name) survives")
            #expect(mutant.laws.contains(finding.law), "\(mutant.name) breaks \(finding.law.name)\n\(finding.trace)")
            #expect(finding.after.replicas <= 5, "\(mutant.name)")
            #expect(finding.after.events <= 12, "\(mutant.name)\n\(finding.trace)")
            var (seed, law) = (finding.seedCount, finding.law)
            while law != mutant.laws[0], seed < 60, let next = mutant.find(seeds: seed + 1...60) {
                (seed, law) = (seed + next.seedCount, next.law)
            }
            #expect(law == mutant.laws[0], "\(mutant.name) never breaks \(mutant.laws[0].name) first")
        }
    }

    @Test func everyTwinPasses() {
        for mutant in Mutant.all {
            let finding = mutant.findInTwin(seeds: 1...15)
            #expect(finding == nil, "\(mutant.name)'s twin\n\(finding?.trace ?? "")")
        }
    }

    /// The number was printed by another process: nothing in a run may follow from a hash table's order.
    @Test func sameSeedSameRunInEveryProcess() throws {
        var digest: UInt64 = 0
        for mutant in Mutant.all {
            let finding = try #require(mutant.find(seeds: 1...20))
            let again = try #require(mutant.find(seeds: 1...20))
            #expect(finding.digest == again.digest && finding.trace == again.trace)
            for byte in finding.trace.utf8 { digest = (digest ^ UInt64(byte)) &* 0x100_0000_01B3 }
            digest ^= finding.digest
        }
        #expect(digest == 12_129_588_536_537_706_064)
    }

    @Test func theOptionsOfASmallRunRepeatIt() throws {
        for mutant in Mutant.all {
            let finding = try #require(mutant.find(seeds: 1...20))
            let text = try #require(finding.options.split(separator: " ").last)
            let selection = try #require(Selection(String(text)))
            let outcome = mutant.replay(selection, seed: finding.seedCount)
            #expect(outcome.violation?.law == finding.law)
            #expect(finding.trace.hasSuffix(outcome.trace.joined(separator: "\n")))
        }
        #expect(Selection("1,x") == nil)
    }
}
