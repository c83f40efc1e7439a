import DeltaCRDT
import Testing

/// The laws find every wrong text, and nothing wrong in a sound one.
@Suite struct TextMutantTests {
    @Test("a naive text without a fault obeys every law") func soundTextObeys() throws {
        try LawChecker.run(TypingSpecimen<NaiveText>.self, seed: 0, steps: 640)
        try NonInterleaving.run(NaiveText.self, seed: 0, steps: 6400)
    }

    @Test("a law finds each fault of a text", arguments: TextFault.allCases)
    func faultIsFound(fault: TextFault) {
        let found = TextFault.$current.withValue(fault) { () -> Law? in
            do throws(Violation) { try LawChecker.run(TypingSpecimen<NaiveText>.self, seed: 0, steps: 1280) } catch {
                return error.law
            }
            return nil
        }
        #expect(found == fault.law)
    }

    @Test("runs that mix are found, forward and backward", arguments: [TextFault.runsMixed, .sidesIgnored])
    func mixedRunsAreFound(fault: TextFault) {
        TextFault.$current.withValue(fault) {
            #expect {
                try NonInterleaving.run(NaiveText.self, seed: 0, steps: 6400)
            } throws: { error in
                (error as? Violation)?.law == .nonInterleaving
            }
        }
    }
}

extension TextFault {
    /// The law that finds it.
    fileprivate var law: Law {
        switch self {
        case .removalForgets: .deltaEqualsChange
        case .removalWithoutPlaces, .runSplitLosesLast: .roundTrip
        case .changesWithOldPositions: .tellsChanges
        default: .specification
        }
    }
}
