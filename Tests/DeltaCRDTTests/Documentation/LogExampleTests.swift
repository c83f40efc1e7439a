import DeltaCRDT
import Testing

struct ActID: AuthoredID {
    let time: Int
    let author: String

    static func < (left: ActID, right: ActID) -> Bool { (left.time, left.author) < (right.time, right.author) }
}

struct Act: LoggedEvent {
    let id: ActID
    let past: Set<ActID>

    func hasSeen(_ other: ActID) -> Bool { past.contains(other) }
}

private let added = Act(id: ActID(time: 1, author: "Jie"), past: [])
private let removed = Act(id: ActID(time: 2, author: "Jie"), past: [added.id])
private let again = Act(id: ActID(time: 2, author: "Noah"), past: [added.id])

/// The examples of the article on types over a log, line for line.
@Suite struct LogExampleTests {
    @Test func sets() {
        let added = Act(id: ActID(time: 1, author: "Jie"), past: [])
        let removed = Act(id: ActID(time: 2, author: "Jie"), past: [added.id])
        let again = Act(id: ActID(time: 2, author: "Noah"), past: [added.id])

        var mine = LoggedSet<String, ActID>()
        mine.insert("tent", by: added)
        var theirs = mine
        mine.remove("tent", by: removed)
        mine.insert("tent", by: again)
        theirs.insert("tent", by: again)
        theirs.remove("tent", by: removed)
        #expect(mine.elements == ["tent"])
        #expect(mine == theirs)
    }

    @Test func registers() {
        var fields = LoggedRegisters<String, String, ActID>()
        fields.write("Lisbon", at: "title", by: added)
        fields.write("Lisboa", at: "title", by: again)
        fields.write("Porto", at: "title", by: removed)
        #expect(fields["title"].map(\.value) == ["Lisboa", "Porto"])
    }

    @Test func ballots() {
        var votes = LoggedBallot<String, ActID>()
        votes.say("for", by: added.id)
        votes.say("against", by: removed.id)
        votes.say("for", by: again.id)
        #expect(votes["Jie"]?.word == "against")
        #expect(votes.entries.count == 2)
    }

    @Test func counters() {
        var tents = LoggedCounter()
        tents.add(2)
        tents.add(-2)
        #expect(tents.value == 0)
        #expect(tents.steps == 2)
        tents.withdraw(2)
        #expect(tents.steps == 1)
        #expect(tents.value == -2)
    }
}
