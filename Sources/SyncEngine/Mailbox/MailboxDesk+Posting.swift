import ChangeLog
import DeltaCRDT

// What others are not known to hold, and the mailbox has not, is put there.
extension MailboxDesk {
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

    /// Puts letters that are due.
    mutating func post(
        _ correspondence: inout Correspondence, in context: MailboxContext,
        using generator: inout some RandomNumberGenerator
    ) -> [MailboxRequest] {
        let (now, limits) = (context.now, context.limits.mailbox)
        var requests: [MailboxRequest] = []
        for _ in 0..<limits.putsMax {
            let members = audiences(in: context)
            let isLeaving = context.ownFarewell != nil
            let audiences = isLeaving ? members : members + outsiders(in: context)
            let heads = context.durableHeads
            let damaged = catalogue.damaged(limit: MailboxLetter.damagedMax)
            let said = MailboxOutbox.Said(
                have: Set(heads), damaged: Set(damaged), wants: Set(chunksWanted(in: context)))
            let answer = outbox.due(
                lack(of: audiences, in: context), said: said, to: isLeaving ? [] : members.map(\.epoch),
                losses: catalogue.losses(at: now), at: now, under: limits, using: &generator)
            switch answer {
            case .nothing: return requests
            case .changes:
                var (isAll, isAny) = (true, false)
                for audience in audiences where !audience.lacking.isEmpty {
                    let batch = audience.told == nil ? context.batch(of: audience.lacking) : audience.lacking
                    let request = put(batch, for: audience, heads, &correspondence, in: context, using: &generator)
                    if let request {
                        requests.append(request)
                        isAny = true
                    }
                    if request == nil || batch.count < audience.lacking.count { isAll = false }
                }
                guard isAny else {
                    outbox.couldNotPut(at: now, under: limits)
                    return requests
                }
                outbox.put(upTo: isAll ? context.durableCount : nil)
            case .receipt:
                for audience in members where outbox.owes(said, to: audience.epoch) {
                    let request = put([], for: audience, heads, &correspondence, in: context, using: &generator)
                    if let request { requests.append(request) }
                }
                outbox.toldNow()
            }
        }
        return requests
    }

    /// Which devices read what, and what they lack. A device that is met in a session is served by that session.
    func audiences(in context: MailboxContext) -> [Audience] {
        guard let newest = context.epochs.first else { return [] }
        let (log, held) = (context.log, context.epochs)
        let others = log.membersWithNode.filter { $0 != context.secrets.device }
        let readers = others.filter { !context.met.contains($0.replica) }
        let mayLackEpoch = Set(context.mayLackEpoch.map(\.replica))
        let isOpen = !log.leavesRemovalsUnanswered(newest.id)
        let groups = Dictionary(grouping: readers) { device in
            mayLackEpoch.contains(device.replica) ? log.epoch(knownTo: device.replica, of: held) : newest.id
        }
        return held.compactMap { epoch in
            guard let readers = groups[epoch.id] else { return nil }
            let boxes = isOpen && epoch == newest ? nil : others + [context.secrets.device]
            var audience = Audience(epoch: epoch.id, boxes: boxes, readers: readers)
            audience.lacking = context.lacking(readers, coverage(of: epoch.id, for: readers, in: context))
            return audience
        }
    }

    /// What lies in the slots of an epoch where all of some devices can read it, and what is on its way there.
    private func coverage(of epoch: Bytes16, for readers: [Device], in context: MailboxContext) -> Coverage {
        let log = context.log
        let slots = readSlots(of: epoch, under: context.limits.mailbox)
        let admissions = readers.compactMap { log.admission(of: $0.replica) }
        var coverage = catalogue.coverage(of: slots, changes: context.durableCount) {
            $0.isReadable(in: log, sinceAdmitted: admissions)
        }
        for (key, put) in outbox.puts
        where slots.contains(key.slot) && put.contents.isReadable(in: log, sinceAdmitted: admissions) {
            coverage.add(put.contents)
        }
        return coverage
    }

    private func lack(of audiences: [Audience], in context: MailboxContext) -> MailboxOutbox.Lack {
        let log = context.log
        var lack = MailboxOutbox.Lack()
        for index in audiences.flatMap(\.lacking) {
            if lack.bytes < MailboxLetter.recordBytesMax { lack.bytes += log.recordToSend(index).count }
            guard context.local.credentials(of: log.graph[index].change.replica) != nil else { continue }
            lack.lastOwn = max(lack.lastOwn, index)
            if index >= outbox.putEnd { lack.isOwnNews = true }
        }
        return lack
    }

    /// The request that puts a letter; nil where none can be put.
    private mutating func put(
        _ indices: [Int], for audience: Audience, _ have: [Bytes32], _ correspondence: inout Correspondence,
        in context: MailboxContext, using generator: inout some RandomNumberGenerator
    ) -> MailboxRequest? {
        let (log, limits) = (context.log, context.limits.mailbox)
        guard outbox.puts.count < limits.putsMax, let slot = writeSlot(of: audience.epoch),
            let keys = slots[slot]?.keys
        else { return nil }
        let time = correspondence.nextLetter(at: context.time.wall)
        let letter = letter(indices, for: audience, have: have, at: time, in: slot, context)
        let block = MailboxBlock.seal(
            letter.encoding, in: slot, under: keys, to: audience.boxes, using: &generator, context.cryptography)
        guard let block else { return nil }
        var contents = BlockCatalogue.Contents(
            isOwn: true, boxedAt: audience.boxes == nil ? nil : letter.have, author: context.own, told: audience.told)
        var said: MailboxOutbox.Said?
        if audience.told == nil {
            (contents.indices, contents.time) = (indices, letter.time)
            contents.bodiless = Set(indices.filter { !log.sendsWhole($0) })
            said = MailboxOutbox.Said(letter)
        }
        return put(block, in: slot, contents, said: said, to: audience.epoch, context)
    }

    /// The request that puts a block.
    mutating func put(
        _ block: [UInt8], in slot: MailboxSlot, _ contents: BlockCatalogue.Contents, said: MailboxOutbox.Said? = nil,
        to epoch: Bytes16? = nil, _ context: MailboxContext
    ) -> MailboxRequest {
        let key = BlockCatalogue.Key(slot: slot, name: BlockName(context.cryptography.hash(block)))
        let until = context.now + context.limits.mailbox.patience
        outbox.put(key, contents: contents, said: said, to: epoch, until: until)
        return .put(key.name, slot, block)
    }

    /// A letter that tells a device that it is out says nothing of its author.
    private func letter(
        _ indices: [Int], for audience: Audience, have: [Bytes32], at time: Int64, in slot: MailboxSlot,
        _ context: MailboxContext
    ) -> MailboxLetter {
        let log = context.log
        if let told = audience.told {
            return MailboxLetter(
                by: context.secrets, at: time, records: indices.map { log.graph[$0].head }, have: [],
                absent: AbsentBodies(), telling: told.device, in: slot, using: context.cryptography)
        }
        return MailboxLetter(
            by: context.secrets, at: time, records: indices.map { log.recordToSend($0) }, have: have,
            absent: context.replication.absent, damaged: catalogue.damaged(limit: MailboxLetter.damagedMax),
            wants: context.ownFarewell == nil ? chunksWanted(in: context) : [], in: slot, using: context.cryptography)
    }
}
