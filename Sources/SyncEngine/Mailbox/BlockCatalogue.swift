import Attachments
import ChangeLog
import DeltaCRDT

/// The blocks of one mailbox according to its listings, and their known contents.
struct BlockCatalogue: Sendable {
    /// A block with its slot. It can be opened only in that slot.
    struct Key: Hashable, Comparable, Sendable {
        let slot: MailboxSlot
        let name: BlockName

        static func < (left: Key, right: Key) -> Bool { (left.slot, left.name) < (right.slot, right.name) }
    }

    /// A chunk of a photo, by its hash.
    struct Chunk: Hashable, Sendable {
        let hash: BlobHash
        let size: Int
    }

    /// What a read block holds for the readers of its slot.
    struct Contents: Hashable, Sendable {
        /// The changes whose records it holds, by index.
        var indices: [Int] = []
        /// Those of them without the bodies that they have.
        var bodiless: Set<Int> = []
        /// The pieces of photos in it.
        var chunks: [Chunk] = []
        /// Whether this device wrote it.
        var isOwn = false
        /// Where it is sealed to devices: what its author held, so that devices whose admission is not in the past of that can't read it.
        var boxedAt: [Bytes32]?
        /// The author of a letter; nil for chunks. Nobody reads letters of people who are out.
        var author: ReplicaID?
        /// The time of a letter that was read in this run: of a device's letters, the one with the greatest says what the device holds.
        var time: Int64?
        /// What this letter tells a device that is out. Its records count as absent for all other devices.
        var told: Telling?
        /// Whether some of its changes were refused: a later version may take them.
        var isRefused = false
        /// Whether a device that is in can't read it, so that its content counts as absent.
        var isDoubted = false
    }

    enum State: Sendable {
        /// To be fetched, not before a time, after so many attempts.
        case unread(notBefore: UInt64, attempts: Int)
        /// With how many others had been answered when it was asked for.
        case fetching(until: UInt64, attempts: Int, answers: Int)
        /// It holds nothing that this version can read.
        case useless
        /// It is not a block of this slot, or not for this device, and never will be.
        case closed
        /// It holds chunks whose names are more than are remembered: it is read again when a chunk is wanted.
        case forgotten
        /// Some of its changes build on changes that are not here.
        case waiting(WaitingLetter)
        /// Its author is not in, as far as is known here.
        case unproven(ReplicaID)
        case read(Contents)
    }

    private(set) var states: [Key: State] = [:]
    /// The blocks to fetch, in this order.
    private(set) var queue: [Key] = []
    /// Of the states, those that are looked for, by what they are.
    private(set) var fetching: Set<Key> = []
    private(set) var waitingKeys: Set<Key> = []
    private(set) var readKeys: Set<Key> = []
    private(set) var damagedKeys: Set<Key> = []
    private(set) var waitingBytes = 0
    /// Names of chunks in all blocks that were read.
    private(set) var chunkCount = 0
    /// The names that were there when a slot was first listed are no news.
    private(set) var listed: Set<MailboxSlot> = []
    private(set) var news: Set<Key> = []
    private var budget = FetchBudget()
    /// Blocks that were asked for and answered, well or not.
    private var answers = 0
    /// While the mailbox answers nothing, the pauses grow.
    private var silence = (count: 0, until: UInt64(0))
    /// How many own blocks the mailbox lost, and when the last.
    private var lost = (count: 0, at: UInt64(0))
    /// Grows with every change of the knowledge about blocks.
    private(set) var version = 0

    /// Takes in all names of a slot.
    /// - Returns: whether a block that was read is there no more, and whether more names are there than are remembered.
    mutating func list(
        _ slot: MailboxSlot, _ names: [BlockName], at now: UInt64, under limits: MailboxLimits,
        using generator: inout some RandomNumberGenerator
    ) -> (lost: Bool, overflowed: Bool) {
        let present = Set(names)
        var lost = false
        for (key, state) in states.filter({ $0.key.slot == slot && !present.contains($0.key.name) }) {
            if case .read(let contents) = state {
                lost = true
                // A block that disappeared while this node was offline need not be the mailbox's fault.
                if contents.isOwn, listed.contains(slot) { noteLoss(at: now, under: limits) }
            }
            set(key, nil)
        }
        queue.removeAll { if case .unread = states[$0] { false } else { true } }
        var unknown = present.map { Key(slot: slot, name: $0) }.filter { states[$0] == nil }.sorted()
        unknown.shuffle(using: &generator)
        let room = min(limits.namesOfSlotMax, limits.blocksMax - states.count)
        let isNews = listed.contains(slot)
        for key in unknown.prefix(max(0, room)) {
            set(key, .unread(notBefore: 0, attempts: 0))
            queue.append(key)
            if isNews { news.insert(key) }
        }
        listed.insert(slot)
        if states.count >= limits.blocksMax { forgetSomeUseless(using: &generator) }
        return (lost, unknown.count > room)
    }

    /// How many own blocks the mailbox lost of late: one less for each hour since the last.
    func losses(at now: UInt64) -> Int { max(0, lost.count - Int(clamping: (now - min(now, lost.at)) / 3_600_000)) }

    private mutating func noteLoss(at now: UInt64, under limits: MailboxLimits) {
        lost = (min(losses(at: now) + 1, limits.lossesMax), now)
    }

    /// Forgets a random half of the useless blocks, to read others. So nobody can hide blocks behind many useless ones.
    private mutating func forgetSomeUseless(using generator: inout some RandomNumberGenerator) {
        var useless = states.compactMap { key, state in
            switch state {
            case .useless, .closed, .forgotten: key
            default: nil
            }
        }
        useless.sort()
        useless.shuffle(using: &generator)
        for key in useless.prefix(useless.count / 2) { set(key, nil) }
    }

    /// Where as much is remembered as may be, forgets one block, so that one of this device's own can be. Its own are kept.
    mutating func makeRoomForOwn(under limits: MailboxLimits) {
        guard states.count >= limits.blocksMax else { return }
        let given = states.lazy.filter { _, state in
            switch state {
            case .unread, .useless, .closed, .forgotten, .unproven: true
            case .read(let contents): !contents.isOwn
            case .fetching, .waiting: false
            }
        }.map(\.key).min()
        if let given { set(given, nil) }
    }

    /// Forgets slots that are no longer read.
    mutating func keep(_ slots: Set<MailboxSlot>) {
        for key in states.keys.filter({ !slots.contains($0.slot) }) { set(key, nil) }
        listed.formIntersection(slots)
    }

    /// The blocks that are to be fetched now.
    mutating func fetch(at now: UInt64, under limits: MailboxLimits) -> [Key] {
        budget.pass(to: now)
        for key in fetching.sorted() {
            guard case .fetching(let until, _, _) = states[key], until <= now else { continue }
            unanswered(key, at: now, under: limits)
        }
        guard now >= silence.until else { return [] }
        var due: [Key] = []
        while fetching.count < limits.fetchesMax, budget.hasRoom(under: limits),
            let index = queue.firstIndex(where: { isDue($0, at: now) })
        {
            let key = queue.remove(at: index)
            guard case .unread(_, let attempts) = states[key] else { continue }
            budget.fetched()
            set(key, .fetching(until: now + limits.patience, attempts: attempts, answers: answers))
            due.append(key)
        }
        return due
    }

    private func isDue(_ key: Key, at now: UInt64) -> Bool {
        switch states[key] {
        case .unread(let notBefore, _): notBefore <= now
        // It is there no more, and leaves the queue.
        default: true
        }
    }

    /// When something is to be fetched, or was to have come.
    func deadline(at now: UInt64, under limits: MailboxLimits) -> UInt64? {
        var next: UInt64?
        for key in fetching { if case .fetching(let until, _, _) = states[key] { next = min(next ?? .max, until) } }
        guard fetching.count < limits.fetchesMax else { return next }
        for key in queue {
            guard case .unread(let notBefore, _) = states[key] else { continue }
            next = min(next ?? .max, max(notBefore, silence.until, budget.nextFetch(at: now, under: limits)))
            if notBefore <= now { break }
        }
        return next
    }

    /// Whether nothing is to be fetched now, so that it is known what lies here.
    func isRead(at now: UInt64) -> Bool {
        fetching.isEmpty
            && !queue.contains { if case .unread(let notBefore, _) = states[$0] { notBefore <= now } else { false } }
    }

    /// Blocks that came damaged so often that others are to put again what they hold.
    func damaged(limit: Int) -> [BlockName] { Array(Set(damagedKeys.map(\.name)).sorted().prefix(limit)) }

    static func isDamaged(_ state: State?) -> Bool {
        switch state {
        case .unread(_, let attempts), .fetching(_, let attempts, _): attempts >= attemptsMax
        default: false
        }
    }

    /// After so many attempts a block is taken to be damaged for good.
    private static let attemptsMax = 3

    /// Somebody who is in cannot read some blocks: what they hold counts as absent.
    /// - Returns: of how many that was not so before.
    mutating func doubt(_ names: [BlockName], at now: UInt64, under limits: MailboxLimits) -> Int {
        guard !names.isEmpty else { return 0 }
        let names = Set(names)
        var doubted = 0
        for key in readKeys.filter({ names.contains($0.name) }) {
            guard case .read(var contents) = states[key], !contents.indices.isEmpty || !contents.chunks.isEmpty
            else { continue }
            if contents.isOwn { noteLoss(at: now, under: limits) }
            (contents.indices, contents.chunks, contents.isDoubted) = ([], [], true)
            set(key, .read(contents))
            doubted += 1
        }
        return doubted
    }

    /// Whether the block was asked for, so that its bytes are looked at.
    func isAwaited(_ key: Key) -> Bool { if case .fetching = states[key] { true } else { false } }

    /// Notes that a block did not come, or came damaged: it may be half there.
    mutating func failed(_ key: Key, at now: UInt64, under limits: MailboxLimits) {
        guard case .fetching(_, let attempts, _) = states[key] else { return }
        (answers, silence) = (answers + 1, (0, 0))
        fail(key, attempts, at: now, under: limits)
    }

    /// Notes that nobody answered for a block. That is no fault of the block, unless others were answered meanwhile.
    mutating func unanswered(_ key: Key, at now: UInt64, under limits: MailboxLimits) {
        guard case .fetching(_, let attempts, let before) = states[key] else { return }
        if answers > before {
            fail(key, attempts, at: now, under: limits)
            return
        }
        set(key, .unread(notBefore: 0, attempts: attempts))
        // Others have their turn before it: nobody can hold them back by blocks that are never answered.
        queue.append(key)
        guard now >= silence.until else { return }
        let pause = limits.retryDelay(after: silence.count)
        silence = (silence.count + 1, now + pause)
    }

    private mutating func fail(_ key: Key, _ attempts: Int, at now: UInt64, under limits: MailboxLimits) {
        let pause = limits.retryDelay(after: attempts)
        set(key, .unread(notBefore: now + pause, attempts: attempts + 1))
        queue.append(key)
    }

    /// Notes that a block came whole.
    mutating func arrived(bytes: Int) {
        (answers, silence) = (answers + 1, (0, 0))
        budget.charge(bytes: bytes)
    }

    /// Notes what a block is.
    /// - Returns: whether it came while this node looked on.
    @discardableResult
    mutating func note(_ key: Key, _ state: State) -> Bool {
        set(key, state)
        return news.remove(key) != nil
    }

    /// Reads again what may mean more than it did.
    mutating func readAgain(where isMeant: (State) -> Bool) {
        for key in states.filter({ isMeant($0.value) }).keys.sorted() {
            set(key, .unread(notBefore: 0, attempts: 0))
            queue.append(key)
        }
    }

    /// Reads again those of some blocks in which nothing could be read.
    mutating func readAgain(useless keys: [Key]) {
        for key in keys {
            guard case .useless? = states[key] else { continue }
            set(key, .unread(notBefore: 0, attempts: 0))
            queue.append(key)
        }
    }

    /// Reads again the blocks that hold one of some chunks, from a time on.
    mutating func readAgain(holding chunks: Set<BlobHash>, notBefore: UInt64 = 0) {
        guard chunkCount > 0 else { return }
        let holding = readKeys.filter { key in
            guard case .read(let contents) = states[key] else { return false }
            return contents.chunks.contains { chunks.contains($0.hash) }
        }
        for key in holding.sorted() {
            set(key, .unread(notBefore: notBefore, attempts: 0))
            queue.append(key)
        }
    }

    /// Whether the names of so many more chunks can be remembered.
    func hasRoom(forChunks count: Int, under limits: MailboxLimits) -> Bool {
        chunkCount + count <= limits.chunkNamesMax
    }

    /// Forgets the chunks of blocks of which none means anything.
    mutating func forgetChunks(where isUnknown: (BlobHash) -> Bool) {
        for key in readKeys.sorted() {
            guard case .read(let contents) = states[key], !contents.chunks.isEmpty,
                contents.chunks.allSatisfy({ isUnknown($0.hash) })
            else { continue }
            set(key, .forgotten)
        }
    }

    /// The chunks that lie in some slots, in blocks that are meant, with their sizes.
    func chunks(of slots: Set<MailboxSlot>, where isMeant: (Contents) -> Bool = { _ in true }) -> [BlobHash: Int] {
        guard chunkCount > 0 else { return [:] }
        var chunks: [BlobHash: Int] = [:]
        for key in readKeys where slots.contains(key.slot) {
            guard case .read(let contents) = states[key], !contents.chunks.isEmpty, isMeant(contents) else { continue }
            for chunk in contents.chunks { chunks[chunk.hash] = chunk.size }
        }
        return chunks
    }

    private mutating func set(_ key: Key, _ state: State?) {
        version += 1
        switch states[key] {
        case .fetching: fetching.remove(key)
        case .waiting(let letter):
            waitingBytes -= letter.bytes
            waitingKeys.remove(key)
        case .read(let contents):
            readKeys.remove(key)
            chunkCount -= contents.chunks.count
        default: break
        }
        states[key] = state
        if Self.isDamaged(state) { damagedKeys.insert(key) } else { damagedKeys.remove(key) }
        switch state {
        case .fetching: fetching.insert(key)
        case .waiting(let letter):
            waitingBytes += letter.bytes
            waitingKeys.insert(key)
        case .read(let contents):
            readKeys.insert(key)
            chunkCount += contents.chunks.count
        case nil: news.remove(key)
        default: break
        }
    }

    /// The letters that wait, those first whose changes come first.
    var waiting: [(key: Key, letter: WaitingLetter)] {
        waitingKeys.compactMap { key in if case .waiting(let letter) = states[key] { (key, letter) } else { nil } }
            .sorted { ($0.letter.lamport, $0.key) < ($1.letter.lamport, $1.key) }
    }

    /// Until there is room, drops the last letter of the author with the most bytes waiting. It is read again later.
    mutating func makeRoom(at now: UInt64, under limits: MailboxLimits) {
        while waitingBytes > limits.waitingBytesMax || waitingKeys.count > limits.waitingMax {
            let all = waiting
            var bytes: [ReplicaID?: Int] = [:]
            for (_, letter) in all { bytes[letter.author, default: 0] += letter.bytes }
            let greatest = bytes.values.max()
            guard let last = all.last(where: { bytes[$0.letter.author] == greatest }) else { return }
            set(last.key, .unread(notBefore: now + limits.retryDelayMax, attempts: 0))
            queue.append(last.key)
        }
    }

    /// Takes in what an earlier run knew of blocks.
    mutating func restore(_ blocks: [(key: Key, contents: Contents?)], under limits: MailboxLimits) {
        for (key, contents) in blocks.prefix(limits.blocksMax) where states[key] == nil {
            guard let contents else {
                set(key, .closed)
                continue
            }
            if hasRoom(forChunks: contents.chunks.count, under: limits) { set(key, .read(contents)) }
        }
    }
}
