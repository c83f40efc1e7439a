import ChangeLog
import DeltaCRDT

/// One invite's slots in one mailbox: the joiners that ask there, and those that were answered. Each invite has a desk of its own.
/// So holders of one link, who can write there what they like, delay nobody who joins by another link.
struct JoinDesk: Sendable {
    /// What a member still does for a joiner.
    enum Task: Hashable, Sendable { case admit, answer }

    fileprivate struct Due: Hashable {
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
    private(set) var desk: MailboxDesk
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

    /// The slots follow the week.
    mutating func turn(to week: Int64, in context: MailboxContext) {
        let limits = context.limits.mailbox
        desk.turn(to: [keys], week: week, under: limits.ofJoins, using: context.cryptography)
        expirePut(at: context.now, under: limits)
    }

    mutating func changed() { desk.changed() }

    mutating func readUnprovenAgain() { desk.readUnprovenAgain() }

    /// Takes in what the mailbox says of these slots.
    mutating func heard(
        _ answer: MailboxAnswer, in context: MailboxContext, using generator: inout some RandomNumberGenerator
    ) -> MailboxNews {
        let (now, limits) = (context.now, context.limits.mailbox)
        switch answer {
        case .attached, .detached, .changed, .unanswered:
            return desk.heard(answer, in: context, using: &generator)
        case .listed(let slot, let names):
            defer { forgetLost() }
            return desk.listed(slot, names, at: now, under: limits.ofJoins, using: &generator)
        case .block(let name, let slot, let bytes):
            let key = BlockCatalogue.Key(slot: slot, name: name)
            switch desk.open(bytes, key, in: context) {
            case nil: break
            case .joinRequest(let opened): return takeRequest(opened, key, in: context, using: &generator)
            case .joinAnswer(let opened): return takeAnswer(opened, key, in: context)
            case .letter, .boxedLetter, .chunks, .notForThisDevice, .unknown: return desk.noted(key, .useless)
            }
        case .put(let name, let slot, let outcome):
            let stored = answered(BlockCatalogue.Key(slot: slot, name: name), outcome, at: now, limits)
            if case .request? = stored { return .asked }
            if outcome == .full { return .reached(.mailboxRoom) }
        }
        return .nothing
    }

    /// A joiner keeps its own requests, a member those that prove their claims.
    private mutating func takeRequest(
        _ bytes: [UInt8], _ key: BlockCatalogue.Key, in context: MailboxContext,
        using generator: inout some RandomNumberGenerator
    ) -> MailboxNews {
        var decoder = CanonicalDecoder(bytes)
        let isJoining = context.invitation != nil
        guard let request = try? JoinRequest(from: &decoder, using: context.cryptography),
            isJoining
                ? request.device == context.secrets.device
                : context.membership.proves(request, by: invite, in: context.log, using: context.cryptography)
        else { return desk.noted(key, .useless) }
        keep(request, key, context.limits.mailbox, Int(truncatingIfNeeded: generator.next() >> 1 as UInt64))
        return isJoining ? .asked : .nothing
    }

    private mutating func takeAnswer(
        _ bytes: [UInt8], _ key: BlockCatalogue.Key, in context: MailboxContext
    ) -> MailboxNews {
        guard let answer = try? SignedGrant(decoding: bytes) else { return desk.noted(key, .useless) }
        if context.invitation != nil {
            desk.catalogue.note(key, .useless)
            let isNew = !context.epochs.contains { $0.id == answer.grant.epoch }
            return answer.receiver == context.own && isNew ? .grant(answer.grant) : .nothing
        }
        guard let author = context.log.device(answer.author), context.log.isIn(author.replica) else {
            return desk.noted(key, .unproven(answer.author))
        }
        guard answer.isSigned(by: author, in: key.slot, using: context.cryptography) else {
            return desk.noted(key, .useless)
        }
        answers[key] = answer
        return desk.noted(key, .read(BlockCatalogue.Contents()))
    }

    private mutating func keep(
        _ request: JoinRequest, _ key: BlockCatalogue.Key, _ limits: MailboxLimits, _ index: Int
    ) {
        if requests.count >= limits.joinRequestsMax {
            // A random one gives way: nobody can fill the place for good.
            let given = requests.keys.sorted()[index % requests.count]
            requests[given] = nil
            desk.catalogue.note(given, .useless)
        }
        requests[key] = request
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
    private mutating func forgetLost() {
        let states = desk.catalogue.states
        func isThere(_ key: BlockCatalogue.Key) -> Bool { if case .read = states[key] { true } else { false } }
        requests = requests.filter { isThere($0.key) }
        answers = answers.filter { isThere($0.key) }
    }

    /// What each device asks, in the order of their names.
    private var asked: [JoinRequest] {
        var asked: [ReplicaID: (key: BlockCatalogue.Key, request: JoinRequest)] = [:]
        for (key, request) in requests {
            let known = asked[request.device.replica]
            if known.map({ key < $0.key }) ?? true { asked[request.device.replica] = (key, request) }
        }
        return asked.sorted { $0.key < $1.key }.map(\.value.request)
    }

    /// Whether a device's request lies, or is on its way, in a slot.
    private func hasRequest(of replica: ReplicaID, in slot: MailboxSlot) -> Bool {
        if case .request(let request)? = put?.note, request.device.replica == replica { return true }
        return requests.contains { $0.key.slot == slot && $0.value.device.replica == replica }
    }

    /// The members who answered a device, or are answering it.
    private func answerers(of replica: ReplicaID) -> Set<ReplicaID> {
        var authors = Set(answers.values.lazy.filter { $0.receiver == replica }.map(\.author))
        if case .answer(let answer)? = put?.note, answer.receiver == replica { authors.insert(answer.author) }
        return authors
    }

    // MARK: - What is done

    /// Whether to perform an action now. It is first planned for a random time, because another node may perform it before.
    private mutating func isDue(
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

    /// What a node does for the joiners of one invite.
    enum Step: Sendable {
        case ask(MailboxRequest)
        case admit(JoinRequest)
    }

    /// One look at a desk: what is still to be asked of the mailbox, the joiners that are not served yet, and what is to be done for the
    /// others.
    struct Round: Sendable {
        fileprivate var hasBegun = false
        /// Whether this node is a member's, and it is known what lies there.
        fileprivate var isServing = false
        fileprivate var requests: [MailboxRequest] = []
        fileprivate var joiners: [JoinRequest] = []
        fileprivate var tasks: Set<Due> = []
    }

    /// The next step of a round; nil at its end. The log may have changed since the step before.
    mutating func next(
        in round: inout Round, _ said: Correspondence, _ context: MailboxContext,
        using generator: inout some RandomNumberGenerator
    ) -> Step? {
        let (now, limits) = (context.now, context.limits.mailbox)
        if !round.hasBegun { begin(&round, context, using: &generator) }
        if !round.requests.isEmpty { return .ask(round.requests.removeFirst()) }
        while !round.joiners.isEmpty {
            let request = round.joiners.removeFirst()
            let replica = request.device.replica
            guard let (task, delay) = task(for: request, said, context) else { continue }
            round.tasks.insert(Due(replica: replica, task: task))
            guard isDue(task, for: replica, after: delay, at: now, under: limits, using: &generator) else { continue }
            switch task {
            case .admit: return .admit(request)
            case .answer:
                if let request = answer(request.device, context, using: &generator) { return .ask(request) }
            }
        }
        if round.isServing { dueTimes = dueTimes.filter { round.tasks.contains($0.key) } }
        desk.plan(deadline(at: now, under: limits), at: now, under: limits.ofJoins)
        return nil
    }

    private mutating func begin(
        _ round: inout Round, _ context: MailboxContext, using generator: inout some RandomNumberGenerator
    ) {
        let (now, limits) = (context.now, context.limits.mailbox)
        round.hasBegun = true
        round.requests = desk.requests(
            at: now, under: context.invitation == nil ? limits.ofJoins : limits.ofJoiner, using: &generator)
        guard desk.isKnown(at: now, under: limits.ofJoins) else { return }
        guard let invitation = context.invitation else {
            (round.isServing, round.joiners) = (true, asked)
            return
        }
        guard put == nil, now >= retryAt, let slot = desk.writeSlot(of: keys.id),
            !hasRequest(of: context.own, in: slot)
        else { return }
        let request = JoinRequest(
            of: context.secrets, for: context.log.trip, by: invitation, using: context.cryptography)
        if let put = handOver(.request(request), in: slot, context, using: &generator) { round.requests.append(put) }
    }

    /// What this node does for a joiner, and after how long, unless another node does it first.
    private func task(
        for request: JoinRequest, _ said: Correspondence, _ context: MailboxContext
    ) -> (Task, ClosedRange<UInt64>)? {
        let (replica, log, limits) = (request.device.replica, context.log, context.limits.mailbox)
        let opener = log.invite(invite).flatMap { log.device($0.author)?.participant }
        let isOpener = opener == context.secrets.device.participant
        switch context.admissibility(of: request, by: invite) {
        case .refused, .later: return nil
        case .open: return (.admit, isOpener ? limits.joinOwnDelay : limits.joinDelay)
        case .isIn(let admission):
            // A device that wrote or reported anything here has the secret.
            guard let admission, admission < context.durableCount, log.graph.branchesOfReplica[replica] == nil,
                !context.met.contains(replica), !said.hasHeard(of: replica)
            else { return nil }
            let answerers = answerers(of: replica)
            guard !answerers.contains(context.own) else { return nil }
            // A member's answer may be false. The one who brought the newcomer, and the one who let them in, answer in any case.
            if isOpener || log.graph[admission].change.replica == context.own { return (.answer, limits.joinOwnDelay) }
            return answerers.count < limits.joinAnswersMax ? (.answer, limits.relayDelay) : nil
        }
    }

    private mutating func answer(
        _ device: Device, _ context: MailboxContext, using generator: inout some RandomNumberGenerator
    ) -> MailboxRequest? {
        guard let epoch = context.epochForLetters(to: device.replica), let slot = desk.writeSlot(of: keys.id),
            let grant = DeviceGrant(epoch, to: device, using: &generator, context.cryptography)
        else { return nil }
        let answer = SignedGrant(
            of: grant, to: device.replica, by: context.secrets, in: slot, using: context.cryptography)
        return handOver(.answer(answer), in: slot, context, using: &generator)
    }

    /// The request that puts a note.
    private mutating func handOver(
        _ note: JoinNote, in slot: MailboxSlot, _ context: MailboxContext,
        using generator: inout some RandomNumberGenerator
    ) -> MailboxRequest? {
        let block = MailboxBlock.seal(note, in: slot, under: keys, using: &generator, context.cryptography)
        guard let block else { return nil }
        let key = BlockCatalogue.Key(slot: slot, name: BlockName(context.cryptography.hash(block)))
        put = Put(key: key, note: note, until: context.now + context.limits.mailbox.patience)
        return .put(key.name, slot, block)
    }

    /// Takes in what became of a block.
    /// - Returns: the note in it, if it was stored.
    private mutating func answered(
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
    private mutating func expirePut(at now: UInt64, under limits: MailboxLimits) {
        guard let put, put.until <= now else { return }
        _ = answered(put.key, .failed, at: now, limits)
    }

    /// When something of this is to be done next.
    private func deadline(at now: UInt64, under limits: MailboxLimits) -> UInt64? {
        if let put { return put.until }
        guard let next = dueTimes.values.min() else { return retryAt > now ? retryAt : nil }
        return max(next, retryAt, work.count < limits.joinTasksPerMinute ? 0 : work.since + Self.minute)
    }

    func checkInvariants(under limits: MailboxLimits) {
        desk.catalogue.checkInvariants(under: limits.ofJoins)
        precondition(requests.count <= limits.joinRequestsMax + 1, "\(requests.count) devices ask to be admitted")
        precondition(answers.count <= limits.joinBlocksMax + 1, "\(answers.count) answers are known")
        precondition(dueTimes.count <= 2 * (limits.joinRequestsMax + 1), "\(dueTimes.count) tasks are planned")
    }
}
