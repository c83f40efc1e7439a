import Attachments
import ChangeLog
import DeltaCRDT

/// The mailboxes of a trip, and what devices said in letters.
struct Mailboxes: Sendable {
    var desks: [MailboxDesk] = []
    /// One for each mailbox and each invite that this node answers, or comes by.
    var joins: [JoinDesk] = []
    /// What is remembered of the blocks of mailboxes that are not attached.
    var remembered: [Bytes16: [ReadBlocks.Block]] = [:]
    private(set) var correspondents: [ReplicaID: Correspondent] = [:]
    /// What the desks looked at last: where it is the same, only time brings something.
    var seen: Sight?
    /// Something came from a mailbox since then.
    var isTouched = false
    /// The same for those who ask to be let in.
    var joinSight: JoinSight?
    var areJoinsTouched = false
    /// This device's last letter, by its own clock.
    private(set) var lastLetter: Int64 = 0
    /// What it wants, as an earlier run did: people who opened a picture need not open it again.
    private(set) var ownWants: Set<BlobHash> = []
    /// Chunks that came before anybody said that they are wanted.
    var unclaimed = UnclaimedChunks()
    /// The damaged blocks of which each device is believed.
    var doubted = HourlyAllowance()
    /// The keys of the epochs whose secrets are here, the newest first; made once for each.
    private var keys: [MailboxKeys] = []
    private var keyed: [Epoch] = []

    /// What of a node concerns its mailboxes.
    struct Sight: Hashable, Sendable {
        let durableCount: Int
        let retention: Int
        let membership: Int
        let absent: AbsentBodies
        /// The devices that are met in sessions.
        let met: [ReplicaID]
    }

    /// What of a node concerns those who ask to be let in.
    struct JoinSight: Hashable, Sendable {
        let durableCount: Int
        let retention: Int
        let membership: Int
        let isJoining: Bool
        let isMember: Bool
    }

    /// The latest letter of a device.
    struct Correspondent: Sendable {
        let time: Int64
        let have: [Bytes32]
        let absent: AbsentBodies
        let wants: [BlobHash]
        /// Whether it names changes that are not here: what it says is looked at again when they are.
        var isAhead: Bool
    }

    var deadline: UInt64? { desks.map(\.deadline).min() }
    var joinDeadline: UInt64? { joins.map(\.desk.deadline).min() }

    func index(of prefix: Bytes16) -> Int? { desks.firstIndex { $0.prefix == prefix } }

    mutating func attach(_ prefix: Bytes16, at now: UInt64, under limits: MailboxLimits) {
        guard index(of: prefix) == nil, desks.count < limits.mailboxesMax else { return }
        desks.append(MailboxDesk(prefix, at: now))
    }

    mutating func detach(_ prefix: Bytes16) { desks.removeAll { $0.prefix == prefix } }

    /// The desks of joiners follow the mailboxes and the invites.
    mutating func turnJoins(to invites: [(invite: Bytes32, keys: MailboxKeys)], at now: UInt64) {
        let wanted = desks.map(\.prefix).flatMap { prefix in invites.map { (prefix, $0) } }
        guard !wanted.elementsEqual(joins, by: { $0.0 == $1.desk.prefix && $0.1.keys == $1.keys }) else { return }
        joins = wanted.map { prefix, one in
            joins.first { $0.desk.prefix == prefix && $0.keys == one.keys }
                ?? JoinDesk(one.invite, one.keys, in: prefix, at: now)
        }
    }

    mutating func keys(of epochs: [Epoch], using cryptography: some Cryptography) -> [MailboxKeys] {
        if keyed != epochs {
            (keyed, keys) = (epochs, epochs.map { MailboxKeys(of: $0, using: cryptography) })
        }
        return keys
    }

    /// The time of this device's next letter.
    mutating func nextLetter(at wall: Int64) -> Int64 {
        lastLetter = max(wall, lastLetter &+ 1)
        return lastLetter
    }

    /// A letter of this device that an earlier run wrote, or a copy of this device.
    /// - Returns: whether it is the latest that is known.
    mutating func noteOwn(_ letter: MailboxLetter) -> Bool {
        // No letter could follow one at the end of time.
        guard letter.time > lastLetter, letter.time < .max else { return false }
        lastLetter = letter.time
        ownWants = Set(letter.wants)
        return true
    }

    /// Takes in a letter of a device that is in; false where a later one came already.
    mutating func note(_ letter: MailboxLetter) -> Bool {
        guard correspondents[letter.author].map({ letter.time > $0.time }) ?? true else { return false }
        correspondents[letter.author] = Correspondent(
            time: letter.time, have: letter.have, absent: letter.absent, wants: letter.wants, isAhead: true)
        return true
    }

    mutating func caughtUp(_ replica: ReplicaID) { correspondents[replica]?.isAhead = false }
}
