import Attachments
import ChangeLog
import DeltaCRDT

/// The mailboxes of a trip, and what devices said in letters.
///
/// The node passes on what comes of them and of the log, with a `MailboxContext`, and carries out the answers. Only it writes the log.
struct Mailboxes: Sendable {
    private(set) var desks: [MailboxDesk] = []
    /// One for each mailbox and each invite that this node answers, or comes by.
    private(set) var joins: [JoinDesk] = []
    /// What is remembered of the blocks of mailboxes that are not attached.
    private var remembered: [Bytes16: [ReadBlocks.Block]] = [:]
    private var correspondence = Correspondence()
    /// What the desks looked at last: where it is the same, only time brings something.
    private var seen: Sight?
    /// Something came from a mailbox since then.
    private var isTouched = false
    /// The same for those who ask to be let in.
    private var joinSight: JoinSight?
    private var areJoinsTouched = false
    /// Chunks that came before anybody said that they are wanted.
    private(set) var unclaimed = UnclaimedChunks()
    /// The damaged blocks of which each device is believed.
    private var doubted = HourlyAllowance()
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

    var deadline: UInt64? { desks.map(\.deadline).min() }
    var joinDeadline: UInt64? { joins.map(\.desk.deadline).min() }
    var isEmpty: Bool { desks.isEmpty }

    private func index(of prefix: Bytes16) -> Int? { desks.firstIndex { $0.prefix == prefix } }

    private func join(at slot: MailboxSlot) -> Int? { joins.firstIndex { $0.desk.slots[slot] != nil } }

    // MARK: - What a mailbox says

    /// Takes in what a mailbox says, or its shell.
    mutating func heard(
        _ answer: MailboxAnswer, in context: MailboxContext, using generator: inout some RandomNumberGenerator
    ) -> MailboxNews {
        areJoinsTouched = true
        if let slot = answer.slot, let join = join(at: slot) {
            return joins[join].heard(answer, in: context, using: &generator)
        }
        isTouched = true
        switch answer {
        case .attached(let prefix): attach(prefix, in: context)
        case .detached(let prefix):
            desks.removeAll { $0.prefix == prefix }
            joins.removeAll { $0.desk.prefix == prefix }
        case .changed(let prefix):
            guard let index = index(of: prefix) else { break }
            desks[index].changed()
            for join in joins.indices where joins[join].desk.prefix == prefix { joins[join].changed() }
        case .listed, .block, .unanswered, .put:
            guard let slot = answer.slot, let index = index(of: slot.prefix) else { break }
            return desks[index].heard(answer, in: context, using: &generator)
        }
        return .nothing
    }

    private mutating func attach(_ prefix: Bytes16, in context: MailboxContext) {
        let limits = context.limits.mailbox
        if index(of: prefix) == nil, desks.count < limits.mailboxesMax {
            desks.append(MailboxDesk(prefix, at: context.now))
        }
        guard let index = index(of: prefix), let blocks = remembered.removeValue(forKey: prefix) else { return }
        let fetching = context.photos.fetching
        let known = blocks.compactMap { $0.known(in: context.log) }.filter { block in
            // What is wanted was said before, and is fetched again.
            !(block.contents?.chunks.contains { fetching.wants($0.hash) } ?? false)
        }
        desks[index].catalogue.restore(known, under: limits)
    }

    /// Takes in what the log made of a letter's changes: nil if it refused none.
    mutating func accepted(_ opened: OpenedLetter, _ refusal: Refusal?, in context: MailboxContext) -> MailboxNews {
        guard let index = index(of: opened.key.slot.prefix) else { return .nothing }
        return desks[index].accepted(opened, refusal, &correspondence, in: context)
    }

    // MARK: - What time and the log bring

    /// Something changed that concerns them, and that no sight shows.
    mutating func touch() { isTouched = true }

    /// Whether the desks have something to do: by what there is to see now, or by time.
    mutating func look(at sight: Sight, now: UInt64) -> Bool {
        guard isTouched || sight != seen || deadline.map({ $0 <= now }) ?? false else { return false }
        if sight.membership != seen?.membership { for index in desks.indices { desks[index].readUnprovenAgain() } }
        (isTouched, seen) = (false, sight)
        return true
    }

    /// Letters that named what was not here are looked at again, and the slots follow the week and the epochs.
    mutating func turn(in context: MailboxContext) -> [LetterReport] {
        if keyed != context.epochs {
            keyed = context.epochs
            keys = keyed.map { MailboxKeys(of: $0, using: context.cryptography) }
        }
        let week = MailboxKeys.week(at: context.time.wall)
        for index in desks.indices {
            desks[index].turn(to: keys, week: week, under: context.limits.mailbox, using: context.cryptography)
        }
        return correspondence.reportsAhead(in: context)
    }

    /// Judges a letter that waited.
    mutating func judge(
        _ waiting: WaitingLetter, _ key: BlockCatalogue.Key, in context: MailboxContext
    ) -> MailboxNews {
        guard let index = index(of: key.slot.prefix) else { return .nothing }
        return desks[index].judge(waiting.letter, key, in: context)
    }

    /// What is to be done now for the mailbox of a desk.
    mutating func keep(
        _ index: Int, in context: MailboxContext, using generator: inout some RandomNumberGenerator
    ) -> MailboxDesk.Tasks {
        desks[index].doubt(within: &doubted, at: context.now, under: context.limits.mailbox)
        return desks[index].keep(&correspondence, in: context, using: &generator)
    }

    /// What was written here and waits for a quiet leaves before the node stops, and what somebody waits for who asked to be let in.
    mutating func hurry(at now: UInt64, using generator: inout some RandomNumberGenerator) {
        for index in desks.indices { desks[index].outbox.hurry(at: now, using: &generator) }
        for index in joins.indices { joins[index].hurry(at: now) }
        (areJoinsTouched, isTouched) = (true, true)
    }

    // MARK: - Joiners

    /// Whether the desks of joiners have something to do: by what there is to see now, or by time.
    mutating func look(at sight: JoinSight, now: UInt64) -> Bool {
        guard areJoinsTouched || sight != joinSight || joinDeadline.map({ $0 <= now }) ?? false else { return false }
        if sight.membership != joinSight?.membership { for join in joins.indices { joins[join].readUnprovenAgain() } }
        (areJoinsTouched, joinSight) = (false, sight)
        return true
    }

    /// The desks of joiners follow the mailboxes, the invites and the week.
    mutating func turnJoins(to invites: [(invite: Bytes32, keys: MailboxKeys)], in context: MailboxContext) {
        let wanted = desks.map(\.prefix).flatMap { prefix in invites.map { (prefix, $0) } }
        if !wanted.elementsEqual(joins, by: { $0.0 == $1.desk.prefix && $0.1.keys == $1.keys }) {
            joins = wanted.map { prefix, one in
                joins.first { $0.desk.prefix == prefix && $0.keys == one.keys }
                    ?? JoinDesk(one.invite, one.keys, in: prefix, at: context.now)
            }
        }
        let week = MailboxKeys.week(at: context.time.wall)
        for join in joins.indices { joins[join].turn(to: week, in: context) }
    }

    /// The next step for the desk of joiners at an index; nil where nothing more is due.
    mutating func next(
        _ join: Int, in round: inout JoinDesk.Round, _ context: MailboxContext,
        using generator: inout some RandomNumberGenerator
    ) -> JoinDesk.Step? {
        joins[join].next(in: &round, correspondence, context, using: &generator)
    }

    /// A joiner that a desk named was admitted; or could not be, and is ignored there for this run.
    mutating func admitted(_ replica: ReplicaID, at join: Int, was: Bool, in context: MailboxContext) {
        guard was else { return joins[join].dismiss(replica) }
        // Somebody is there who looks on, and other members may be about to let them in: the admission leaves at once.
        guard let index = index(of: joins[join].desk.prefix) else { return }
        desks[index].outbox.heardSomebody(at: context.now, under: context.limits.mailbox)
    }

    // MARK: - Photos

    /// Keeps a chunk that nobody said is wanted, for a while.
    mutating func hold(_ chunk: BlobHash, _ bytes: [UInt8], under limits: MailboxLimits) {
        unclaimed.hold(chunk, bytes, max: limits.unclaimedMax)
    }

    /// Some chunks are wanted from now on, which a mailbox may have.
    /// - Returns: those that are held; and those that an earlier run wanted too, so that they come first.
    mutating func want(_ chunks: [BlobHash]) -> (held: [(hash: BlobHash, bytes: [UInt8])], preferred: [BlobHash]) {
        guard !desks.isEmpty, !chunks.isEmpty else { return ([], []) }
        var rest = Set(chunks)
        let held = unclaimed.take(rest)
        rest.subtract(held.map(\.hash))
        for index in desks.indices {
            desks[index].catalogue.readAgain(holding: rest)
            desks[index].catalogue.readAgain { if case .forgotten = $0 { true } else { false } }
        }
        isTouched = true
        return (held, chunks.filter { correspondence.ownWants.contains($0) })
    }

    /// Chunks are here.
    mutating func areHere(_ chunks: [BlobHash]) {
        unclaimed.drop(chunks)
        isTouched = true
    }

    /// The disk did not take a chunk, which a mailbox may have brought.
    mutating func readAgain(notStored chunk: BlobHash, at now: UInt64, under limits: MailboxLimits) {
        for index in desks.indices {
            desks[index].catalogue.readAgain(holding: [chunk], notBefore: now + limits.retryDelayMax)
        }
    }

    /// Takes in what the disk has of a chunk that a mailbox is to have.
    mutating func loaded(_ chunk: BlobHash, _ bytes: [UInt8]?, for prefix: Bytes16) {
        guard let index = index(of: prefix) else { return }
        desks[index].chunks.loaded(chunk, bytes)
        isTouched = true
    }

    // MARK: - What people may ask

    /// Whether a mailbox has as many bytes of photos as are put there.
    func hasNoRoomForPhotos(_ prefix: Bytes16) -> Bool { index(of: prefix).map { desks[$0].chunks.isFull } ?? false }

    /// How many durable changes a device lacks, and lie in a mailbox for it. O(changes, and blocks).
    func changes(
        for replica: ReplicaID, holding held: PeerKnowledge, before end: Int, in log: TripLog, _ limits: MailboxLimits
    ) -> Int {
        let slots = Set(desks.flatMap { $0.readSlots(under: limits) })
        let admission = log.admission(of: replica).map { [$0] } ?? []
        let coverages = desks.map { desk in
            desk.catalogue.coverage(of: slots, changes: end) { $0.isReadable(in: log, sinceAdmitted: admission) }
        }
        return (0..<end).count { index in
            log.isRetained(index) && !held.contains(index, in: log.graph)
                && coverages.contains { $0.contains(index, withBody: log.sendsBody(of: index)) }
        }
    }

    // MARK: - After a restart

    /// What is to be remembered of blocks. It names nothing that isn't durable. O(blocks, and the changes in them).
    func readBlocks(before end: Int, in graph: ChangeGraph) -> ReadBlocks {
        var blocks = remembered.keys.sorted().flatMap { remembered[$0] ?? [] }
        for desk in desks {
            for (key, contents) in desk.catalogue.lasting(underEpoch: { desk.slots[$0]?.keys.id }) {
                guard contents?.indices.allSatisfy({ $0 < end }) ?? true else { continue }
                blocks.append(ReadBlocks.Block(key: key, contents: contents.map { ReadBlocks.Contents($0, in: graph) }))
            }
        }
        return ReadBlocks(blocks)
    }

    /// Takes in what was remembered of mailboxes that are not attached: after the log was read.
    mutating func restore(_ blocks: ReadBlocks) {
        remembered.merge(Dictionary(grouping: blocks.blocks, by: \.key.slot.prefix)) { $1 }
    }

    /// Blocks that are known.
    var blockCount: Int {
        desks.reduce(0) { $0 + $1.catalogue.states.count } + joins.reduce(0) { $0 + $1.desk.catalogue.states.count }
    }

    func checkInvariants(under limits: MailboxLimits) {
        precondition(
            desks.count <= limits.mailboxesMax && Set(desks.map(\.prefix)).count == desks.count,
            "\(desks.count) mailboxes are too many, or one is there twice")
        precondition(
            joins.allSatisfy { join in desks.contains { $0.prefix == join.desk.prefix } },
            "of \(joins.count) desks of invites, one is in a mailbox that is not among \(desks.count)")
        precondition(keys.count == keyed.count, "\(keyed.count) epochs have \(keys.count) keys of mailboxes")
        precondition(unclaimed.count <= limits.unclaimedMax, "\(unclaimed.count) chunks are held that nobody wants")
        for desk in desks { desk.checkInvariants(under: limits) }
        for join in joins { join.checkInvariants(under: limits) }
    }
}

extension MailboxAnswer {
    /// The slot that it is about.
    fileprivate var slot: MailboxSlot? {
        switch self {
        case .attached, .detached, .changed: nil
        case .listed(let slot, _), .block(_, let slot, _), .unanswered(_, let slot), .put(_, let slot, _): slot
        }
    }
}
