import ChangeLog
import DeltaCRDT
import SyncEngine
import TripModel

// What this device's person did not see yet of what others did.
extension TripNode {
    /// Takes in what a change did. O(its events).
    /// - Parameter node: read only if there is something to see, because each read of an actor's node copies it.
    /// - Returns: whether there is something new for the person here.
    func noteNews(_ entry: HistoryEntry, of change: AppliedChange, in node: @autoclosure () -> SyncNode) -> Bool {
        guard let end = own.seen?.end, change.place >= end else { return false }
        let items = entry.itemsToSee
        guard !items.isEmpty, isNews(change, in: node()) else { return false }
        news.note(items, at: change.place)
        return true
    }

    /// Whether somebody else wrote a change, and the member who admitted this device did not have it: what they had is part of the trip
    /// that its person came to.
    private func isNews(_ change: AppliedChange, in node: SyncNode) -> Bool {
        guard change.participant != node.secrets.device.participant else { return false }
        guard let admission = node.log.admission(of: node.secrets.device.replica) else { return false }
        return !node.log.applied(admission).past.contains(change.place, branch: change.branch)
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
