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

    /// The last act of the person here with members, devices or invites of which undo did not say yet that it stays. What the removal of
    /// a device revokes is part of that act. O(n) in the trip's changes.
    /// - Parameters:
    ///   - stamp: where the last change stands that undo can take back; undo reaches an act before that one later.
    ///   - wallTime: when an invite must be open to be named, by the wall clock.
    func lastingAct(after stamp: LamportTimestamp?, at wallTime: Int64) -> LastingAct? {
        var reached: Set<ChangeHash> = []
        var acts: [(index: Int, stamp: LamportTimestamp, event: HistoryEvent)] = []
        var isRemovingDevice = false
        for index in shownIndices {
            let change = node.applied(index)
            let place = LamportTimestamp(lamport: change.lamport, hash: ChangeHash(change.hash))
            guard change.participant == own.participant, stamp.map({ $0 < place }) ?? true else { continue }
            if let said = change.tripChange() {
                isRemovingDevice = false
                if let undone = said.undoneChange { reached.insert(undone) }
            }
            guard let entry = HistoryEntry(ofMembership: change, in: node.log, ownName: ownName),
                let event = entry.events.first
            else { continue }
            switch event {
            case .closedInvite where isRemovingDevice: break
            case .tookOut, .endedDevice, .invited, .closedInvite:
                acts.append((index, place, event))
                isRemovingDevice = if case .endedDevice = event { true } else { false }
            default: break
            }
        }
        guard let last = acts.last(where: { !reached.contains($0.stamp.hash) }) else { return nil }
        return switch last.event {
        case .tookOut(let participant, _): LastingAct(last.stamp, "removing \(names[participant])")
        case .endedDevice(let name): LastingAct(last.stamp, "removing your device \(name.quoted)")
        case .invited(_, let isForOwnDevice):
            LastingAct(
                last.stamp, "creating an invite\(isForOwnDevice ? " for another device" : "")",
                remedy: node.log.openInvites(at: wallTime).first { $0.index == last.index }.map {
                    "revoke it with `caravan invite close \($0.id.description.prefix(8))`"
                })
        default: LastingAct(last.stamp, "revoking an invite", remedy: "create another with `caravan invite`")
        }
    }
}

/// An act with members, devices or invites, which undo can't take back.
struct LastingAct {
    let stamp: LamportTimestamp
    /// "removing Mia (out)".
    let what: String
    /// "create another with `caravan invite`"; nil where nothing ends what it did.
    let remedy: String?

    init(_ stamp: LamportTimestamp, _ what: String, remedy: String? = nil) {
        (self.stamp, self.what, self.remedy) = (stamp, what, remedy)
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
