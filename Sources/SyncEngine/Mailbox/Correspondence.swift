import Attachments
import ChangeLog
import DeltaCRDT

/// What devices said of themselves in letters, in whichever mailbox: of a device's letters the latest counts.
struct Correspondence: Sendable {
    private struct Latest {
        let time: Int64
        let have: [Bytes32]
        let absent: AbsentBodies
        let wants: [BlobHash]
        /// Whether it names changes that are not here: what it says is looked at again when they are.
        var isAhead = true
    }

    private var latest: [ReplicaID: Latest] = [:]
    /// The time of this device's last letter, by its own clock.
    private var lastOwn: Int64 = 0
    /// What it wants, as an earlier run did: people who opened a picture need not open it again.
    private(set) var ownWants: Set<BlobHash> = []

    func hasHeard(of replica: ReplicaID) -> Bool { latest[replica] != nil }

    /// The chunks that a device wants to be put.
    func wants(of replica: ReplicaID) -> [BlobHash] { latest[replica]?.wants ?? [] }

    /// The time of this device's next letter.
    mutating func nextLetter(at wall: Int64) -> Int64 {
        lastOwn = max(wall, lastOwn &+ 1)
        return lastOwn
    }

    /// A letter of this device that an earlier run wrote, or a copy of this device.
    /// - Returns: whether it is the latest that is known.
    mutating func noteOwn(_ letter: MailboxLetter) -> Bool {
        // No letter could follow one at the end of time.
        guard letter.time > lastOwn, letter.time < .max else { return false }
        (lastOwn, ownWants) = (letter.time, Set(letter.wants))
        return true
    }

    /// Takes in a letter of a member's device.
    /// - Returns: what it says, if it is the latest.
    mutating func note(_ letter: MailboxLetter, in context: MailboxContext) -> LetterReport? {
        guard latest[letter.author].map({ letter.time > $0.time }) ?? true else { return nil }
        latest[letter.author] = Latest(
            time: letter.time, have: letter.have, absent: letter.absent, wants: letter.wants)
        return report(of: letter.author, in: context)
    }

    /// What is said in letters that named what was not here.
    mutating func reportsAhead(in context: MailboxContext) -> [LetterReport] {
        latest.filter { $0.value.isAhead }.keys.sorted().compactMap { report(of: $0, in: context) }
    }

    /// What a device says that it holds; nil where a session with it shows what is newer.
    private mutating func report(of replica: ReplicaID, in context: MailboxContext) -> LetterReport? {
        let graph = context.log.graph
        guard let said = latest[replica], context.log.isIn(replica), !context.met.contains(replica) else { return nil }
        if said.have.allSatisfy({ graph.index(of: $0) != nil }) { latest[replica]?.isAhead = false }
        return LetterReport(
            replica: replica, held: PeerKnowledge(summary: said.have, in: graph), absent: said.absent, time: said.time)
    }
}
