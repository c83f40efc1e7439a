/// A counter of votes in which every entry belongs to one voter: for, against, or neither, on each subject.
///
/// The last vote of a voter on a subject counts, once, however often and on however many devices it was cast. A vote takes a number
/// one above the last that its author has seen of that voter on that subject; of two devices' votes at one number the one in
/// favour counts, then the one against. Nobody but a voter's own devices may cast its votes.
public struct VoteCounter<Subject: Hashable & Sendable, Voter: Hashable & Sendable>: DeltaState {
    public enum Choice: Int8, Sendable {
        case against = -1
        case neither = 0
        case `for` = 1
    }

    /// A voter's vote on a subject that counts now.
    public struct Change: Hashable, Sendable {
        public let subject: Subject
        public let voter: Voter
        public let choice: Choice
    }

    /// A voter's last vote: its number, four times, plus 0 for neither, 1 for against and 2 for.
    struct Entry: Hashable, Sendable {
        let voter: UInt32
        var word: UInt64

        var choice: Choice {
            switch word & 3 {
            case 0: .neither
            case 1: .against
            default: .for
            }
        }

        static func word(number: UInt64, _ choice: Choice) -> UInt64 {
            switch choice {
            case .neither: number << 2
            case .against: number << 2 | 1
            case .for: number << 2 | 2
            }
        }
    }

    /// What is known of one subject: its entries by voter, and the sum of its votes.
    struct Poll: Sendable {
        private(set) var entries: [Entry] = []
        private(set) var tally = 0

        func word(of voter: UInt32) -> UInt64 {
            let index = position(of: voter)
            return index < entries.count && entries[index].voter == voter ? entries[index].word : 0
        }

        /// Takes the greater word; says whether it was this one.
        mutating func raise(_ entry: Entry) -> Bool {
            let index = position(of: entry.voter)
            if index < entries.count, entries[index].voter == entry.voter {
                guard entry.word > entries[index].word else { return false }
                tally += Int(entry.choice.rawValue) - Int(entries[index].choice.rawValue)
                entries[index].word = entry.word
            } else {
                tally += Int(entry.choice.rawValue)
                entries.insert(entry, at: index)
            }
            return true
        }

        private func position(of voter: UInt32) -> Int {
            if let last = entries.last, last.voter < voter { return entries.count }
            var (low, high) = (0, entries.count)
            while low < high {
                let middle = (low + high) / 2
                if entries[middle].voter < voter { low = middle + 1 } else { high = middle }
            }
            return low
        }
    }

    private(set) var subjects = Roster<Subject>()
    private(set) var voters = Roster<Voter>()
    /// By the subject's slot.
    private(set) var polls: [Poll] = []

    public init() {}

    /// The votes for a subject less those against. Complexity: O(1), and O(subjects) once.
    public func tally(of subject: Subject) -> Int {
        subjects.slot(of: subject).map { polls[Int($0)].tally } ?? 0
    }

    /// How a voter has voted on a subject.
    public func choice(of voter: Voter, on subject: Subject) -> Choice {
        guard let poll = subjects.slot(of: subject), let slot = voters.slot(of: voter) else { return .neither }
        return Entry(voter: slot, word: polls[Int(poll)].word(of: slot)).choice
    }

    /// Visits those who voted for or against a subject, in no promised order.
    public func forEachVote(on subject: Subject, _ body: (Voter, Choice) -> Void) {
        guard let slot = subjects.slot(of: subject) else { return }
        for entry in polls[Int(slot)].entries where entry.choice != .neither {
            body(voters.values[entry.voter], entry.choice)
        }
    }

    /// Visits the subjects that were ever voted on and their tallies, in no promised order.
    public func forEachTally(_ body: (Subject, Int) -> Void) {
        for (slot, poll) in polls.enumerated() { body(subjects.values[UInt32(slot)], poll.tally) }
    }

    /// Casts a voter's vote on a subject, or takes it back, and returns the delta.
    @discardableResult
    public mutating func cast(_ choice: Choice, on subject: Subject, by voter: Voter) -> VoteCounter {
        let poll = makePoll(on: subjects.insert(subject).slot)
        let slot = voters.insert(voter).slot
        let word = Entry.word(number: polls[poll].word(of: slot) >> 2 + 1, choice)
        _ = polls[poll].raise(Entry(voter: slot, word: word))
        var delta = VoteCounter()
        delta.raise(subject, voter, word)
        return delta
    }

    @discardableResult
    public mutating func merge(_ other: VoteCounter) -> Bool { merge(other) { _ in } }

    @discardableResult
    public mutating func merge(_ other: VoteCounter, onChange: (Change) -> Void) -> Bool {
        var changed = false
        let mine = (0..<UInt32(other.voters.count)).map { voters.insert($0, of: other.voters).slot }
        for (index, theirs) in other.polls.enumerated() {
            let poll = makePoll(on: subjects.insert(UInt32(index), of: other.subjects).slot)
            for entry in theirs.entries {
                let entry = Entry(voter: mine[Int(entry.voter)], word: entry.word)
                let before = polls[poll].tally
                guard polls[poll].raise(entry) else { continue }
                changed = true
                if polls[poll].tally != before {
                    let subject = other.subjects.values[UInt32(index)]
                    onChange(Change(subject: subject, voter: voters.values[entry.voter], choice: entry.choice))
                }
            }
        }
        return changed
    }

    public func delta(for other: VoteCounter) -> VoteCounter {
        var delta = VoteCounter()
        forEachEntry { subject, voter, word in
            if word > other.word(subject, voter, of: self) {
                delta.raise(subjects.values[subject], voters.values[voter], word)
            }
        }
        return delta
    }

    /// One part for each voter and subject.
    public func decomposed() -> [VoteCounter] {
        var parts: [VoteCounter] = []
        forEachEntry { subject, voter, word in
            var part = VoteCounter()
            part.raise(subjects.values[subject], voters.values[voter], word)
            parts.append(part)
        }
        return parts
    }

    public static func == (left: VoteCounter, right: VoteCounter) -> Bool {
        guard left.subjects.count == right.subjects.count, left.voters.count == right.voters.count else { return false }
        var isEqual = left.polls.reduce(0) { $0 + $1.entries.count } == right.polls.reduce(0) { $0 + $1.entries.count }
        left.forEachEntry { subject, voter, word in
            if isEqual { isEqual = right.word(subject, voter, of: left) == word }
        }
        return isEqual
    }

    public func hash(into hasher: inout Hasher) {
        var sum: UInt64 = 0
        forEachEntry { subject, voter, word in
            let salt = UInt64(subjects.values.hash(of: subject)) << 32 | UInt64(voters.values.hash(of: voter))
            sum &+= Dot.mix(salt ^ Dot.mix(word))
        }
        hasher.combine(sum)
    }

    func forEachEntry(_ body: (_ subject: UInt32, _ voter: UInt32, _ word: UInt64) -> Void) {
        for (slot, poll) in polls.enumerated() {
            for entry in poll.entries { body(UInt32(slot), entry.voter, entry.word) }
        }
    }

    /// The last vote here of a voter of another counter on a subject of that counter.
    private func word(_ subject: UInt32, _ voter: UInt32, of other: VoteCounter) -> UInt64 {
        guard let poll = subjects.slot(of: subject, in: other.subjects),
            let slot = voters.slot(of: voter, in: other.voters)
        else { return 0 }
        return polls[Int(poll)].word(of: slot)
    }

    private mutating func makePoll(on slot: UInt32) -> Int {
        if Int(slot) == polls.count { polls.append(Poll()) }
        return Int(slot)
    }

    private mutating func raise(_ subject: Subject, _ voter: Voter, _ word: UInt64) {
        let poll = makePoll(on: subjects.insert(subject).slot)
        _ = polls[poll].raise(Entry(voter: voters.insert(voter).slot, word: word))
    }

    /// Takes over rosters that were decoded; every subject has a poll.
    init(subjects: Roster<Subject>, voters: Roster<Voter>) {
        self.subjects = subjects
        self.voters = voters
        polls = Array(repeating: Poll(), count: subjects.count)
    }

    mutating func raise(subject: UInt32, _ entry: Entry) {
        _ = polls[Int(subject)].raise(entry)
    }
}
