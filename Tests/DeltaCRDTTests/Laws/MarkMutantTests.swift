import DeltaCRDT
import TestTiers
import Testing

/// The laws find every wrong formatting, and nothing wrong in a sound one.
@Suite struct MarkMutantTests {
    private typealias Subject = FormattingSpecimen<NaiveRichText>

    /// Histories in which deltas arrive in causal order, as the naive text needs them.
    private func run(_ seeds: Range<UInt64>) throws(Violation) {
        for seed in seeds { try LawChecker.run(Subject.self, seed: seed * 2, steps: 64) }
    }

    @Test("a naive rich text without a fault obeys every law") func soundTextObeys() throws { try run(0..<1) }

    @Test("so does it in many histories", .tags(.slow)) func soundTextObeysOften() throws { try run(1..<12) }

    @Test(
        "a law finds links that grow, an earlier mark that wins, and a removal that forgets",
        arguments: [MarkFault.linksGrow, .earliestWins, .removalForgets])
    func faultIsFoundQuickly(fault: MarkFault) { faultIsFound(fault: fault) }

    @Test("a law finds each fault of formatting", .tags(.slow), arguments: MarkFault.allCases)
    func faultIsFound(fault: MarkFault) {
        let found = MarkFault.$current.withValue(fault) { () -> Law? in
            do throws(Violation) { try run(0..<60) } catch { return error.law }
            return nil
        }
        #expect(found == .specification)
    }
}
