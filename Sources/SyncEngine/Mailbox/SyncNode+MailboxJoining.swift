import ChangeLog
import DeltaCRDT

// Joining while apart. A joiner leaves a request in the slots of an invite, and a member's node that runs later answers it there.
extension SyncNode {
    /// Reads a mailbox's answer about an invite's slot.
    /// - Returns: false where the slot is no invite's.
    mutating func heardOfJoining(
        _ answer: MailboxAnswer, using generator: inout some RandomNumberGenerator
    ) -> Bool {
        let slot: MailboxSlot
        switch answer {
        case .listed(let listed, _): slot = listed
        case .block(_, let read, _): slot = read
        case .unanswered(_, let unread): slot = unread
        case .put(_, let written, _): slot = written
        case .attached, .detached, .changed: return false
        }
        guard let index = mailboxes.joins.firstIndex(where: { $0.desk.slots[slot] != nil }) else { return false }
        let limits = limits.mailbox
        switch answer {
        case .listed(_, let names):
            let (request, overflowed) = mailboxes.joins[index].desk.listed(
                slot, names, at: now.monotonic, under: limits.ofJoins, using: &generator)
            mailboxes.joins[index].forgetLost()
            if let request { turn.effects.append(.mailbox(request)) }
            if overflowed { reached(.mailboxBlocks) }
        case .block(let name, _, let bytes):
            takeNote(bytes, BlockCatalogue.Key(slot: slot, name: name), at: index, using: &generator)
        case .unanswered(let name, _):
            let key = BlockCatalogue.Key(slot: slot, name: name)
            mailboxes.joins[index].desk.catalogue.unanswered(key, at: now.monotonic, under: limits)
        case .put(let name, _, let outcome):
            let key = BlockCatalogue.Key(slot: slot, name: name)
            let stored = mailboxes.joins[index].answered(key, outcome, at: now.monotonic, limits)
            if case .request? = stored { noteAsked() }
            if outcome == .full { reached(.mailboxRoom) }
        case .attached, .detached, .changed: break
        }
        return true
    }

    /// What time and the log bring to those who ask, after any event.
    mutating func keepJoins(using generator: inout some RandomNumberGenerator) {
        guard !mailboxes.desks.isEmpty else { return }
        let sight = Mailboxes.JoinSight(
            durableCount: replication.durableCount, retention: log.retentionVersion, membership: log.membershipVersion,
            isJoining: joining != nil, isMember: isMember)
        guard
            mailboxes.areJoinsTouched || sight != mailboxes.joinSight
                || mailboxes.joinDeadline.map({ $0 <= now.monotonic }) ?? false
        else { return }
        let isOtherMembership = sight.membership != mailboxes.joinSight?.membership
        (mailboxes.areJoinsTouched, mailboxes.joinSight) = (false, sight)
        mailboxes.turnJoins(to: invitesOfMailboxes(), at: now.monotonic)
        let (week, limits) = (MailboxKeys.week(at: now.wall), limits.mailbox)
        for index in mailboxes.joins.indices {
            let keys = mailboxes.joins[index].keys
            mailboxes.joins[index].desk.turn(to: [keys], week: week, under: limits.ofJoins, using: cryptography)
            // The author of an answer may be known by now.
            if isOtherMembership {
                mailboxes.joins[index].desk.catalogue.readAgain { if case .unproven = $0 { true } else { false } }
            }
            mailboxes.joins[index].expirePut(at: now.monotonic, under: limits)
            let requests = mailboxes.joins[index].desk.requests(
                at: now.monotonic, under: joining != nil ? limits.ofJoiner : limits.ofJoins, using: &generator)
            for request in requests { turn.effects.append(.mailbox(request)) }
            if mailboxes.joins[index].desk.isKnown(at: now.monotonic, under: limits.ofJoins) {
                if joining != nil { ask(at: index, using: &generator) } else { serve(at: index, using: &generator) }
            }
            let desk = mailboxes.joins[index].desk
            let fetch = desk.catalogue.deadline(at: now.monotonic, under: limits.ofJoins) ?? .max
            let task = mailboxes.joins[index].deadline(at: now.monotonic, under: limits) ?? .max
            mailboxes.joins[index].desk.deadline = max(now.monotonic + 1, min(desk.listing.deadline, fetch, task))
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

    private mutating func takeNote(
        _ bytes: [UInt8]?, _ key: BlockCatalogue.Key, at index: Int, using generator: inout some RandomNumberGenerator
    ) {
        guard mailboxes.joins[index].desk.catalogue.isAwaited(key) else { return }
        guard let bytes, bytes.count <= MailboxBlock.sizeMax, BlockName(cryptography.hash(bytes)) == key.name else {
            mailboxes.joins[index].desk.catalogue.failed(key, at: now.monotonic, under: limits.mailbox)
            return
        }
        mailboxes.joins[index].desk.catalogue.arrived(bytes: bytes.count)
        let content = MailboxBlock.open(
            bytes, in: key.slot, under: mailboxes.joins[index].keys, by: secrets, using: cryptography)
        switch content {
        case .joinRequest(let opened): takeRequest(opened, key, at: index, using: &generator)
        case .joinAnswer(let opened): takeAnswer(opened, key, at: index)
        case .letter, .boxedLetter, .chunks, .notForThisDevice, .unknown, nil:
            mailboxes.joins[index].desk.catalogue.note(key, .useless)
        }
    }

    private mutating func takeRequest(
        _ bytes: [UInt8], _ key: BlockCatalogue.Key, at index: Int, using generator: inout some RandomNumberGenerator
    ) {
        var decoder = CanonicalDecoder(bytes)
        let isOwnWanted = joining != nil
        guard let request = try? JoinRequest(from: &decoder, using: cryptography),
            isOwnWanted
                ? request.device == secrets.device
                : membership.proves(request, by: mailboxes.joins[index].invite, in: log, using: cryptography)
        else {
            mailboxes.joins[index].desk.catalogue.note(key, .useless)
            return
        }
        let place = Int(truncatingIfNeeded: generator.next() >> 1 as UInt64)
        mailboxes.joins[index].keep(request, key, limits.mailbox, place)
        if isOwnWanted { noteAsked() }
    }

    private mutating func takeAnswer(_ bytes: [UInt8], _ key: BlockCatalogue.Key, at index: Int) {
        guard let answer = try? SignedGrant(decoding: bytes) else {
            mailboxes.joins[index].desk.catalogue.note(key, .useless)
            return
        }
        if joining != nil {
            mailboxes.joins[index].desk.catalogue.note(key, .useless)
            // Anybody with the link can write one. It is believed once it has led to this device's own admission.
            guard answer.receiver == secrets.device.replica,
                !epochs.held.contains(where: { $0.id == answer.grant.epoch }),
                joining?.mayTry(limit: limits.mailbox.joinAnswersTriedMax) ?? false
            else { return }
            if take(answer.grant) { joining?.tried() }
            return
        }
        guard let author = log.device(answer.author), log.isIn(author.replica) else {
            mailboxes.joins[index].desk.catalogue.note(key, .unproven(answer.author))
            return
        }
        guard answer.isSigned(by: author, in: key.slot, using: cryptography) else {
            mailboxes.joins[index].desk.catalogue.note(key, .useless)
            return
        }
        mailboxes.joins[index].keep(answer, key)
    }

    // MARK: - To ask

    private mutating func ask(at index: Int, using generator: inout some RandomNumberGenerator) {
        guard let invitation = joining?.invitation, mailboxes.joins[index].mayPut(at: now.monotonic),
            let slot = mailboxes.joins[index].desk.writeSlot(of: mailboxes.joins[index].keys.id),
            !mailboxes.joins[index].hasRequest(of: secrets.device.replica, in: slot)
        else { return }
        put(.request(joinRequest(by: invitation)), in: slot, at: index, using: &generator)
    }

    /// Tells people once that this device's request is in a mailbox.
    private mutating func noteAsked() {
        if joining?.asked() ?? false { turn.effects.append(.notice(.askedThroughMailbox)) }
    }

    // MARK: - To admit

    /// Admits joiners that may join, and answers those that are admitted and may not know it.
    private mutating func serve(at index: Int, using generator: inout some RandomNumberGenerator) {
        let (invite, limits) = (mailboxes.joins[index].invite, limits.mailbox)
        var tasks: [(ReplicaID, JoinDesk.Task)] = []
        for request in mailboxes.joins[index].asked {
            let replica = request.device.replica
            guard let (task, delay) = task(for: request, by: invite, at: index) else { continue }
            tasks.append((replica, task))
            guard
                mailboxes.joins[index].isDue(
                    task, for: replica, after: delay, at: now.monotonic, under: limits, using: &generator)
            else { continue }
            switch task {
            case .admit: admit(request, by: invite, at: index, using: &generator)
            case .answer: answer(request.device, at: index, using: &generator)
            }
        }
        mailboxes.joins[index].plan(only: tasks)
    }

    /// What this node does for a joiner, and after how long, unless another node does it first.
    private func task(
        for request: JoinRequest, by invite: Bytes32, at index: Int
    ) -> (JoinDesk.Task, ClosedRange<UInt64>)? {
        let (replica, limits) = (request.device.replica, limits.mailbox)
        let isOpener =
            log.invite(invite).map { log.device($0.author)?.participant == secrets.device.participant } ?? false
        switch admissibility(of: request, by: invite) {
        case .refused, .later: return nil
        case .open: return (.admit, isOpener ? limits.joinOwnDelay : limits.joinDelay)
        case .isIn(let admission):
            // A device that wrote or reported anything here has the secret.
            guard let admission, admission < replication.durableCount,
                log.graph.branchesOfReplica[replica] == nil, !table.hasMet(replica),
                mailboxes.correspondents[replica] == nil
            else { return nil }
            let answerers = mailboxes.joins[index].answerers(of: replica)
            guard !answerers.contains(secrets.device.replica) else { return nil }
            // A member's answer may be false. The one who brought the newcomer, and the one who let them in, answer in any case.
            if isOpener || log.graph[admission].change.replica == secrets.device.replica {
                return (.answer, limits.joinOwnDelay)
            }
            return answerers.count < limits.joinAnswersMax ? (.answer, limits.relayDelay) : nil
        }
    }

    private mutating func admit(
        _ request: JoinRequest, by invite: Bytes32, at index: Int, using generator: inout some RandomNumberGenerator
    ) {
        guard let epoch = epochs.newest,
            let grant = DeviceGrant(epoch, to: request.device, using: &generator, cryptography),
            let place = try? append(
                .admit(
                    Admission(
                        device: request.device, name: request.name, invite: invite, consent: request.consent,
                        grant: grant)), as: secrets)
        else {
            mailboxes.joins[index].dismiss(request.device.replica)
            return
        }
        persist(place..<place + 1, then: .written(place))
        // Somebody is there who looks on, and other members may be about to let them in: the admission leaves at once.
        if let desk = mailboxes.index(of: mailboxes.joins[index].desk.prefix) {
            mailboxes.desks[desk].outbox.heardSomebody(at: now.monotonic, under: limits.mailbox)
        }
    }

    private mutating func answer(_ device: Device, at index: Int, using generator: inout some RandomNumberGenerator) {
        guard let epoch = epochForLetters(to: device.replica),
            let slot = mailboxes.joins[index].desk.writeSlot(of: mailboxes.joins[index].keys.id),
            let grant = DeviceGrant(epoch, to: device, using: &generator, cryptography)
        else { return }
        let answer = SignedGrant(of: grant, to: device.replica, by: secrets, in: slot, using: cryptography)
        put(.answer(answer), in: slot, at: index, using: &generator)
    }

    private mutating func put(
        _ note: JoinNote, in slot: MailboxSlot, at index: Int, using generator: inout some RandomNumberGenerator
    ) {
        let block = MailboxBlock.seal(
            note, in: slot, under: mailboxes.joins[index].keys, using: &generator, cryptography)
        guard let block else { return }
        let key = BlockCatalogue.Key(slot: slot, name: BlockName(cryptography.hash(block)))
        mailboxes.joins[index].handOver(note, key, at: now.monotonic, under: limits.mailbox)
        turn.effects.append(.mailbox(.put(key.name, slot, block)))
    }
}
