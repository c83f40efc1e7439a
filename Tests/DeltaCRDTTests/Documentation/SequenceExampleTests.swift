import DeltaCRDT
import Testing

private let jie = ReplicaID(high: 0x9E37_79B9, low: 1)
private let noah = ReplicaID(high: 0x85EB_CA6B, low: 2)

/// The examples of texts and lists.
@Suite struct SequenceExampleTests {
    @Test func text() {
        var mine = Text()
        mine.insert("Lisbon", at: 0, by: jie)
        var theirs = mine

        let lead = mine.insert("To ", at: 0, by: jie)
        let tail = theirs.insert(" in June", at: 6, by: noah)

        mine.merge(tail)
        theirs.merge(lead)
        #expect(mine.string == "To Lisbon in June")
        #expect(mine == theirs)
    }

    @Test func plan() {
        var plan = Text()
        plan.insert("Monday: museum", at: 0, by: jie)
        var copy = plan

        let caret = plan.anchor(at: 7, staying: .after)
        let mine = plan.insert(" early", at: 7, by: jie)
        let theirs = copy.insert(" and beach", at: 14, by: noah)

        plan.merge(theirs)
        copy.merge(mine)
        #expect(plan.string == "Monday: early museum and beach")
        #expect(plan.position(of: caret) == 7)
        #expect(plan == copy)
    }
}
