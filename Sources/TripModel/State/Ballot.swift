import DeltaCRDT

/// The last word of each participant on one item, such as a vote, in the order of the participants: registers whose
/// writers all speak for one participant, so that re-votes are idempotent and two devices of one person never count twice.
///
/// A column of 16 bytes a voter, for a great group has as many of these as it has voters and items. The library's
/// `VoteCounter` joins states, and so carries a dot and a clock with every entry; here the change says both.
struct Ballot<Word: Hashable & Sendable>: Hashable, Sendable {
    struct Entry: Hashable, Sendable {
        /// The change that voted; its participant is the voter.
        let cause: Cause
        /// The highest bits of the voter's id, so that most are told apart without a look at the change.
        fileprivate let prefix: UInt32
        /// The operation that voted.
        let index: OperationIndex
        /// Nil where it was taken back.
        let word: Word?

        init(_ word: Word?, by cause: Cause, index: OperationIndex) {
            self.cause = cause
            self.index = index
            self.word = word
            prefix = Entry.prefix(cause.participant)
        }

        var voter: ParticipantID { cause.participant }
        var stamp: Stamp { cause.stamp }
        var operation: OperationID { cause.operation(index) }

        fileprivate static func prefix(_ voter: ParticipantID) -> UInt32 { UInt32(voter.high >> 32) }

        fileprivate func precedes(_ voter: ParticipantID, _ prefix: UInt32) -> Bool {
            self.prefix != prefix ? self.prefix < prefix : cause.participant < voter
        }
    }

    /// Ascending by voter.
    private(set) var entries: [Entry] = []

    var isEmpty: Bool { entries.isEmpty }

    /// O(log voters).
    subscript(voter: ParticipantID) -> Entry? {
        let index = position(of: voter)
        return index < entries.count && entries[index].voter == voter ? entries[index] : nil
    }

    /// Takes a word if it stands above the voter's last. O(log voters), O(voters) for a new one.
    mutating func raise(_ entry: Entry) {
        let index = position(of: entry.voter)
        if index == entries.count || entries[index].voter != entry.voter {
            entries.insert(entry, at: index)
        } else if stands(entry.cause, entry.index, above: entries[index].cause, entries[index].index) {
            entries[index] = entry
        }
    }

    /// The first index whose voter is not below one.
    private func position(of voter: ParticipantID) -> Int {
        let prefix = Entry.prefix(voter)
        return entries.partitioningIndex { !$0.precedes(voter, prefix) }
    }
}
