import Testing
import TripModel
import TripService

@testable import TripText

struct EventDigestTests {
    @Test("somebody who comes and goes is told three times a minute, and then in sum")
    func storm() {
        var digest = EventDigest()
        var told: [EventDigest.Entry] = []
        for second in 0..<57 {
            told += digest.heard(.here(name: "Noah"), in: nil, at: Int64(second) * 1_000)
            told += digest.heard(.gone(name: "Noah"), in: nil, at: Int64(second) * 1_000 + 500)
        }
        #expect(told.count == 6 && told.allSatisfy { $0.times == 1 })
        #expect(digest.due == 60_000)
        let sums = digest.finish()
        #expect(sums.map(\.times) == [54, 54] && digest.due == nil)
        #expect(
            sums.flatMap { TerminalText.lines($0) } == [
                "Noah connected (54 times in the last minute)", "Noah disconnected (54 times in the last minute)",
            ])
        #expect(digest.finish() == [])
    }

    @Test("the sum of a minute precedes later events, and an event that is told again counts from one")
    func nextMinute() {
        var digest = EventDigest()
        for moment in 0..<5 { _ = digest.heard(.refused(name: "Noah"), in: "Lisbon", at: Int64(moment)) }
        let told = digest.heard(.refused(name: "Noah"), in: "Lisbon", at: 60_000)
        #expect(told.map(\.times) == [2, 1])
        #expect(
            TerminalText.lines(told[0]) == ["Lisbon: Refused an invalid change from Noah (2 times in the last minute)"])
    }

    @Test("however many people there are, a minute has a bounded number of lines")
    func manyPeople() {
        var digest = EventDigest()
        var told = 0
        for number in 0..<10_000 {
            told += digest.heard(.here(name: "Person \(number)"), in: "Trip \(number % 7)", at: 1).count
            told += digest.heard(.gone(name: "Person \(number)"), in: nil, at: 1).count
        }
        told += digest.finish().count
        #expect(told <= 2 * (EventDigest.peopleMax + 1) * (EventDigest.shownMax + 1))
    }

    @Test("nothing is left out of the numbers")
    func sum() {
        var digest = EventDigest()
        var count = 0
        for number in 0..<1_000 {
            count += digest.heard(.here(name: "Person \(number % 40)"), in: nil, at: 1).map(\.times).reduce(0, +)
        }
        count += digest.finish().map(\.times).reduce(0, +)
        #expect(count == 1_000)
    }

    @Test("changes are told one by one until there are many, and what must be heard always is")
    func changes() {
        var digest = EventDigest()
        let change = TripEvent.changed(HistoryView(entries: [], names: HistoryNames(people: [], items: [])))
        for _ in 0..<100 { _ = digest.heard(change, in: nil, at: 1) }
        #expect(digest.heard(.rebuilt, in: nil, at: 1).count == 1)
        #expect(
            digest.finish().flatMap { TerminalText.lines($0) } == [
                "40 more changes in the last minute. See `caravan history`."
            ])
    }

    @Test("who goes on writing in a note is told once, and then in the sum of each minute")
    func writing() {
        func change(_ person: UInt64, _ event: HistoryEvent) -> TripEvent {
            let entry = HistoryEntry(
                participant: ParticipantID(high: 7, low: person),
                stamp: LamportTimestamp(lamport: 1, hash: ChangeHash(words: (1, 0, 0, 0))), wallTime: 0,
                events: [event])
            return .changed(HistoryView(entries: [entry], names: HistoryNames(people: [], items: [])))
        }
        let typing = HistoryEvent.noted(added: "a", removed: "")
        var digest = EventDigest()
        var told = (0..<20).flatMap { digest.heard(change(1, typing), in: nil, at: Int64($0) * 500) }
        #expect(told.map(\.times) == [1])
        // Others, other notes and other trips are told as well.
        told = digest.heard(change(2, typing), in: nil, at: 10_000)
        told += digest.heard(change(1, typing), in: "Lisbon", at: 10_000)
        told += digest.heard(change(1, .left), in: nil, at: 10_000)
        #expect(told.map(\.times) == [1, 1, 1])
        #expect(
            digest.finish().flatMap { TerminalText.lines($0) } == [
                "19 more changes in the last minute. See `caravan history`."
            ])
        #expect(digest.heard(change(1, typing), in: nil, at: NoteAuthor.span - 1).isEmpty)
        #expect(digest.finish().map(\.times) == [1])
        #expect(digest.heard(change(1, typing), in: nil, at: NoteAuthor.span).map(\.times) == [1])
    }

    @Test("a log's line says what happened and when, and nobody's name")
    func logLine() {
        let line = LogLine.event(.here(name: "Noah"), times: 3, trip: "46ea669282b134c0", at: 0)
        #expect(
            line == #"{ "at": "1970-01-01T00:00:00Z", "event": "here", "times": 3, "trip": "46ea669282b134c0" }"#)
        #expect(
            LogLine.event(.problem("the disk of jie is full"), times: 1, trip: nil, at: 0)?.contains("jie") == false)
        #expect(LogLine.event(.spread, times: 1, trip: nil, at: 0) == nil)
    }
}
