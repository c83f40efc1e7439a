import Attachments
import ChangeLog
import DeltaCRDT

/// One mailbox of the trip, as a peer that only stores: its blocks, when to list it, what is believed of it, and what is put there.
/// Nothing depends on the order of what it says.
struct MailboxDesk: Sendable {
    /// Where a slot stands.
    struct SlotPlace: Hashable, Sendable {
        let keys: MailboxKeys
        let week: Int64
    }

    let prefix: Bytes16
    /// When it was attached: nothing is put before what lies there is known, or for so long.
    private let begun: UInt64
    private(set) var slots: [MailboxSlot: SlotPlace] = [:]
    private var week: Int64 = 0
    private var epochs: [MailboxKeys] = []
    var catalogue = BlockCatalogue()
    private(set) var listing = ListingSchedule()
    var outbox = MailboxOutbox()
    var chunks = ChunkOutbox()
    /// Blocks that a device calls damaged, and that are not doubted yet: those of its latest letter.
    var doubts: [ReplicaID: [BlockName]] = [:]
    /// When it is looked at again, if nothing happens before that.
    private(set) var deadline: UInt64 = 0
    /// Of the devices that are not known to be in, since a time.
    var probation = Probation()
    private var probationBegun: UInt64
    /// The latest letters that were passed over because of that.
    private var passedOver: [BlockCatalogue.Key] = []

    /// Milliseconds after which unknown devices may put as much again.
    static let probationInterval: UInt64 = 3_600_000
    private static let passedOverMax = 256

    init(_ prefix: Bytes16, at now: UInt64) { (self.prefix, begun, probationBegun) = (prefix, now, now) }

    /// The slots follow the week and the epochs whose secrets are here, the newest first.
    mutating func turn(
        to epochs: [MailboxKeys], week: Int64, under limits: MailboxLimits, using cryptography: some Cryptography
    ) {
        guard epochs != self.epochs || week != self.week else { return }
        (self.epochs, self.week) = (epochs, week)
        slots = [:]
        for keys in epochs {
            for past in (week - limits.weeksRead - limits.weeksDropped)...(week + 1) {
                slots[keys.slot(prefix, week: past, using: cryptography)] = SlotPlace(keys: keys, week: past)
            }
        }
        catalogue.keep(readSlots(under: limits))
        listing.restart()
    }

    /// Those whose blocks are read.
    func readSlots(under limits: MailboxLimits) -> Set<MailboxSlot> {
        Set(slots.filter { isRead($0.value, under: limits) }.keys)
    }

    /// Those of one epoch that are read.
    func readSlots(of epoch: Bytes16, under limits: MailboxLimits) -> Set<MailboxSlot> {
        Set(slots.filter { $0.value.keys.id == epoch && isRead($0.value, under: limits) }.keys)
    }

    /// Where a letter under an epoch is put now; nil where its secret is not here.
    func writeSlot(of epoch: Bytes16) -> MailboxSlot? {
        slots.first { $0.value.keys.id == epoch && $0.value.week == week }?.key
    }

    /// What is to be asked of the mailbox now.
    mutating func requests(
        at now: UInt64, under limits: MailboxLimits, using generator: inout some RandomNumberGenerator
    ) -> [MailboxRequest] {
        var requests: [MailboxRequest] = []
        let asked: [MailboxSlot]
        switch listing.due(at: now, under: limits, using: &generator) {
        case .nothing: asked = []
        case .present: asked = slots.filter { abs($0.value.week - week) <= 1 }.keys.sorted()
        case .whole: asked = slots.keys.sorted()
        }
        if !asked.isEmpty {
            listing.asked(asked, at: now, under: limits)
            requests.append(.list(asked))
        }
        return requests + catalogue.fetch(at: now, under: limits).map { .get($0.name, $0.slot) }
    }

    /// Takes in a listing.
    mutating func listed(
        _ slot: MailboxSlot, _ names: [BlockName]?, at now: UInt64, under limits: MailboxLimits,
        using generator: inout some RandomNumberGenerator
    ) -> MailboxNews {
        guard let place = slots[slot], listing.answered(slot, well: names != nil, at: now, under: limits),
            let names
        else { return .nothing }
        guard isRead(place, under: limits) else {
            let old = names.sorted().prefix(limits.namesOfSlotMax)
            return old.isEmpty ? .nothing : .ask(.drop(Array(old), slot))
        }
        let (_, overflowed) = catalogue.list(slot, names, at: now, under: limits, using: &generator)
        outbox.forgetTold { $0.slot == slot && catalogue.states[$0] == nil }
        return overflowed ? .reached(.mailboxBlocks) : .nothing
    }

    /// Takes in what the mailbox says, or its shell.
    mutating func heard(
        _ answer: MailboxAnswer, in context: MailboxContext, using generator: inout some RandomNumberGenerator
    ) -> MailboxNews {
        let (now, limits) = (context.now, context.limits.mailbox)
        switch answer {
        case .attached, .detached, .changed: break
        case .listed(let slot, let names): return listed(slot, names, at: now, under: limits, using: &generator)
        case .block(let name, let slot, let bytes):
            return take(bytes, BlockCatalogue.Key(slot: slot, name: name), in: context)
        case .unanswered(let name, let slot):
            catalogue.unanswered(BlockCatalogue.Key(slot: slot, name: name), at: now, under: limits)
        case .put(let name, let slot, let outcome):
            let (key, wasFull) = (BlockCatalogue.Key(slot: slot, name: name), outbox.isFull)
            if let stored = outbox.answered(key, outcome, at: now, limits) { catalogue.note(key, .read(stored)) }
            if outcome == .full, !wasFull { return .reached(.mailboxRoom) }
        }
        return .nothing
    }

    /// Notes what a block is, of which nothing else follows.
    mutating func noted(_ key: BlockCatalogue.Key, _ state: BlockCatalogue.State) -> MailboxNews {
        catalogue.note(key, state)
        return .nothing
    }

    /// The content of a block that was asked for. Nil if it wasn't, did not come whole, or is no block of its slot.
    mutating func open(
        _ bytes: [UInt8]?, _ key: BlockCatalogue.Key, in context: MailboxContext
    ) -> MailboxBlock.Content? {
        guard catalogue.isAwaited(key), let place = slots[key.slot] else { return nil }
        guard let bytes, bytes.count <= MailboxBlock.sizeMax,
            BlockName(context.cryptography.hash(bytes)) == key.name
        else {
            catalogue.failed(key, at: context.now, under: context.limits.mailbox)
            return nil
        }
        catalogue.arrived(bytes: bytes.count)
        let content = MailboxBlock.open(
            bytes, in: key.slot, under: place.keys, by: context.secrets, using: context.cryptography)
        if content == nil { catalogue.note(key, .closed) }
        return content
    }

    /// What is to be done for a mailbox.
    struct Tasks: Hashable, Sendable {
        var requests: [MailboxRequest]
        /// Chunks that are to be read from the disk for it.
        var loads: [BlobHash] = []
    }

    /// Does what is due, and plans when to look again.
    mutating func keep(
        _ said: inout Correspondence, in context: MailboxContext, using generator: inout some RandomNumberGenerator
    ) -> Tasks {
        let (now, limits) = (context.now, context.limits.mailbox)
        renewProbation(at: now)
        var tasks = Tasks(requests: requests(at: now, under: limits, using: &generator))
        let mayPost = context.mayPost && isKnown(at: now, under: limits)
        if mayPost {
            tasks.requests += post(&said, in: context, using: &generator)
            if context.ownFarewell == nil {
                let (put, loads) = postChunks(said, in: context, using: &generator)
                if let put { tasks.requests.append(put) }
                tasks.loads = loads
            }
        }
        let puts = [outbox.deadline(at: now), chunks.deadline(after: now)].compactMap(\.self).min()
        plan(mayPost ? puts : nil, at: now, under: limits)
        return tasks
    }

    /// Looks again when a listing, a block or another task is due, and when what lies here counts as known.
    mutating func plan(_ task: UInt64?, at now: UInt64, under limits: MailboxLimits) {
        let fetch = catalogue.deadline(at: now, under: limits) ?? .max
        let look = isKnown(at: now, under: limits) ? .max : begun + limits.firstLook
        deadline = max(now + 1, min(listing.deadline, fetch, look, task ?? .max))
    }

    /// Something may lie in the mailbox that was not there before.
    mutating func changed() { listing.changed() }

    /// Devices that are not known to be in have put too much.
    mutating func passOver(_ key: BlockCatalogue.Key) {
        catalogue.note(key, .useless)
        passedOver = (passedOver + [key]).suffix(Self.passedOverMax)
    }

    /// After an hour they may put as much again, and letters that were passed over are read again.
    private mutating func renewProbation(at now: UInt64) {
        guard now >= probationBegun + Self.probationInterval else { return }
        catalogue.readAgain(useless: passedOver)
        (probation, probationBegun, passedOver) = (Probation(), now, [])
    }

    /// Letters and answers whose authors may be known by now are read again.
    mutating func readUnprovenAgain() {
        catalogue.readAgain { if case .unproven = $0 { true } else { false } }
    }

    /// Whether what lies here is known as far as it can be, so that only what is lacking is put.
    func isKnown(at now: UInt64, under limits: MailboxLimits) -> Bool {
        now >= begun + limits.firstLook
            || readSlots(under: limits).isSubset(of: catalogue.listed) && catalogue.isRead(at: now)
    }

    func isRead(_ place: SlotPlace, under limits: MailboxLimits) -> Bool { place.week >= week - limits.weeksRead }

    func checkInvariants(under limits: MailboxLimits) {
        catalogue.checkInvariants(under: limits)
        outbox.checkInvariants(under: limits)
        chunks.checkInvariants()
    }
}
