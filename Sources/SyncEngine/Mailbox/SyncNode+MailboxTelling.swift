import ChangeLog
import DeltaCRDT

extension BlockCatalogue {
    /// That a device is out, by a removal.
    struct Telling: Hashable, Sendable {
        let device: ReplicaID
        let removal: Bytes32
    }

    /// The slots in which letters by each author lie, whether they are read or kept out. O(blocks).
    var slotsOfAuthors: [ReplicaID: Set<MailboxSlot>] {
        var slots: [ReplicaID: Set<MailboxSlot>] = [:]
        for (key, state) in states {
            switch state {
            case .read(let contents): if let author = contents.author { slots[author, default: []].insert(key.slot) }
            case .unproven(let author): slots[author, default: []].insert(key.slot)
            default: break
            }
        }
        return slots
    }

    /// What devices are told in some letters. O(blocks).
    func told(where isMeant: (Contents) -> Bool) -> Set<Telling> {
        Set(
            states.values.compactMap { state in
                guard case .read(let contents) = state, let told = contents.told, isMeant(contents)
                else { return nil }
                return told
            })
    }
}

// A removed member who meets nobody in a session learns of the removal through the mailbox, and of nothing else.
extension SyncNode {
    /// Devices that are out, use the mailbox, and were not told there: each with its removal and what it lacks of the past of that, if
    /// all of it fits one letter.
    func outsiders(at index: Int) -> [Audience] {
        let desk = mailboxes.desks[index]
        let slots = desk.catalogue.slotsOfAuthors.filter { log.isOut($0.key) }
        guard !slots.isEmpty else { return [] }
        var told = desk.catalogue.told(where: isBelieved)
        told.formUnion(desk.outbox.puts.values.compactMap(\.contents.told))
        let met = table.metReplicas
        var audiences: [Audience] = []
        for replica in slots.keys.sorted() where !met.contains(replica) {
            guard audiences.count < limits.mailbox.toldMax else { break }
            guard let removal = log.departure(of: replica)?.place, removal < replication.durableCount,
                desk.outbox.mayTell(replica, at: now.monotonic)
            else { continue }
            let telling = BlockCatalogue.Telling(device: replica, removal: log.graph[removal].hash)
            guard !told.contains(telling),
                let audience = outsider(telling, removal, writingIn: slots[replica] ?? [], at: index)
            else { continue }
            audiences.append(audience)
        }
        return audiences
    }

    /// Whether a letter tells what it says. Another member's may be false: the author of a removal tells of it in any case.
    private func isBelieved(_ contents: BlockCatalogue.Contents) -> Bool {
        if contents.isOwn { return true }
        guard let author = contents.author, log.isIn(author), let told = contents.told,
            let removal = log.graph.place(of: told.removal)
        else { return false }
        return log.graph[removal].change.replica != secrets.device.replica
    }

    private func outsider(
        _ telling: BlockCatalogue.Telling, _ removal: Int, writingIn slots: Set<MailboxSlot>, at index: Int
    ) -> Audience? {
        // It reads where it writes.
        let known = Set(slots.compactMap { mailboxes.desks[index].slots[$0]?.keys.id })
        guard membership.isStillTold(telling.device, in: log, at: now.wall), let device = log.device(telling.device),
            let epoch = epochs.held.first(where: { known.contains($0.id) })
        else { return nil }
        let lacking = lacking(removal, telling.device, epoch.id, at: index)
        // Who has left knows it.
        guard !lacking.isEmpty, lacking.count <= MailboxLetter.recordsMax,
            lacking.reduce(0, { $0 + log.graph[$1].head.count }) <= MailboxLetter.recordBytesMax
        else { return nil }
        return Audience(
            epoch: epoch.id, boxes: log.membersWithNode + [device], readers: [device], lacking: lacking, told: telling)
    }

    /// A removal, and those of its past that a device neither holds nor finds in letters that all holders of an epoch's secret can read.
    private func lacking(_ removal: Int, _ replica: ReplicaID, _ epoch: Bytes16, at index: Int) -> [Int] {
        let desk = mailboxes.desks[index]
        let log = log
        let open = desk.catalogue.coverage(
            of: desk.readSlots(of: epoch, under: limits.mailbox), changes: replication.durableCount
        ) { contents in
            guard contents.boxedAt == nil, let author = contents.author else { return false }
            return log.isIn(author)
        }
        let held = knowledge(of: replica).held
        guard held.prefix <= removal else { return [] }
        return (held.prefix...removal).filter {
            log.graph.isPast($0, of: removal) && !held.contains($0, in: log.graph)
                && ($0 == removal || !open.contains($0, withBody: false))
        }
    }

    /// A letter that tells a device that it is out. It says nothing of its author.
    mutating func letter(telling replica: ReplicaID, _ places: [Int], in slot: MailboxSlot) -> MailboxLetter {
        MailboxLetter(
            by: secrets, at: mailboxes.nextLetter(at: now.wall), records: places.map { log.graph[$0].head }, have: [],
            absent: AbsentBodies(), telling: replica, in: slot, using: cryptography)
    }

    /// - Parameter removal: the last change of the letter.
    mutating func noteTold(_ letter: MailboxLetter, _ removal: Bytes32?, _ key: BlockCatalogue.Key, at index: Int) {
        var contents = BlockCatalogue.Contents(
            isOwn: letter.author == secrets.device.replica, boxedAt: [], author: letter.author)
        if let device = letter.told, let removal {
            contents.told = BlockCatalogue.Telling(device: device, removal: removal)
        }
        mailboxes.desks[index].catalogue.note(key, .read(contents))
    }
}
