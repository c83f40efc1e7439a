import DeltaCRDT

/// The last word of each participant on one item, in the order of the participants: registers whose writers all speak for
/// one participant, so that re-votes are idempotent and two devices of one person never count twice.
///
/// A column of 16 bytes a voter, for a great group has as many of these as it has voters and items. The library's
/// `VoteCounter` joins states, and so carries a dot and a clock with every entry; here the change says both.
struct Ballot: Hashable, Sendable {
    struct Entry: Hashable, Sendable {
        /// The change that voted; its participant is the voter.
        let cause: Cause
        /// The highest bits of the voter's id, so that most are told apart without a look at the change.
        fileprivate let prefix: UInt32
        /// How many operations of the change come before the vote, four times, and the vote: 0 for one taken back.
        fileprivate let word: UInt32

        init(_ vote: Vote?, by cause: Cause, offset: UInt32) {
            self.cause = cause
            prefix = Entry.prefix(cause.participant)
            word = offset << 2 | UInt32(vote?.rawValue ?? 0)
        }

        /// Nil where it was taken back.
        var vote: Vote? { Vote(rawValue: UInt8(word & 3)) }
        var voter: ParticipantID { cause.participant }
        var stamp: Stamp { cause.stamp }
        var dot: Dot { cause.dot(of: word >> 2) }

        fileprivate static func prefix(_ voter: ParticipantID) -> UInt32 { UInt32(voter.high >> 32) }

        fileprivate func precedes(_ voter: ParticipantID, _ prefix: UInt32) -> Bool {
            self.prefix != prefix ? self.prefix < prefix : cause.participant < voter
        }

        /// Whether this stands below another word of the same voter.
        fileprivate func isBelow(_ other: Entry) -> Bool {
            (stamp, word >> 2) < (other.stamp, other.word >> 2)
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
        } else if entries[index].isBelow(entry) {
            entries[index] = entry
        }
    }

    /// The first index whose voter is not below one.
    private func position(of voter: ParticipantID) -> Int {
        let prefix = Entry.prefix(voter)
        return entries.partitioningIndex { !$0.precedes(voter, prefix) }
    }
}
