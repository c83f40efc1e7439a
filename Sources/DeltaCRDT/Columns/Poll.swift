/// What is known of one subject of a ``VoteCounter``: its entries by voter, and the sum of its votes.
@usableFromInline
struct Poll: Sendable {
    /// A voter's last vote: its number, four times, plus 0 for neither, 1 for against and 2 for.
    @usableFromInline
    struct Entry: Sendable {
        @usableFromInline var voter: UInt32
        @usableFromInline var word: UInt64

        @inlinable init(voter: UInt32, word: UInt64) {
            self.voter = voter
            self.word = word
        }

        /// 1 for, −1 against.
        @inlinable var value: Int { Self.value(word) }

        @inlinable static func value(_ word: UInt64) -> Int {
            // 0, 1, 2 stand for 0, −1, 1.
            let code = Int(word & 3)
            return code == 1 ? -1 : code >> 1
        }

        @inlinable static func word(number: UInt64, value: Int) -> UInt64 {
            number << 2 | (value == 0 ? 0 : value < 0 ? 1 : 2)
        }
    }

    /// The entry of the least voter; its word is 0 while there is none. In a delta it is the only one.
    private var first = Entry(voter: 0, word: 0)
    /// The entries of the other voters, sorted.
    private var others: [Entry] = []
    @usableFromInline private(set) var tally = 0

    @usableFromInline
    init() {}

    @usableFromInline var count: Int { first.word == 0 ? 0 : others.count + 1 }

    @usableFromInline
    func word(of voter: UInt32) -> UInt64 {
        if first.voter == voter { return first.word }
        let index = position(of: voter)
        return index < others.count && others[index].voter == voter ? others[index].word : 0
    }

    @usableFromInline
    func forEach(_ body: (Entry) -> Void) {
        if first.word != 0 { body(first) }
        for entry in others { body(entry) }
    }

    /// Takes the greater word; says whether it was this one.
    @usableFromInline
    mutating func raise(_ entry: Entry) -> Bool {
        if first.word == 0 {
            first = entry
        } else if entry.voter < first.voter {
            others.insert(first, at: 0)
            first = entry
        } else if entry.voter == first.voter {
            guard entry.word > first.word else { return false }
            tally -= first.value
            first.word = entry.word
        } else {
            let index = position(of: entry.voter)
            if index < others.count, others[index].voter == entry.voter {
                guard entry.word > others[index].word else { return false }
                tally -= others[index].value
                others[index].word = entry.word
            } else {
                others.insert(entry, at: index)
            }
        }
        tally += entry.value
        return true
    }

    /// The entries, their voters by other slots, sorted by these.
    fileprivate func entries(_ voterSlots: [UInt32]) -> [Entry] {
        var entries: [Entry] = []
        entries.reserveCapacity(count)
        forEach { entries.append(Entry(voter: voterSlots[Int($0.voter)], word: $0.word)) }
        return entries.sorted { $0.voter < $1.voter }
    }

    /// Takes the greater word of each of many, sorted; calls with those that it took, and whether they changed a choice. It
    /// walks all that is here, where putting them in one by one would move it as often.
    fileprivate mutating func raise(_ entries: [Entry], _ body: (Entry, _ isSeen: Bool) -> Void) {
        var mine: [Entry] = []
        mine.reserveCapacity(count)
        forEach { mine.append($0) }
        var joined: [Entry] = []
        joined.reserveCapacity(mine.count + entries.count)
        var next = 0
        for entry in entries {
            while next < mine.count, mine[next].voter < entry.voter {
                joined.append(mine[next])
                next += 1
            }
            var before = Entry(voter: entry.voter, word: 0)
            if next < mine.count, mine[next].voter == entry.voter {
                before = mine[next]
                next += 1
            }
            joined.append(entry.word > before.word ? entry : before)
            guard entry.word > before.word else { continue }
            tally += entry.value - before.value
            body(entry, entry.value != before.value)
        }
        joined.append(contentsOf: mine[next...])
        guard let least = joined.first else { return }
        first = least
        others = Array(joined.dropFirst())
    }

    private func position(of voter: UInt32) -> Int {
        // Voters are numbered as they come, so most come last.
        if let last = others.last, last.voter < voter { return others.count }
        return others.partitioningIndex { $0.voter >= voter }
    }
}

extension [Poll] {
    /// Joins other polls, whose subjects and voters have other slots here; tells how many entries were raised, and which of
    /// them to another choice.
    @usableFromInline
    mutating func join(
        _ other: [Poll], _ subjectSlots: [UInt32], _ voterSlots: [UInt32]
    ) -> (count: Int, seen: [(subject: UInt32, entry: Poll.Entry)]) {
        var count = 0
        var seen: [(subject: UInt32, entry: Poll.Entry)] = []
        for (index, poll) in other.enumerated() {
            let subject = subjectSlots[index]
            if poll.count > 8 {
                self[Int(subject)].raise(poll.entries(voterSlots)) { entry, isSeen in
                    count += 1
                    if isSeen { seen.append((subject, entry)) }
                }
                continue
            }
            poll.forEach { entry in
                let entry = Poll.Entry(voter: voterSlots[Int(entry.voter)], word: entry.word)
                let before = self[Int(subject)].tally
                guard self[Int(subject)].raise(entry) else { return }
                count += 1
                if self[Int(subject)].tally != before { seen.append((subject, entry)) }
            }
        }
        return (count, seen)
    }
}
