import DeltaCRDT
import Testing

@Suite struct EntrySummaryTests {
    private let jie = ReplicaID(high: 1, low: 1)

    @Test("a set of 10,000 that lacks one element is sent a few for it, and a summary takes less than the set")
    func aBucketIsSent() throws {
        var set = GSet<String>()
        for number in 0..<10_000 { set.insert("item \(number)") }
        var other = set
        #expect(other.delta(since: set.summary()).isEmpty)
        other.insert("one more")
        let summary = try EntrySummary(decoding: set.summary().encoded())
        #expect(summary.encoded().count * 10 < set.encoded().count)
        let delta = other.delta(since: summary)
        #expect((1...120).contains(delta.count))
        set.merge(delta)
        #expect(set == other)
    }

    @Test("a counter of 1,000 votes that lacks a change of one is sent those of a bucket")
    func votesCatchUp() {
        var votes = VoteCounter<String, UInt64>()
        for voter in 0..<UInt64(50) {
            for subject in 0..<100 { votes.cast(.for, on: "subject \(subject)", by: voter) }
        }
        var other = votes
        other.cast(.against, on: "subject 7", by: 9)
        let delta = other.delta(since: votes.summary())
        var entries = 0
        delta.forEachTally { subject, _ in delta.forEachVote(on: subject) { _, _ in entries += 1 } }
        #expect((1...150).contains(entries))
        votes.merge(delta)
        #expect(votes == other && votes.tally(of: "subject 7") == 48)
    }

    @Test("a replica that knows nothing is sent everything")
    func nothingAsksForEverything() {
        var counter = PNCounter()
        counter.add(3, by: jie)
        counter.add(-4, by: ReplicaID(high: 2, low: 2))
        #expect(counter.delta(since: EntrySummary()) == counter)
        #expect(counter.delta(since: counter.summary()) == PNCounter())
    }

    @Test("a summary of more buckets than there may be, or fewer than it tells of, is refused")
    func otherFormsAreRefused() {
        #expect(throws: DecodingFailure.tooLarge) { try EntrySummary(decoding: [13]) }
        #expect(throws: DecodingFailure.truncated) {
            try EntrySummary(decoding: [12] + [UInt8](repeating: 0, count: 99))
        }
    }
}
