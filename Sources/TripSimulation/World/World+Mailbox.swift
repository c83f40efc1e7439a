import ChangeLog
import Convergence
package import SyncEngine

// One more peer of all machines, which only stores.
extension World {
    mutating func attachMailbox(to id: NodeID) {
        if let mailbox { handle(.mailbox(.attached(mailbox.prefix)), on: id) }
    }

    /// Sends a machine's request to the mailbox. The answers arrive in any order.
    mutating func ask(_ request: MailboxRequest, by id: NodeID) {
        guard var box = mailbox else { return }
        let answers = box.answers(to: request, using: &machines[id].chance)
        mailbox = box
        for answer in answers {
            let delay = machines[id].chance.number(in: isMailboxLate ? 100...45_000 : 20...400)
            later(.event(.mailbox(seen(answer, by: id))), on: id, at: time + UInt64(delay))
        }
        guard case .put(let name, let slot, let bytes) = request else { return }
        if secrets.finds(in: bytes) { see(.secretSeen(id)) }
        see(.posted(id, slot, bytes))
        if mutation == .believedBox { machines[id].believed[slot, default: []].append(name) }
        for other in machines.indices where other != id && machines[other].isRunning {
            let delay = machines[other].chance.number(in: 50...2_000)
            later(.event(.mailbox(.changed(slot.prefix))), on: other, at: time + UInt64(delay))
        }
    }

    /// Puts a block that no machine wrote.
    package mutating func layIntoMailbox(_ block: [UInt8], in slot: MailboxSlot) {
        guard var box = mailbox else { return }
        box.lay(block, in: slot)
        mailbox = box
    }

    /// What a machine is told, or a fault of the world makes of it.
    private mutating func seen(_ answer: MailboxAnswer, by id: NodeID) -> MailboxAnswer {
        guard case .listed(let slot, let names) = answer else { return answer }
        switch mutation {
        case .believedBox: return .listed(slot, names.map { $0 + (machines[id].believed[slot] ?? []) })
        case .firstListing:
            if let first = machines[id].firstListings[slot] { return .listed(slot, first) }
            machines[id].firstListings[slot] = names
            return answer
        default: return answer
        }
    }
}
