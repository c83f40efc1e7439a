import Attachments
package import ChangeLog
package import DeltaCRDT

// A mailbox is one more peer, which only stores. The machine of mailboxes decides; the log judges what letters hold.
extension SyncNode {
    /// To be given to one call. What is done with the answer is another statement, so that nothing else holds the log by then.
    mutating func mailboxContext() -> MailboxContext {
        MailboxContext(
            log: log, local: local, membership: membership, replication: replication, photos: photos,
            epochs: Array(epochs.held.prefix(limits.mailbox.epochsMax)), mayLackEpoch: epochs.mayLackEpoch(in: log),
            met: table.metReplicas, invitation: joining?.invitation, time: now, limits: limits,
            cryptography: cryptography)
    }

    mutating func heard(_ answer: MailboxAnswer, using generator: inout some RandomNumberGenerator) {
        let news = mailboxes.heard(answer, in: mailboxContext(), using: &generator)
        carryOut(news, using: &generator)
    }

    private mutating func carryOut(_ news: MailboxNews, using generator: inout some RandomNumberGenerator) {
        switch news {
        case .nothing: break
        case .ask(let request): turn.effects.append(.mailbox(request))
        case .reached(let bound): reached(bound)
        case .letter(let opened):
            let refusal = accept(fromMailbox: opened.ready)
            if let refusal, refusal != .missingPast {
                turn.effects.append(.notice(.misbehaved(.refusedChange(refusal), opened.author)))
            }
            let news = mailboxes.accepted(opened, refusal, in: mailboxContext())
            carryOut(news, using: &generator)
        case .heard(let author, let epoch, let report):
            if let epoch { epochs.met(author, under: epoch) }
            if let report { note(report) }
        case .wants(let chunks): photos.fetching.prefer(chunks)
        case .chunks(let chunks):
            for (chunk, bytes) in chunks {
                if photos.fetching.wants(chunk) {
                    perform(photos.fetching.came(chunk, bytes, at: now.monotonic, using: &generator))
                } else if !photos.here.contains(chunk) {
                    mailboxes.hold(chunk, bytes, under: limits.mailbox)
                }
            }
        // People are told once.
        case .asked: if joining?.asked() ?? false { turn.effects.append(.notice(.askedThroughMailbox)) }
        case .grant(let grant):
            guard joining?.mayTry(limit: limits.mailbox.joinAnswersTriedMax) ?? false else { return }
            if take(grant) { joining?.tried() }
        }
    }

    private mutating func accept(fromMailbox records: [[UInt8]]) -> Refusal? {
        guard !records.isEmpty else { return nil }
        let received = accept(records)
        turns.chargeAuthors(of: received.indices, in: log)
        promoteProven()
        if !received.indices.isEmpty { announceSoon() }
        return received.refusal
    }

    private mutating func note(_ report: LetterReport) {
        replication.noteLetter(
            report.held, without: report.absent, of: report.replica, at: min(report.time, now.wall))
        turn.effects.append(.notice(.acknowledged))
    }

    // MARK: - Time

    /// What time and the log bring to the mailboxes, after any event.
    mutating func keepMailboxes(using generator: inout some RandomNumberGenerator) {
        guard !mailboxes.isEmpty, isMember else { return }
        let sight = Mailboxes.Sight(
            durableCount: replication.durableCount, retention: log.retentionVersion, membership: log.membershipVersion,
            absent: replication.absent, met: table.metReplicas.sorted())
        guard mailboxes.look(at: sight, now: now.monotonic) else { return }
        let reports = mailboxes.turn(in: mailboxContext())
        for report in reports { note(report) }
        for index in mailboxes.desks.indices {
            takeWaiting(at: index, using: &generator)
            let tasks = mailboxes.keep(index, in: mailboxContext(), using: &generator)
            for request in tasks.requests { turn.effects.append(.mailbox(request)) }
            for chunk in tasks.loads {
                turn.effects.append(.loadChunk(chunk, for: .mailbox(mailboxes.desks[index].prefix)))
            }
        }
    }

    /// Takes what can be taken of the letters that wait, as long as one brings the next.
    private mutating func takeWaiting(at index: Int, using generator: inout some RandomNumberGenerator) {
        let count = log.graph.count
        for (key, waiting) in mailboxes.desks[index].catalogue.waiting where waiting.isReady(in: log.graph) {
            let news = mailboxes.judge(waiting, key, in: mailboxContext())
            carryOut(news, using: &generator)
        }
        if log.graph.count > count { takeWaiting(at: index, using: &generator) }
    }

    /// What time and the log bring to those who ask to be let in, after any event.
    mutating func keepJoins(using generator: inout some RandomNumberGenerator) {
        guard !mailboxes.isEmpty else { return }
        let sight = Mailboxes.JoinSight(
            durableCount: replication.durableCount, retention: log.retentionVersion, membership: log.membershipVersion,
            isJoining: joining != nil, isMember: isMember)
        guard mailboxes.look(at: sight, now: now.monotonic) else { return }
        let invites = invitesOfMailboxes()
        mailboxes.turnJoins(to: invites, in: mailboxContext())
        for index in mailboxes.joins.indices {
            var round = JoinDesk.Round()
            while let step = mailboxes.next(index, in: &round, mailboxContext(), using: &generator) {
                switch step {
                case .ask(let request): turn.effects.append(.mailbox(request))
                case .admit(let request): admit(request, at: index, using: &generator)
                }
            }
        }
    }

    /// The invites whose slots concern this node: the one by which it joins, or those by which it may admit somebody.
    private mutating func invitesOfMailboxes() -> [(invite: Bytes32, keys: MailboxKeys)] {
        if let link = joining?.invitation.link {
            guard !hasJoined else { return [] }
            let id = link.inviteID(using: cryptography)
            return [(id, MailboxKeys(linkSecret: link.secret, ofInvite: id, using: cryptography))]
        }
        guard isMember, log.isIn(secrets.device.replica), !local.lacksOwnActs else { return [] }
        return answeredInvites().compactMap { opened in
            linkSecret(of: opened).map {
                (opened.id, MailboxKeys(linkSecret: $0, ofInvite: opened.id, using: cryptography))
            }
        }
    }

    private mutating func admit(
        _ request: JoinRequest, at index: Int, using generator: inout some RandomNumberGenerator
    ) {
        let changeIndex = epochs.newest.flatMap { DeviceGrant($0, to: request.device, using: &generator, cryptography) }
            .flatMap { grant in
                let admission = Admission(
                    device: request.device, name: request.name, invite: mailboxes.joins[index].invite,
                    consent: request.consent, grant: grant)
                return try? append(.admit(admission), as: secrets)
            }
        if let changeIndex { persist(changeIndex..<changeIndex + 1, then: .written(changeIndex)) }
        mailboxes.admitted(request.device.replica, at: index, was: changeIndex != nil, in: mailboxContext())
    }

    // MARK: - Photos

    /// Some chunks are wanted from now on, which a mailbox may have.
    mutating func wantFromMailboxes(_ chunks: [BlobHash], using generator: inout some RandomNumberGenerator) {
        let (held, preferred) = mailboxes.want(chunks)
        photos.fetching.prefer(preferred)
        for (chunk, bytes) in held {
            perform(photos.fetching.came(chunk, bytes, at: now.monotonic, using: &generator))
        }
    }

    // MARK: - What people may ask

    /// Whether a mailbox has as many bytes of photos as are put there.
    package func hasNoRoomForPhotos(_ prefix: Bytes16) -> Bool { mailboxes.hasNoRoomForPhotos(prefix) }

    /// How many changes that are durable here a device is not known to hold, and lie in a mailbox for it. O(changes, and blocks).
    package func changesInMailbox(notKnownAt replica: ReplicaID) -> Int {
        mailboxes.changes(
            for: replica, holding: knowledge(of: replica).held, before: replication.durableCount, in: log,
            limits.mailbox)
    }

    /// What is to be remembered of mailboxes' blocks over a restart. O(blocks, and the changes in them).
    package var readBlocks: ReadBlocks { mailboxes.readBlocks(before: replication.durableCount, in: log.graph) }

    /// Differs if what is to be remembered may differ.
    package var readBlocksVersion: [Int] { [replication.durableCount] + mailboxes.desks.map(\.catalogue.version) }

    /// Takes in what was remembered of mailboxes that are not attached: after the log was read.
    package mutating func restore(_ blocks: ReadBlocks) { mailboxes.restore(blocks) }
}
