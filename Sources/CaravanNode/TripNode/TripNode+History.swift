import ChangeLog
import SyncEngine
import TripModel
import TripRules
import TripService

// Who did what, when: what the fold says of the trip's content, and the log of who is in.
extension TripNode {
    /// Everything that counts, oldest first. O(n log n) in the changes.
    func history() -> HistoryView {
        var contents: [TripChange] = []
        var others: [HistoryEntry] = []
        for place in node.log.graph.changes.indices where node.isShown(place) {
            let change = node.applied(place)
            if let content = change.tripChange() { contents.append(content) }
            if let entry = membershipEntry(change) { others.append(entry) }
        }
        return view(of: TripReplica.history(of: contents, and: others))
    }

    /// What a change did with who is in; nil for one that people need not hear of.
    func membershipEntry(_ change: AppliedChange) -> HistoryEntry? {
        guard let statement = change.signed.change.statement, let event = event(of: statement, by: change.participant)
        else { return nil }
        return HistoryEntry(
            participant: ParticipantID(change.participant),
            stamp: Stamp(lamport: change.lamport, hash: ChangeHash(change.hash)), wallTime: change.wallTime,
            events: [event])
    }

    private func event(of statement: Statement, by author: Bytes32) -> HistoryEvent? {
        switch statement {
        case .found: return .founded
        case .admit(let admission):
            let device = admission.device
            return .letIn(
                participant: ParticipantID(device.participant), name: Self.shown(admission.name),
                as: node.log.isGuest(device.participant)
                    ? .guest : node.log.isFirst(device) ? .participant : .device)
        case .invite(let invite): return .invited(uses: invite.uses, forOwnDevice: invite.participant != nil)
        case .closeInvite: return .closedInvite
        case .remove(let participant, _, _):
            if participant == author { return .left }
            // A removal by somebody who isn't above changes nothing.
            guard node.log.isAncestor(author, of: participant) else { return nil }
            return .tookOut(participant: ParticipantID(participant), name: ownName(of: participant))
        case .end(let replica, _, _):
            return node.log.device(replica).map { .endedDevice(name: deviceName($0)) }
        case .beginEpoch, .grant: return nil
        }
    }

    func view(of entries: [HistoryEntry]) -> HistoryView {
        HistoryView(entries: entries, names: trip.names(of: entries))
    }
}
