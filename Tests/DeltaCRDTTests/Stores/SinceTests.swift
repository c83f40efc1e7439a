import DeltaCRDT
import Testing

/// Deltas since a summary: exactly what is missing, whatever it is.
@Suite struct SinceTests {
    private let me = ReplicaID(high: 1, low: 1)
    private let you = ReplicaID(high: 2, low: 2)

    private func set(of count: Int) -> AddWinsSet<String> {
        var set = AddWinsSet<String>()
        set.formUnion((0..<count).map { "element \($0)" }, by: me)
        return set
    }

    @Test func removalIsFoundWithoutAnEventOfItsOwn() {
        var mine = set(of: 5000)
        let theirs = mine
        mine.remove("element 7")
        mine.remove("element 4000")
        let delta = mine.delta(since: theirs.summary())
        #expect(delta == mine.delta(for: theirs))
        #expect(delta.isEmpty && delta.encoded().count < 40)
        #expect(theirs.merging(delta) == mine)
        #expect(mine.delta(since: mine.summary()) == AddWinsSet())
    }

    @Test func whatFellBeforeIsNotSentAgain() {
        var mine = set(of: 3000)
        for number in 0..<400 { mine.remove("element \(number * 3)") }
        let theirs = mine
        mine.remove("element 4")
        mine.remove("element 2999")
        // Only the latest two are undone: all that ever fell would be four hundred ranges.
        let delta = mine.delta(since: theirs.summary())
        #expect(delta == mine.delta(for: theirs) && delta.encoded().count < 40)
        #expect(mine.delta(since: theirs.context.versionVector).encoded().count > 400)
    }

    @Test func addsAndRemovalsOnBothSides() {
        var mine = set(of: 1000)
        var theirs = mine
        mine.remove("element 3")
        mine.insert("of mine", by: me)
        theirs.remove("element 5")
        theirs.insert("of theirs", by: you)
        // They know events that are not known here: what both know is compared.
        let summary = theirs.summary(within: mine.context.versionVector)
        let delta = mine.delta(since: summary)
        #expect(theirs.merging(delta) == mine.merging(theirs))
    }

    @Test func whatIsForgottenIsNamedByTheRangesBetween() {
        var mine = set(of: 4000)
        let theirs = mine
        for number in 0..<3000 { mine.remove("element \(number)") }
        let delta = mine.delta(since: theirs.summary())
        #expect(theirs.merging(delta) == mine)
        // No elements, and one range for three thousand removals.
        #expect(delta.isEmpty && delta.encoded().count < 40)
    }

    @Test func summariesOfEqualStatesAreEqualAndCoded() throws {
        var mine = set(of: 100)
        var theirs = mine
        mine.remove("element 1")
        #expect(mine.summary() != theirs.summary())
        theirs.remove("element 1")
        #expect(mine.summary() == theirs.summary())
        #expect(try StateSummary(decoding: mine.summary().encoded()) == mine.summary())
        #expect(mine.summary().versionVector == mine.context.versionVector)
    }

    @Test func summaryFromOutsideIsAnsweredWhateverItSays() throws {
        var mine = set(of: 100)
        mine.remove("element 9")
        for bytes: [UInt8] in [
            [1, 0] + me.bytes + [99] + [UInt8](repeating: 7, count: 8),
            [1, 0] + me.bytes + [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F] + [UInt8](repeating: 0, count: 8),
            [1, 0] + you.bytes + [5] + [UInt8](repeating: 0, count: 8),
        ] {
            let delta = mine.delta(since: try StateSummary(decoding: bytes))
            #expect(delta.context.isSubset(of: mine.context))
        }
    }
}
