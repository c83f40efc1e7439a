import ChangeLog
import DeltaCRDT

/// One invite's slots in one mailbox: the joiners that ask there, and those that were answered. Each invite has a desk of its own.
/// So holders of one link, who can write there what they like, delay nobody who joins by another link.
struct JoinDesk: Sendable {
    /// What a member still does for a joiner.
    enum Task: Hashable, Sendable { case admit, answer }

    private struct Due: Hashable {
        let replica: ReplicaID
        let task: Task
    }

    private struct Put {
        let key: BlockCatalogue.Key
        let note: JoinNote
        let until: UInt64
    }

    /// The invite's name.
    let invite: Bytes32
    let keys: MailboxKeys
    var desk: MailboxDesk
    /// The blocks there that prove their claims.
    private(set) var requests: [BlockCatalogue.Key: JoinRequest] = [:]
    private(set) var answers: [BlockCatalogue.Key: SignedGrant] = [:]
    private var put: Put?
    private var retryAt: UInt64 = 0
    private var failures = 0
    /// When something is done, if it is still to be done then.
    private var dueTimes: [Due: UInt64] = [:]
    /// What was done in the minute that began at a time.
    private var work = (since: UInt64(0), count: 0)

    private static let minute: UInt64 = 60_000

    init(_ invite: Bytes32, _ keys: MailboxKeys, in prefix: Bytes16, at now: UInt64) {
        (self.invite, self.keys) = (invite, keys)
        desk = MailboxDesk(prefix, at: now)
    }

    // MARK: - The blocks there

    mutating func keep(_ request: JoinRequest, _ key: BlockCatalogue.Key, _ limits: MailboxLimits, _ index: Int) {
        if requests.count >= limits.joinRequestsMax {
            // A random one gives way: nobody can fill the place for good.
            let given = requests.keys.sorted()[index % requests.count]
            requests[given] = nil
            desk.catalogue.note(given, .useless)
        }
        requests[key] = request
        desk.catalogue.note(key, .read(BlockCatalogue.Contents()))
    }

    mutating func keep(_ answer: SignedGrant, _ key: BlockCatalogue.Key) {
        answers[key] = answer
        desk.catalogue.note(key, .read(BlockCatalogue.Contents()))
    }

    /// Ignores a device's request here, for this run.
    mutating func dismiss(_ replica: ReplicaID) {
        for (key, request) in requests where request.device.replica == replica {
            requests[key] = nil
            desk.catalogue.note(key, .useless)
        }
    }

    /// Forgets blocks that are no longer there.
    mutating func forgetLost() {
        let states = desk.catalogue.states
        func isThere(_ key: BlockCatalogue.Key) -> Bool { if case .read = states[key] { true } else { false } }
        requests = requests.filter { isThere($0.key) }
        answers = answers.filter { isThere($0.key) }
    }

    /// What each device asks, in the order of their names.
    var asked: [JoinRequest] {
        var asked: [ReplicaID: (key: BlockCatalogue.Key, request: JoinRequest)] = [:]
        for (key, request) in requests {
            let known = asked[request.device.replica]
            if known.map({ key < $0.key }) ?? true { asked[request.device.replica] = (key, request) }
        }
        return asked.sorted { $0.key < $1.key }.map(\.value.request)
    }

    /// Whether a device's request lies, or is on its way, in a slot.
    func hasRequest(of replica: ReplicaID, in slot: MailboxSlot) -> Bool {
        if case .request(let request)? = put?.note, request.device.replica == replica { return true }
        return requests.contains { $0.key.slot == slot && $0.value.device.replica == replica }
    }

    /// The members who answered a device, or are answering it.
    func answerers(of replica: ReplicaID) -> Set<ReplicaID> {
        var authors = Set(answers.values.lazy.filter { $0.receiver == replica }.map(\.author))
        if case .answer(let answer)? = put?.note, answer.receiver == replica { authors.insert(answer.author) }
        return authors
    }

    // MARK: - What is done

    /// Whether to perform an action now. It is first planned for a random time, because another node may perform it before.
    mutating func isDue(
        _ task: Task, for replica: ReplicaID, after delay: ClosedRange<UInt64>, at now: UInt64,
        under limits: MailboxLimits,
        using generator: inout some RandomNumberGenerator
    ) -> Bool {
        let due = Due(replica: replica, task: task)
        let time = dueTimes[due] ?? now + delay.draw(using: &generator)
        dueTimes[due] = time
        if now >= work.since + Self.minute { work = (now, 0) }
        guard time <= now, put == nil, now >= retryAt, work.count < limits.joinTasksPerMinute else { return false }
        dueTimes[due] = nil
        work.count += 1
        return true
    }

    /// Performs planned actions now, because the node stops.
    mutating func hurry(at now: UInt64) { dueTimes = dueTimes.mapValues { min($0, now) } }

    /// Forgets what need not be done any more.
    mutating func plan(only tasks: [(ReplicaID, Task)]) {
        let wanted = Set(tasks.map { Due(replica: $0.0, task: $0.1) })
        dueTimes = dueTimes.filter { wanted.contains($0.key) }
    }

    func mayPut(at now: UInt64) -> Bool { put == nil && now >= retryAt }

    mutating func handOver(_ note: JoinNote, _ key: BlockCatalogue.Key, at now: UInt64, under limits: MailboxLimits) {
        put = Put(key: key, note: note, until: now + limits.patience)
    }

    /// Takes in what became of a block.
    /// - Returns: whether it was put here.
    mutating func answered(
        _ key: BlockCatalogue.Key, _ outcome: MailboxPutOutcome, at now: UInt64, _ limits: MailboxLimits
    ) -> JoinNote? {
        guard let put, put.key == key else { return nil }
        self.put = nil
        switch outcome {
        case .stored:
            failures = 0
            // A lost block is put again, but not at once.
            retryAt = now + limits.joinRepeatDelay
            switch put.note {
            case .request(let request): requests[key] = request
            case .answer(let answer):
                answers[key] = answer
                retryAt = now
            }
            desk.catalogue.makeRoomForOwn(under: limits.ofJoins)
            desk.catalogue.note(key, .read(BlockCatalogue.Contents(isOwn: true)))
            forgetLost()
            return put.note
        case .full: retryAt = now + limits.fullDelay
        case .failed:
            retryAt = now + limits.retryDelay(after: failures)
            failures = min(failures + 1, 16)
        }
        return nil
    }

    /// A put without an answer counts as failed.
    mutating func expirePut(at now: UInt64, under limits: MailboxLimits) {
        guard let put, put.until <= now else { return }
        _ = answered(put.key, .failed, at: now, limits)
    }

    /// When something of this is to be done next.
    func deadline(at now: UInt64, under limits: MailboxLimits) -> UInt64? {
        if let put { return put.until }
        guard let next = dueTimes.values.min() else { return retryAt > now ? retryAt : nil }
        return max(next, retryAt, work.count < limits.joinTasksPerMinute ? 0 : work.since + Self.minute)
    }

    func checkInvariants(under limits: MailboxLimits) {
        desk.catalogue.checkInvariants(under: limits.ofJoins)
        precondition(requests.count <= limits.joinRequestsMax + 1, "requests are bounded")
        precondition(answers.count <= limits.joinBlocksMax + 1, "answers are bounded")
        precondition(dueTimes.count <= 2 * (limits.joinRequestsMax + 1), "what is to be done is bounded")
    }
}
