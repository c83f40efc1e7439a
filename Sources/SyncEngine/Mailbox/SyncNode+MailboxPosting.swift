import ChangeLog
package import DeltaCRDT

// What others are not known to hold, and the mailbox has not, is put there.
extension SyncNode {
    /// Devices that read the slots of one epoch, and what they lack there.
    struct Audience {
        let epoch: Bytes16
        /// The devices to which letters are sealed; nil where all who hold the epoch's secret may read them.
        let boxes: [Device]?
        let readers: [Device]
        var lacking: [Int] = []
        /// What a device that is out is told, and nothing else.
        var told: BlockCatalogue.Telling?
    }

    mutating func post(at index: Int, using generator: inout some RandomNumberGenerator) {
        for _ in 0..<limits.mailbox.putsMax {
            let members = audiences(at: index)
            let isLeaving = ownFarewell != nil
            let audiences = isLeaving ? members : members + outsiders(at: index)
            let heads = durableHeads
            let damaged = mailboxes.desks[index].catalogue.damaged(limit: MailboxLetter.damagedMax)
            let said = MailboxOutbox.Said(
                have: Set(heads), damaged: Set(damaged), wants: Set(chunksWanted(at: index)))
            let answer = mailboxes.desks[index].outbox.due(
                lack(of: audiences, at: index), said: said, to: isLeaving ? [] : members.map(\.epoch),
                losses: mailboxes.desks[index].catalogue.losses(at: now.monotonic),
                at: now.monotonic, under: limits.mailbox, using: &generator)
            switch answer {
            case .nothing: return
            case .changes:
                var (isAll, isAny) = (true, false)
                for audience in audiences where !audience.lacking.isEmpty {
                    let batch = audience.told == nil ? batch(of: audience.lacking) : audience.lacking
                    let isPut = put(batch, for: audience, have: heads, at: index, using: &generator)
                    if isPut { isAny = true }
                    if !isPut || batch.count < audience.lacking.count { isAll = false }
                }
                guard isAny else {
                    mailboxes.desks[index].outbox.couldNotPut(at: now.monotonic, under: limits.mailbox)
                    return
                }
                mailboxes.desks[index].outbox.put(upTo: isAll ? replication.durableCount : nil)
            case .receipt:
                for audience in members where mailboxes.desks[index].outbox.owes(said, to: audience.epoch) {
                    put([], for: audience, have: heads, at: index, using: &generator)
                }
                mailboxes.desks[index].outbox.toldNow()
            }
        }
    }

    /// The change by which somebody left with this device, by place, as long as others are to hear of it from here.
    var ownFarewell: Int? {
        guard log.person(secrets.device.participant)?.state == .left,
            let departure = log.departure(of: secrets.device.replica),
            log.graph[departure.place].change.replica == secrets.device.replica,
            membership.isStillTold(secrets.device.replica, in: log, at: now.wall)
        else { return nil }
        return departure.place
    }

    /// What is durable here with its past, by hashes.
    var durableHeads: [Bytes32] {
        log.graph.heads(of: log.heads(from: 0, before: replication.durableCount), limit: MailboxLetter.haveMax)
            .map { log.graph[$0].hash }
    }

    /// Which devices read what, and what they lack. A device that is met in a session is served by that session.
    mutating func audiences(at index: Int) -> [Audience] {
        guard let newest = epochs.newest else { return [] }
        let others = log.membersWithNode.filter { $0 != secrets.device }
        let met = table.metReplicas
        let readers = others.filter { !met.contains($0.replica) }
        let mayLackEpoch = Set(epochs.mayLackEpoch(in: log).map(\.replica))
        let isOpen = !log.leavesRemovalsUnanswered(newest.id)
        let held = epochs.held
        let log = log
        let groups = Dictionary(grouping: readers) { device in
            mayLackEpoch.contains(device.replica) ? log.epoch(knownTo: device.replica, of: held) : newest.id
        }
        return held.compactMap { epoch in
            guard let readers = groups[epoch.id] else { return nil }
            let boxes = isOpen && epoch == newest ? nil : others + [secrets.device]
            var audience = Audience(epoch: epoch.id, boxes: boxes, readers: readers)
            audience.lacking = lacking(readers, coverage(of: epoch.id, for: readers, at: index))
            return audience
        }
    }

    /// The epoch in whose slots a device reads, as far as is known here.
    mutating func epochForLetters(to replica: ReplicaID) -> Epoch? {
        guard epochs.mayLackEpoch(in: log).contains(where: { $0.replica == replica }) else { return epochs.newest }
        let known = log.epoch(knownTo: replica, of: epochs.held)
        return epochs.held.first { $0.id == known }
    }

    /// What lies in the slots of an epoch where all of some devices can read it, and what is on its way there.
    private func coverage(of epoch: Bytes16, for readers: [Device], at index: Int) -> Coverage {
        let desk = mailboxes.desks[index]
        let slots = desk.readSlots(of: epoch, under: limits.mailbox)
        let admissions = readers.compactMap { log.admission(of: $0.replica) }
        var coverage = desk.catalogue.coverage(of: slots, changes: replication.durableCount) {
            isReadable($0, sinceAdmitted: admissions)
        }
        for (key, put) in desk.outbox.puts
        where slots.contains(key.slot) && isReadable(put.contents, sinceAdmitted: admissions) {
            coverage.add(put.contents)
        }
        return coverage
    }

    /// Whether devices that were admitted at some places can read what is in a block: nothing by somebody else who is out, for letters
    /// by them are kept out; and one that is sealed to devices is for those whose admission its author held.
    func isReadable(_ contents: BlockCatalogue.Contents, sinceAdmitted admissions: [Int]) -> Bool {
        if let author = contents.author, !contents.isOwn, !log.isIn(author) { return false }
        guard let have = contents.boxedAt else { return true }
        let held = PeerKnowledge(summary: have, in: log.graph)
        return admissions.allSatisfy { held.contains($0, in: log.graph) }
    }

    /// What one of some devices is not known to hold and is not covered, by place.
    private func lacking(_ readers: [Device], _ coverage: Coverage) -> [Int] {
        let known = readers.map { knowledge(of: $0.replica) }
        let end = replication.durableCount
        var places: [Int] = []
        let start = min(end, known.map(\.held.prefix).min() ?? end)
        for place in start..<end
        where log.isRetained(place) && !coverage.contains(place, withBody: log.sendsBody(of: place)) {
            if known.contains(where: { !$0.held.contains(place, in: log.graph) }) { places.append(place) }
        }
        let bodies = Set(known.flatMap { $0.absent.named }.compactMap { log.graph.place(of: $0) })
            .filter { $0 < end && log.sendsBody(of: $0) && !coverage.contains($0, withBody: true) }
        if !bodies.isEmpty { places = Set(places).union(bodies).sorted() }
        guard let farewell = ownFarewell else { return places }
        return places.filter { $0 == farewell || log.graph.isPast($0, of: farewell) }
    }

    private func lack(of audiences: [Audience], at index: Int) -> MailboxOutbox.Lack {
        var lack = MailboxOutbox.Lack()
        for place in audiences.flatMap(\.lacking) {
            if lack.bytes < MailboxLetter.recordBytesMax { lack.bytes += log.recordToSend(place).count }
            guard local.credentials(of: log.graph[place].change.replica) != nil else { continue }
            lack.lastOwn = max(lack.lastOwn, place)
            if place >= mailboxes.desks[index].outbox.putEnd { lack.isOwnNews = true }
        }
        return lack
    }

    /// The first of some changes that one letter holds.
    private func batch(of places: [Int]) -> [Int] {
        var batch: [Int] = []
        var bytes = 0
        for place in places.prefix(MailboxLetter.recordsMax) {
            let size = log.recordToSend(place).count
            guard batch.isEmpty || bytes + size <= MailboxLetter.recordBytesMax else { break }
            batch.append(place)
            bytes += size
        }
        return batch
    }

    /// Hands a letter to the mailbox.
    /// - Returns: whether that was possible.
    @discardableResult
    private mutating func put(
        _ places: [Int], for audience: Audience, have: [Bytes32], at index: Int,
        using generator: inout some RandomNumberGenerator
    ) -> Bool {
        guard mailboxes.desks[index].outbox.puts.count < limits.mailbox.putsMax,
            let slot = mailboxes.desks[index].writeSlot(of: audience.epoch),
            let keys = mailboxes.desks[index].slots[slot]?.keys
        else { return false }
        let letter = letter(places, for: audience, have: have, at: index, in: slot)
        let block = MailboxBlock.seal(
            letter.encoding, in: slot, under: keys, to: audience.boxes, using: &generator, cryptography)
        guard let block else { return false }
        let key = BlockCatalogue.Key(slot: slot, name: BlockName(cryptography.hash(block)))
        var contents = BlockCatalogue.Contents(
            isOwn: true, boxedAt: audience.boxes == nil ? nil : letter.have, author: secrets.device.replica,
            told: audience.told)
        var said: MailboxOutbox.Said?
        if audience.told == nil {
            (contents.places, contents.time) = (places, letter.time)
            contents.bodiless = Set(places.filter { !log.sendsWhole($0) })
            said = MailboxOutbox.Said(
                have: Set(letter.have), damaged: Set(letter.damaged), wants: Set(letter.wants))
        }
        mailboxes.desks[index].outbox.put(
            key, contents: contents, said: said, to: audience.epoch, until: now.monotonic + limits.mailbox.patience)
        turn.effects.append(.mailbox(.put(key.name, slot, block)))
        return true
    }

    private mutating func letter(
        _ places: [Int], for audience: Audience, have: [Bytes32], at index: Int, in slot: MailboxSlot
    ) -> MailboxLetter {
        if let told = audience.told { return letter(telling: told.device, places, in: slot) }
        return MailboxLetter(
            by: secrets, at: mailboxes.nextLetter(at: now.wall), records: places.map { log.recordToSend($0) },
            have: have, absent: replication.absent,
            damaged: mailboxes.desks[index].catalogue.damaged(limit: MailboxLetter.damagedMax),
            wants: ownFarewell == nil ? chunksWanted(at: index) : [], in: slot, using: cryptography)
    }

    /// How many changes that are durable here a device is not known to hold, and lie in a mailbox for it. O(changes, and blocks).
    package func changesInMailbox(notKnownAt replica: ReplicaID) -> Int {
        let slots = Set(mailboxes.desks.flatMap { $0.readSlots(under: limits.mailbox) })
        let known = knowledge(of: replica).held
        let admission = log.admission(of: replica).map { [$0] } ?? []
        let coverages = mailboxes.desks.map { desk in
            desk.catalogue.coverage(of: slots, changes: replication.durableCount) {
                isReadable($0, sinceAdmitted: admission)
            }
        }
        return (0..<replication.durableCount).count { place in
            log.isRetained(place) && !known.contains(place, in: log.graph)
                && coverages.contains { $0.contains(place, withBody: log.sendsBody(of: place)) }
        }
    }
}

extension TripLog {
    /// Whether a change is sent with a body that is here.
    func sendsBody(of place: Int) -> Bool {
        (isEffective(place) || isUpheld(place)) && graph[place].digest != nil && graph[place].isWhole
    }

    /// Whether a change is sent with all that its header says.
    func sendsWhole(_ place: Int) -> Bool {
        graph[place].digest == nil || sendsBody(of: place)
    }

    /// The newest of some epochs whose secret a device holds as far as the log says: it was admitted with it, or wrote after it had
    /// seen it begin. The last where there is none.
    func epoch(knownTo replica: ReplicaID, of held: [Epoch]) -> Bytes16? {
        let admitted = epoch(admitting: replica)
        return (held.first { $0.id == admitted || hasSeen($0.id, replica) } ?? held.last)?.id
    }

    /// The epoch whose secret a device was admitted, or founded the trip, with. O(admissions of the device).
    func epoch(admitting replica: ReplicaID) -> Bytes16? {
        guard let place = admission(of: replica) else { return nil }
        return switch graph[place].change.statement {
        case .admit(let admission): admission.grant?.epoch
        case .found(_, _, let epoch): epoch
        default: nil
        }
    }
}
