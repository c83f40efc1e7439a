/// Subjects and voters, then for each voter the subjects it voted on as runs: how many runs, and for each how many subjects it
/// skips, how many it has, and their words.
extension VoteCounter: CanonicalCodable where Subject: CanonicalCodable, Voter: CanonicalCodable {
    /// Appends the value in its one form; see <doc:Format>. Complexity: O(n log n), for subjects and voters are sorted.
    public func encode(into encoder: inout CanonicalEncoder) {
        encoder.encode(StateTag.voteCounter)
        let subjectOrder = subjects.sortedSlots()
        let voterOrder = voters.sortedSlots()
        subjects.encode(subjectOrder, into: &encoder)
        voters.encode(voterOrder, into: &encoder)
        var ballots: [[(place: Int, word: UInt64)]] = Array(repeating: [], count: voters.count)
        for (place, subject) in subjectOrder.enumerated() {
            polls[Int(subject.slot)].forEach { ballots[Int($0.voter)].append((place, $0.word)) }
        }
        for (slot, _) in voterOrder { Self.encode(ballots[Int(slot)], into: &encoder) }
    }

    private static func encode(_ ballot: [(place: Int, word: UInt64)], into encoder: inout CanonicalEncoder) {
        var starts: [Int] = []
        for index in ballot.indices where index == 0 || ballot[index].place != ballot[index - 1].place + 1 {
            starts.append(index)
        }
        encoder.encode(count: starts.count)
        var place = 0
        for (run, start) in starts.enumerated() {
            let end = run + 1 < starts.count ? starts[run + 1] : ballot.count
            encoder.encode(count: ballot[start].place - place)
            encoder.encode(count: end - start)
            for vote in ballot[start..<end] { encoder.encode(vote.word) }
            place = ballot[end - 1].place + 1
        }
    }

    /// Reads a value, and refuses every form but its only one; see <doc:Format>.
    ///
    /// Complexity: O(size of the bytes read), with a bound on what they may ask for.
    public init(from decoder: inout CanonicalDecoder) throws(DecodingFailure) {
        try decoder.decode(StateTag.voteCounter)
        let subjects = try ValueSlots<Subject>(from: &decoder)
        self.init(subjects: subjects, voters: try ValueSlots<Voter>(from: &decoder))
        for voter in 0..<UInt32(voters.count) { try decodeBallot(of: voter, from: &decoder) }
        guard polls.allSatisfy({ $0.count > 0 }) else { throw .notCanonical }
    }

    private mutating func decodeBallot(
        of voter: UInt32, from decoder: inout CanonicalDecoder
    ) throws(DecodingFailure) {
        let runs = try decoder.decodeCount(limit: .max, minimumSize: 3)
        guard runs > 0 else { throw .notCanonical }
        var place = 0
        for run in 0..<runs {
            let skipped = try decoder.decodeUInt64()
            guard run == 0 || skipped > 0 else { throw .notCanonical }
            guard skipped <= UInt64(subjects.count - place) else { throw .unknown }
            place += Int(skipped)
            let count = try decoder.decodeCount(limit: .max)
            guard count > 0 else { throw .notCanonical }
            guard count <= subjects.count - place else { throw .unknown }
            for _ in 0..<count {
                let word = try decoder.decodeUInt64()
                guard word >= 4, word & 3 < 3 else { throw .notCanonical }
                guard word >> 2 <= Dot.maximumCounter else { throw .tooLarge }
                raise(subject: UInt32(place), Poll.Entry(voter: voter, word: word))
                place += 1
            }
        }
    }
}
