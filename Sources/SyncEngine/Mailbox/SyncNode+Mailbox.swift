import Attachments
import ChangeLog
import DeltaCRDT

// A mailbox is one more peer, which only stores: nothing that it says is believed, and nothing depends on its order.
extension SyncNode {
    mutating func heard(_ answer: MailboxAnswer, using generator: inout some RandomNumberGenerator) {
        mailboxes.areJoinsTouched = true
        if heardOfJoining(answer, using: &generator) { return }
        mailboxes.isTouched = true
        let limits = limits.mailbox
        switch answer {
        case .attached(let prefix):
            mailboxes.attach(prefix, at: now.monotonic, under: limits)
            restoreBlocks(of: prefix)
        case .detached(let prefix): mailboxes.detach(prefix)
        case .changed(let prefix):
            guard let index = mailboxes.index(of: prefix) else { return }
            mailboxes.desks[index].listing.changed()
            for join in mailboxes.joins.indices where mailboxes.joins[join].desk.prefix == prefix {
                mailboxes.joins[join].desk.listing.changed()
            }
        case .listed(let slot, let names):
            guard let index = mailboxes.index(of: slot.prefix) else { return }
            let (request, overflowed) = mailboxes.desks[index].listed(
                slot, names, at: now.monotonic, under: limits, using: &generator)
            if let request { turn.effects.append(.mailbox(request)) }
            if overflowed { reached(.mailboxBlocks) }
        case .block(let name, let slot, let bytes):
            guard let index = mailboxes.index(of: slot.prefix) else { return }
            take(bytes, BlockCatalogue.Key(slot: slot, name: name), at: index)
        case .unanswered(let name, let slot):
            guard let index = mailboxes.index(of: slot.prefix) else { return }
            let key = BlockCatalogue.Key(slot: slot, name: name)
            mailboxes.desks[index].catalogue.unanswered(key, at: now.monotonic, under: limits)
        case .put(let name, let slot, let outcome):
            guard let index = mailboxes.index(of: slot.prefix) else { return }
            let key = BlockCatalogue.Key(slot: slot, name: name)
            let wasFull = mailboxes.desks[index].outbox.isFull
            let stored = mailboxes.desks[index].outbox.answered(key, outcome, at: now.monotonic, limits)
            if let stored { mailboxes.desks[index].catalogue.note(key, .read(stored)) }
            if outcome == .full, !wasFull { reached(.mailboxRoom) }
        }
    }

    /// What time and the log bring to the mailboxes, after any event.
    mutating func keepMailboxes(using generator: inout some RandomNumberGenerator) {
        guard !mailboxes.desks.isEmpty, isMember else { return }
        let sight = Mailboxes.Sight(
            durableCount: replication.durableCount, retention: log.retentionVersion, membership: log.membershipVersion,
            absent: replication.absent, met: table.metReplicas.sorted())
        guard mailboxes.isTouched || sight != mailboxes.seen || mailboxes.deadline.map({ $0 <= now.monotonic }) ?? false
        else { return }
        if sight.membership != mailboxes.seen?.membership { readUnprovenAgain() }
        (mailboxes.isTouched, mailboxes.seen) = (false, sight)
        noteCorrespondents()
        let week = MailboxKeys.week(at: now.wall)
        let keys = mailboxes.keys(of: epochs.held, using: cryptography)
        for index in mailboxes.desks.indices {
            mailboxes.desks[index].turn(to: keys, week: week, under: limits.mailbox, using: cryptography)
            takeWaiting(at: index)
            doubt(at: index)
            let requests = mailboxes.desks[index].requests(at: now.monotonic, under: limits.mailbox, using: &generator)
            for request in requests { turn.effects.append(.mailbox(request)) }
            let mayPost = mayPost && mailboxes.desks[index].isKnown(at: now.monotonic, under: limits.mailbox)
            if mayPost {
                post(at: index, using: &generator)
                if ownFarewell == nil { postChunks(at: index, using: &generator) }
            }
            let desk = mailboxes.desks[index]
            let fetch = desk.catalogue.deadline(at: now.monotonic, under: limits.mailbox) ?? .max
            let post = [desk.outbox.deadline(at: now.monotonic), desk.chunks.deadline(after: now.monotonic)]
            let next = min(desk.listing.deadline, fetch, mayPost ? post.compactMap(\.self).min() ?? .max : .max)
            mailboxes.desks[index].deadline = max(now.monotonic + 1, next)
        }
    }

    /// What is not durable yet will be soon.
    private var mayPost: Bool {
        replication.writes.isEmpty && !local.lacksOwnActs && (log.isIn(secrets.device.replica) || ownFarewell != nil)
    }

    /// What was written here and waits for a quiet leaves before the node stops, and what somebody waits for who asked to be let in.
    mutating func hurryMailboxes(using generator: inout some RandomNumberGenerator) {
        for index in mailboxes.desks.indices {
            mailboxes.desks[index].outbox.hurry(at: now.monotonic, using: &generator)
        }
        for index in mailboxes.joins.indices { mailboxes.joins[index].hurry(at: now.monotonic) }
        mailboxes.areJoinsTouched = true
        mailboxes.isTouched = true
    }

    /// Letters whose authors may be known by now are read again.
    private mutating func readUnprovenAgain() {
        for index in mailboxes.desks.indices {
            mailboxes.desks[index].catalogue.readAgain { if case .unproven = $0 { true } else { false } }
        }
    }
}

// What lies in a mailbox enters by the same door as what a session brings.
extension SyncNode {
    private mutating func take(_ bytes: [UInt8]?, _ key: BlockCatalogue.Key, at index: Int) {
        let limits = limits.mailbox
        guard mailboxes.desks[index].catalogue.isAwaited(key), let place = mailboxes.desks[index].slots[key.slot] else {
            return
        }
        guard let bytes, bytes.count <= MailboxBlock.sizeMax, BlockName(cryptography.hash(bytes)) == key.name else {
            mailboxes.desks[index].catalogue.failed(key, at: now.monotonic, under: limits)
            return
        }
        mailboxes.desks[index].catalogue.arrived(bytes: bytes.count)
        let content = MailboxBlock.open(bytes, in: key.slot, under: place.keys, by: secrets, using: cryptography)
        switch content {
        case .chunks(let chunks, let have): take(chunks, boxedAt: have, key, at: index)
        case nil, .notForThisDevice: mailboxes.desks[index].catalogue.note(key, .closed)
        case .some(let content):
            guard let letter = MailboxLetter(of: content) else {
                mailboxes.desks[index].catalogue.note(key, .useless)
                return
            }
            take(letter, key, at: index)
        }
    }

    /// Judges a letter: its author, then its changes, then what it says of its author.
    private mutating func take(_ letter: MailboxLetter, _ key: BlockCatalogue.Key, at index: Int) {
        let author = log.device(letter.author)
        if let author {
            guard letter.isSigned(by: author, in: key.slot, using: cryptography) else {
                mailboxes.desks[index].catalogue.note(key, .useless)
                return
            }
            guard counts(letter) else {
                mailboxes.desks[index].catalogue.note(key, .unproven(letter.author))
                return
            }
        }
        // Nil for one that is no record.
        let changes = letter.records.map { try? SignedChange(record: $0, using: cryptography) }
        let records = ready(letter, changes)
        // A letter that waited was counted before.
        let isFirst = if case .waiting = mailboxes.desks[index].catalogue.states[key] { false } else { true }
        if author == nil, isLetIn, isFirst, !mailboxes.desks[index].probation.take(letter.records, under: limits) {
            mailboxes.desks[index].catalogue.note(key, .useless)
            reached(.unprovenChanges)
            return
        }
        let refusal = accept(fromMailbox: records.map { letter.records[$0] })
        if let refusal, refusal != .missingPast {
            turn.effects.append(.notice(.misbehaved(.refusedChange(refusal), author)))
        } else if wait(for: letter, changes, key, at: index) {
            return
        }
        finish(letter, changes, key, at: index, refusal)
    }

    /// Whether a letter's author is in, or is this device, which may have left.
    private func counts(_ letter: MailboxLetter) -> Bool {
        log.isIn(letter.author) || letter.author == secrets.device.replica
    }

    private mutating func accept(fromMailbox records: [[UInt8]]) -> Refusal? {
        guard !records.isEmpty else { return nil }
        let received = accept(records)
        chargeAuthors(of: received.places)
        promoteProven()
        if !received.places.isEmpty { announceSoon() }
        return received.refusal
    }

    /// Takes down what a letter whose changes were taken holds, and what it says.
    private mutating func finish(
        _ letter: MailboxLetter, _ changes: [SignedChange?], _ key: BlockCatalogue.Key, at index: Int,
        _ refusal: Refusal?
    ) {
        guard counts(letter), let device = log.device(letter.author),
            letter.isSigned(by: device, in: key.slot, using: cryptography)
        else {
            mailboxes.desks[index].catalogue.note(key, .unproven(letter.author))
            return
        }
        guard letter.told == nil else {
            noteTold(letter, changes.last.flatMap { $0?.hash }, key, at: index)
            return
        }
        let epoch = mailboxes.desks[index].slots[key.slot]?.keys.id
        let isOwn = letter.author == secrets.device.replica
        var contents = BlockCatalogue.Contents(
            isOwn: isOwn, boxedAt: letter.isBoxed ? letter.have : nil,
            author: letter.author, time: letter.time, isRefused: refusal != nil)
        add(changes, to: &contents)
        let isNews = mailboxes.desks[index].catalogue.note(key, .read(contents))
        guard !isOwn else {
            if let epoch { mailboxes.desks[index].outbox.noteOwn(key, letter, to: epoch) }
            if mailboxes.noteOwn(letter) { photos.fetching.prefer(letter.wants) }
            return
        }
        if !letter.damaged.isEmpty { mailboxes.desks[index].doubts[letter.author] = letter.damaged }
        if isNews { mailboxes.desks[index].outbox.heardSomebody(at: now.monotonic, under: limits.mailbox) }
        if let epoch { epochs.met(letter.author, under: epoch) }
        if mailboxes.note(letter) { noteCorrespondent(letter.author) }
    }

    private func add(_ changes: [SignedChange?], to contents: inout BlockCatalogue.Contents) {
        for signed in changes.compactMap({ $0 }) {
            guard let place = log.graph.place(of: signed.hash) else { continue }
            contents.places.append(place)
            if !signed.isWhole { contents.bodiless.insert(place) }
        }
    }

    /// The records of a letter whose past is here, or before them in the letter. Others wait, and hold back none of these: of two
    /// letters, each may hold what the other stands on.
    private func ready(_ letter: MailboxLetter, _ changes: [SignedChange?]) -> [Int] {
        var there: Set<Bytes32> = []
        return changes.indices.filter { index in
            guard let signed = changes[index] else { return true }
            let isReady = signed.change.links.allSatisfy { there.contains($0) || log.graph.place(of: $0) != nil }
            if isReady { there.insert(signed.hash) }
            return isReady
        }
    }

    /// Keeps a letter that holds changes whose past is not here.
    /// - Returns: whether there are such changes.
    private mutating func wait(
        for letter: MailboxLetter, _ changes: [SignedChange?], _ key: BlockCatalogue.Key, at index: Int
    ) -> Bool {
        var missing: [[Bytes32]] = []
        var lamport: UInt64?
        for signed in changes.compactMap(\.self) where log.graph.place(of: signed.hash) == nil {
            let links = signed.change.links.filter { log.graph.place(of: $0) == nil }
            // What is not here although its past is was refused.
            guard !links.isEmpty else { continue }
            missing.append(links)
            lamport = lamport ?? signed.change.lamport
        }
        guard let lamport else { return false }
        let waiting = WaitingLetter(
            letter: letter, bytes: letter.records.reduce(0) { $0 + $1.count },
            author: log.isIn(letter.author) ? letter.author : nil, missing: missing, lamport: lamport)
        mailboxes.desks[index].catalogue.note(key, .waiting(waiting))
        mailboxes.desks[index].catalogue.makeRoom(at: now.monotonic, under: limits.mailbox)
        return true
    }

    /// Those who are in and cannot read some blocks are believed, each of so many in an hour.
    private mutating func doubt(at index: Int) {
        for author in mailboxes.desks[index].doubts.keys.sorted() {
            guard let names = mailboxes.desks[index].doubts[author] else { continue }
            let rest = mailboxes.doubted.rest(of: limits.mailbox.doubtsPerHour, for: author, at: now.monotonic)
            let doubted = mailboxes.desks[index].catalogue.doubt(
                Array(names.prefix(rest)), at: now.monotonic, under: limits.mailbox)
            mailboxes.doubted.charge(doubted, to: author)
            mailboxes.desks[index].doubts[author] = names.count > rest ? Array(names.dropFirst(rest)) : nil
        }
    }

    /// Takes what can be taken of the letters that wait, as long as one brings the next.
    private mutating func takeWaiting(at index: Int) {
        let count = log.graph.count
        for (key, waiting) in mailboxes.desks[index].catalogue.waiting
        where waiting.isReady(in: log.graph) {
            take(waiting.letter, key, at: index)
        }
        if log.graph.count > count { takeWaiting(at: index) }
    }
}

// What devices hold, as they said in letters.
extension SyncNode {
    /// Looks again at letters that named what was not here.
    private mutating func noteCorrespondents() {
        for replica in mailboxes.correspondents.filter({ $0.value.isAhead }).keys.sorted() {
            noteCorrespondent(replica)
        }
    }

    /// Takes down what a device says that it holds; what a session with it shows is newer.
    private mutating func noteCorrespondent(_ replica: ReplicaID) {
        guard let said = mailboxes.correspondents[replica], log.isIn(replica), !table.hasMet(replica)
        else { return }
        let isWhole = said.have.allSatisfy { log.graph.place(of: $0) != nil }
        if isWhole { mailboxes.caughtUp(replica) }
        let knowledge = PeerKnowledge(summary: said.have, in: log.graph)
        replication.noteLetter(knowledge, without: said.absent, of: replica, at: min(said.time, now.wall))
        turn.effects.append(.notice(.acknowledged))
    }
}
