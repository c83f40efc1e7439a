import ChangeLog
import DeltaCRDT
import SyncEngine
import TripModel

// What this device's person did not see yet of what others did.
extension TripNode {
    /// Takes in what a change did. O(its events).
    /// - Returns: whether there is something new for the person here.
    func noteNews(_ entry: HistoryEntry, of change: AppliedChange) -> Bool {
        // Most was seen, and to look at the node copies it.
        guard let end = own.seen?.end, change.place >= end,
            change.participant != node.secrets.device.participant, !wasThereBefore(change)
        else { return false }
        return news.note(entry, at: change.place)
    }

    /// Whether the member who admitted this device had the change: it is part of the trip that its person came to.
    private func wasThereBefore(_ change: AppliedChange) -> Bool {
        guard let admission = node.log.admission(of: node.secrets.device.replica) else { return true }
        return node.log.applied(admission).past.contains(change.place, branch: change.branch)
    }

    /// What is new to the person here; nil until they first look.
    var newItems: [ItemID]? { own.seen.map { news.items(notIn: $0) } }

    /// Notes that the person here saw items, or all that there is for nil.
    /// - Returns: whether fewer are new now.
    @discardableResult
    func saw(_ items: [ItemID]?) -> Bool {
        let now = node.log.graph.changes.count
        let before = newItems
        var seen = own.seen ?? SeenChanges(end: now)
        if let items, own.seen != nil {
            // What is not new needs no note.
            seen.note(items.filter(Set(before ?? []).contains), now: now)
        } else {
            seen = SeenChanges(end: now)
        }
        // When nothing is left, one place says so.
        if news.items(notIn: seen).isEmpty { seen = SeenChanges(end: now) }
        guard before == nil || before != news.items(notIn: seen) else { return false }
        own.saw(seen)
        news.forget(seen)
        return true
    }
}
