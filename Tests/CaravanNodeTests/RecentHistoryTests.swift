import DeltaCRDT
import Testing
import TripModel

@testable import CaravanNode

@Suite struct RecentHistoryTests {
    private func entry(_ lamport: Int) -> HistoryEntry {
        let words = UInt64(lamport)
        return HistoryEntry(
            participant: ParticipantID(high: 0, low: 1),
            stamp: LamportTimestamp(lamport: words, hash: ChangeHash(words: (words, 0, 0, 0))), wallTime: 0,
            events: [.closedInvite])
    }

    @Test("the last are kept, in the order of their stamps; what found no room once finds none where others went")
    func order() {
        var history = RecentHistory()
        for lamport in (1...300).reversed() { history.note(entry(lamport)) }
        #expect(history.last(1_000) == (45...300).map(entry))
        history.forget(entry(300).stamp)
        history.note(entry(44))
        #expect(history.last(1_000) == (45...299).map(entry))
        history.note(entry(301))
        #expect(history.last(2) == [entry(299), entry(301)])
    }

    @Test("it is complete as long as no more went than it keeps beyond what is asked of it")
    func completeness() {
        var history = RecentHistory()
        for lamport in 1...257 { history.note(entry(lamport)) }
        for lamport in 100..<156 { history.forget(entry(lamport).stamp) }
        #expect(history.isComplete)
        history.forget(entry(156).stamp)
        #expect(!history.isComplete)
        var short = RecentHistory()
        short.note(entry(1))
        short.forget(entry(1).stamp)
        #expect(short.isComplete)
    }

    @Test("changes with thousands of events each leave the room of a few, and the last one stays whatever it has")
    func manyEvents() {
        var history = RecentHistory()
        func large(_ lamport: Int, events: Int) -> HistoryEntry {
            let small = entry(lamport)
            return HistoryEntry(
                participant: small.participant, stamp: small.stamp, wallTime: 0,
                events: Array(repeating: .closedInvite, count: events))
        }
        for lamport in 1...256 { history.note(large(lamport, events: 10_000)) }
        #expect(history.last(1_000).map(\.stamp.lamport) == Array(251...256) && history.isComplete)
        history.note(large(257, events: 100_000))
        #expect(history.last(1_000).map(\.stamp.lamport) == [257])
    }
}
