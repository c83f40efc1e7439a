/// A counter of votes in which every entry belongs to one voter: for, against, or neither, on each subject.
///
/// The last vote of a voter on a subject counts, once, however often and on however many devices it was cast. A vote takes a number
/// one above the last that its author has seen of that voter on that subject; of two devices' votes at one number the one in
/// favour counts, then the one against. Nobody but a voter's own devices may cast its votes.
public struct VoteCounter<Subject: Hashable & Sendable, Voter: Hashable & Sendable>: DeltaState {
    /// How somebody votes.
    public enum Choice: Int8, Sendable {
        /// Takes one from the tally.
        case against = -1
        /// Counts for nothing: not voted, or the vote taken back.
        case neither = 0
        /// Adds one to the tally.
        case `for` = 1
    }

    /// A voter's vote on a subject that counts now.
    public struct Change: Hashable, Sendable {
        /// What is voted on.
        public let subject: Subject
        /// Who voted.
        public let voter: Voter
        /// The vote that counts now.
        public let choice: Choice

        @inlinable init(subject: Subject, voter: Voter, choice: Choice) {
            self.subject = subject
            self.voter = voter
            self.choice = choice
        }
    }

    @usableFromInline var subjects = ValueSlots<Subject>()
    @usableFromInline var voters = ValueSlots<Voter>()
    /// By the subject's slot.
    @usableFromInline var polls: [Poll] = []

    /// A counter without votes. Complexity: O(1).
    @inlinable public init() {}

    /// The votes for a subject less those against. Complexity: O(1), and O(subjects) once.
    @inlinable
    public func tally(of subject: Subject) -> Int {
        subjects.slot(of: subject).map { polls[Int($0)].tally } ?? 0
    }

    /// How a voter has voted on a subject. Complexity: O(log voters), and O(n) once.
    @inlinable
    public func choice(of voter: Voter, on subject: Subject) -> Choice {
        guard let poll = subjects.slot(of: subject), let slot = voters.slot(of: voter) else { return .neither }
        return Self.choice(polls[Int(poll)].word(of: slot))
    }

    /// Visits those who voted for or against a subject, in no promised order.
    ///
    /// Complexity: O(votes on the subject), and O(subjects) once.
    @inlinable
    public func forEachVote(on subject: Subject, _ body: (Voter, Choice) -> Void) {
        guard let slot = subjects.slot(of: subject) else { return }
        polls[Int(slot)].forEach { entry in
            if entry.value != 0 { body(voters.values[entry.voter], Self.choice(entry.word)) }
        }
    }

    /// Visits the subjects that were ever voted on and their tallies, in no promised order. Complexity: O(subjects).
    @inlinable
    public func forEachTally(_ body: (Subject, Int) -> Void) {
        for (slot, poll) in polls.enumerated() { body(subjects.values[UInt32(slot)], poll.tally) }
    }

    /// Casts a voter's vote on a subject, or takes it back, and returns the delta.
    ///
    /// A vote after one with the number 2⁵⁶ − 1, which only a forger reaches, changes nothing, and the delta is empty.
    ///
    /// Complexity: O(log voters), O(voters) for a voter who is new to the subject, and O(n) once.
    @inlinable
    @discardableResult
    public mutating func cast(_ choice: Choice, on subject: Subject, by voter: Voter) -> VoteCounter {
        let poll = makePoll(on: subjects.insert(subject).slot)
        let slot = voters.insert(voter).slot
        let last = polls[poll].word(of: slot) >> 2
        guard last < Dot.maximumCounter else { return VoteCounter() }
        let word = Poll.Entry.word(number: last + 1, value: Int(choice.rawValue))
        _ = polls[poll].raise(Poll.Entry(voter: slot, word: word))
        var delta = VoteCounter()
        delta.raise(subject, voter, word)
        return delta
    }

    /// Joins another state or a delta; says whether this state changed.
    ///
    /// Complexity: O(n) for the subjects, voters and votes of the other, and O(n) once.
    @inlinable
    @discardableResult
    public mutating func merge(_ other: VoteCounter) -> Bool { join(other).count > 0 }

    /// Joins, and calls with each vote that counts now and did not.
    ///
    /// Complexity: O(n) for the subjects, voters and votes of the other, and O(n) once.
    @inlinable
    @discardableResult
    public mutating func merge(_ other: VoteCounter, onChange: (Change) -> Void) -> Bool {
        let raised = join(other)
        for (subject, entry) in raised.seen {
            let voter = voters.values[entry.voter]
            onChange(Change(subject: subjects.values[subject], voter: voter, choice: Self.choice(entry.word)))
        }
        return raised.count > 0
    }

    /// Joins, and tells how many entries were raised, and which of them so that it can be seen.
    @inlinable mutating func join(_ other: VoteCounter) -> (count: Int, seen: [(subject: UInt32, entry: Poll.Entry)]) {
        let voterSlots = voters.insert(contentsOf: other.voters)
        let subjectSlots = subjects.insert(contentsOf: other.subjects)
        while polls.count < subjects.count { polls.append(Poll()) }
        return polls.join(other.polls, subjectSlots, voterSlots)
    }

    /// The least part of this state that, merged into `other`, gives the join of both.
    ///
    /// Complexity: O(votes · log voters).
    @inlinable
    public func delta(for other: VoteCounter) -> VoteCounter {
        var delta = VoteCounter()
        forEachEntry { subject, voter, word in
            if word > other.word(subject, voter, of: self) {
                delta.raise(subjects.values[subject], voters.values[voter], word)
            }
        }
        return delta
    }

    /// One part for each voter and subject. Complexity: O(votes).
    @inlinable
    public func decomposed() -> [VoteCounter] {
        var parts: [VoteCounter] = []
        forEachEntry { subject, voter, word in
            var part = VoteCounter()
            part.raise(subjects.values[subject], voters.values[voter], word)
            parts.append(part)
        }
        return parts
    }

    /// Whether the same votes were cast, each with the same number. Complexity: O(votes).
    @inlinable
    public static func == (left: VoteCounter, right: VoteCounter) -> Bool {
        guard left.subjects.count == right.subjects.count, left.voters.count == right.voters.count else { return false }
        var isEqual = left.polls.reduce(0) { $0 + $1.count } == right.polls.reduce(0) { $0 + $1.count }
        left.forEachEntry { subject, voter, word in
            if isEqual { isEqual = right.word(subject, voter, of: left) == word }
        }
        return isEqual
    }

    /// Hashes the votes, in any order. Complexity: O(votes).
    @inlinable
    public func hash(into hasher: inout Hasher) {
        var sum: UInt64 = 0
        forEachEntry { subject, voter, word in
            let salt = UInt64(subjects.values.hash(of: subject)) << 32 | UInt64(voters.values.hash(of: voter))
            sum &+= SplitMix64.mixed(salt ^ SplitMix64.mixed(word))
        }
        hasher.combine(sum)
    }

    @inlinable func forEachEntry(_ body: (_ subject: UInt32, _ voter: UInt32, _ word: UInt64) -> Void) {
        for (slot, poll) in polls.enumerated() {
            poll.forEach { body(UInt32(slot), $0.voter, $0.word) }
        }
    }

    /// The last vote here of a voter of another counter on a subject of that counter.
    @inlinable func word(_ subject: UInt32, _ voter: UInt32, of other: VoteCounter) -> UInt64 {
        guard let poll = subjects.slot(of: subject, in: other.subjects),
            let slot = voters.slot(of: voter, in: other.voters)
        else { return 0 }
        return polls[Int(poll)].word(of: slot)
    }

    @inlinable static func choice(_ word: UInt64) -> Choice {
        Choice(rawValue: Int8(Poll.Entry.value(word))) ?? .neither
    }

    @inlinable mutating func makePoll(on slot: UInt32) -> Int {
        if Int(slot) == polls.count { polls.append(Poll()) }
        return Int(slot)
    }

    @inlinable mutating func raise(_ subject: Subject, _ voter: Voter, _ word: UInt64) {
        let poll = makePoll(on: subjects.insert(subject).slot)
        _ = polls[poll].raise(Poll.Entry(voter: voters.insert(voter).slot, word: word))
    }

    /// Takes over rosters that were decoded; every subject has a poll.
    init(subjects: ValueSlots<Subject>, voters: ValueSlots<Voter>) {
        self.subjects = subjects
        self.voters = voters
        polls = Array(repeating: Poll(), count: subjects.count)
    }

    mutating func raise(subject: UInt32, _ entry: Poll.Entry) {
        _ = polls[Int(subject)].raise(entry)
    }
}
