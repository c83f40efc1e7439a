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
extension MailboxDesk {
    /// Devices that are out, use the mailbox, and were not told there: each with its removal and what it lacks of the past of that, if
    /// all of it fits one letter.
    func outsiders(in context: MailboxContext) -> [Audience] {
        let log = context.log
        let slots = catalogue.slotsOfAuthors.filter { log.isOut($0.key) }
        guard !slots.isEmpty else { return [] }
        var told = catalogue.told { $0.isBelieved(by: context.own, in: log) }
        told.formUnion(outbox.puts.values.compactMap(\.contents.told))
        var audiences: [Audience] = []
        for replica in slots.keys.sorted() where !context.met.contains(replica) {
            guard audiences.count < context.limits.mailbox.toldMax else { break }
            let held = context.knowledge(of: replica).held
            func telling(_ removal: Int) -> BlockCatalogue.Telling {
                BlockCatalogue.Telling(device: replica, removal: log.graph[removal].hash)
            }
            // Who has left holds the farewell.
            let explanation = log.explanation(to: replica) {
                held.contains($0, in: log.graph) || told.contains(telling($0))
            }
            guard case .lacked(let removal) = explanation, removal < context.durableCount,
                outbox.mayTell(replica, at: context.now),
                let audience = outsider(telling(removal), removal, writingIn: slots[replica] ?? [], in: context)
            else { continue }
            audiences.append(audience)
        }
        return audiences
    }

    private func outsider(
        _ telling: BlockCatalogue.Telling, _ removal: Int, writingIn written: Set<MailboxSlot>,
        in context: MailboxContext
    ) -> Audience? {
        let log = context.log
        // It reads where it writes.
        let known = Set(written.compactMap { slots[$0]?.keys.id })
        guard context.membership.isStillTold(telling.device, in: log, at: context.time.wall),
            let device = log.device(telling.device), let epoch = context.epochs.first(where: { known.contains($0.id) })
        else { return nil }
        let lacking = lacking(removal, telling.device, epoch.id, in: context)
        guard !lacking.isEmpty, lacking.count <= MailboxLetter.recordsMax,
            lacking.reduce(0, { $0 + log.graph[$1].head.count }) <= MailboxLetter.recordBytesMax
        else { return nil }
        return Audience(
            epoch: epoch.id, boxes: log.membersWithNode + [device], readers: [device], lacking: lacking, told: telling)
    }

    /// A removal, and those of its past that a device neither holds nor finds in letters that all holders of an epoch's secret can read.
    private func lacking(_ removal: Int, _ replica: ReplicaID, _ epoch: Bytes16, in context: MailboxContext) -> [Int] {
        let log = context.log
        let slots = readSlots(of: epoch, under: context.limits.mailbox)
        let open = catalogue.coverage(of: slots, changes: context.durableCount) { contents in
            guard contents.boxedAt == nil, let author = contents.author else { return false }
            return log.isIn(author)
        }
        let held = context.knowledge(of: replica).held
        guard held.prefix <= removal else { return [] }
        return (held.prefix...removal).filter {
            log.graph.isPast($0, of: removal) && !held.contains($0, in: log.graph)
                && ($0 == removal || !open.contains($0, withBody: false))
        }
    }
}

extension BlockCatalogue.Contents {
    /// Whether a letter tells what it says. Another member's may be false: the author of a removal tells of it in any case.
    fileprivate func isBelieved(by own: ReplicaID, in log: TripLog) -> Bool {
        if isOwn { return true }
        guard let author, log.isIn(author), let told, let removal = log.graph.index(of: told.removal) else {
            return false
        }
        return log.graph[removal].change.replica != own
    }
}
