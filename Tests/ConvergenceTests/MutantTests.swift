import Convergence
import TestTiers
import Testing

struct MutantTests {
    @Test(.tags(.slow)) func everyMutantIsFoundByTheRightLawAndMadeSmall() throws {
        #expect(Mutant.all.map(\.mutation) == Mutation.allCases)
        for mutant in Mutant.all {
            let finding = try #require(mutant.find(seeds: 1...20), "\(mutant.name) survives")
            #expect(finding.law == mutant.laws[0], "\(mutant.name) breaks \(finding.law.name)\n\(finding.trace)")
            #expect(finding.after.replicas <= 5, "\(mutant.name)")
            #expect(finding.after.events <= 12, "\(mutant.name)\n\(finding.trace)")
        }
    }

    /// Its fault is about what is done at the same time: one after the other, nothing goes wrong.
    @Test func anEmptyShellTakesTwoAtOnce() throws {
        let mutant = try #require(Mutant.named(Mutation.emptyShell.rawValue))
        #expect(mutant.find(Conditions(replicas: 1), seeds: 1...40) == nil)
    }

    @Test(.tags(.slow)) func everyTwinPasses() {
        for mutant in Mutant.all {
            let finding = mutant.findInTwin(seeds: 1...15)
            #expect(finding == nil, "\(mutant.name)'s twin\n\(finding?.trace ?? "")")
        }
    }

    /// The number was printed by another process: nothing in a run may follow from a hash table's order.
    @Test(.tags(.slow)) func sameSeedSameRunInEveryProcess() throws {
        var digest: UInt64 = 0
        for mutant in Mutant.all {
            let finding = try #require(mutant.find(seeds: 1...60))
            let again = try #require(mutant.find(seeds: 1...60))
            #expect(finding.digest == again.digest && finding.trace == again.trace)
            for byte in finding.trace.utf8 { digest = (digest ^ UInt64(byte)) &* 0x100_0000_01B3 }
            digest ^= finding.digest
        }
        #expect(digest == 487_047_640_639_579_438)
    }

    @Test(.tags(.slow)) func theOptionsOfASmallRunRepeatIt() throws {
        for mutant in Mutant.all {
            let finding = try #require(mutant.find(seeds: 1...60))
            let words = finding.options.split(separator: " ").suffix(2).map(String.init)
            let part = try #require(
                words[0] == "--tape"
                    ? PlanTape(words[1]).map(PlanPart.tape)
                    : Selection(words[1]).map { .events($0, seed: finding.seedCount) })
            let outcome = mutant.replay(part)
            #expect(outcome.violation?.law == finding.law)
            #expect(finding.trace.hasSuffix(outcome.trace.joined(separator: "\n")))
        }
        #expect(Selection("1,x") == nil)
    }
}
