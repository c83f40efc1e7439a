import ChangeLog
import SyncEngine
import TripModel
import TripRules
import TripService

// Who did what, when: what the fold says of the trip's content, and the log of who is in.
extension TripReader {
    /// The trip's content as changes that count said it, in the order in which they came. O(changes).
    var contents: [TripChange] { shownIndices.compactMap { node.applied($0).tripChange() } }

    private var shownIndices: LazyFilterSequence<Range<Int>> {
        node.log.graph.changes.indices.lazy.filter { node.isShown($0) }
    }

    /// Everything that counts, oldest first. O(n log n) in the changes.
    var history: [HistoryEntry] {
        let others: [HistoryEntry] = shownIndices.compactMap { index in
            HistoryEntry(ofMembership: node.applied(index), in: node.log, ownName: ownName)
        }
        return TripReplica.history(of: contents, and: others)
    }

    /// The newest change of the person here that takes back no other one.
    var newestOwnChange: ChangeHash? {
        for index in shownIndices.reversed() {
            let change = node.applied(index)
            guard change.participant == own.participant, let said = change.tripChange(), said.undoneChange == nil
            else { continue }
            return said.hash
        }
        return nil
    }

    /// The last removal of somebody by the person here of which undo did not say yet that it stays. O(n) in the trip's changes.
    /// - Parameter stamp: where the last change stands that undo can take back; undo reaches a removal before that one later.
    func lastRemoval(after stamp: LamportTimestamp?) -> (stamp: LamportTimestamp, name: String)? {
        var reached: Set<ChangeHash> = []
        for index in shownIndices.reversed() {
            let change = node.applied(index)
            let removal = LamportTimestamp(lamport: change.lamport, hash: ChangeHash(change.hash))
            guard change.participant == own.participant, stamp.map({ $0 < removal }) ?? true else { continue }
            if let undone = change.tripChange()?.undoneChange { reached.insert(undone) }
            guard case .remove(let removed, _, _)? = change.signed.change.statement, removed != own.participant,
                !reached.contains(removal.hash)
            else { continue }
            return (removal, name(of: removed))
        }
        return nil
    }
}

extension HistoryEntry {
    /// What a change did with who is in; nil for one that people need not hear of.
    ///
    /// - Parameter ownName: the name that a person chose.
    init?(ofMembership change: AppliedChange, in log: TripLog, ownName: (Bytes32) -> String) {
        guard let statement = change.signed.change.statement,
            let event = HistoryEvent(statement, by: change.participant, in: log, ownName: ownName)
        else { return nil }
        self.init(
            participant: ParticipantID(change.participant),
            stamp: LamportTimestamp(lamport: change.lamport, hash: ChangeHash(change.hash)), wallTime: change.wallTime,
            events: [event])
    }
}

extension HistoryEvent {
    fileprivate init?(_ statement: Statement, by author: Bytes32, in log: TripLog, ownName: (Bytes32) -> String) {
        switch statement {
        case .found: self = .founded
        case .admit(let admission):
            let device = admission.device
            self = .letIn(
                participant: ParticipantID(device.participant), name: TripLog.shown(admission.name),
                as: log.isGuest(device.participant) ? .guest : log.isFirst(device) ? .participant : .device)
        case .invite(let invite): self = .invited(uses: invite.uses, forOwnDevice: invite.participant != nil)
        case .closeInvite: self = .closedInvite
        case .remove(let participant, _, _):
            if participant == author {
                self = .left
            } else if log.isAncestor(author, of: participant) {
                self = .tookOut(participant: ParticipantID(participant), name: ownName(participant))
            } else {
                // A removal by somebody who isn't above changes nothing.
                return nil
            }
        case .end(let replica, _, _):
            guard let device = log.device(replica) else { return nil }
            self = .endedDevice(name: log.name(of: device))
        case .beginEpoch, .grant: return nil
        }
    }
}
