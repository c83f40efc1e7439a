import ChangeLog
import DeltaCRDT

/// What a stranger handed over so far: changes that are not here, until the one that admits it.
struct ShownAdmission: Sendable {
    private(set) var records: [[UInt8]] = []
    private var bytes = 0

    enum Progress: Hashable, Sendable {
        case incomplete
        case complete
        /// It can't be read, or is more than is taken.
        case refused
    }

    /// Takes some of the changes, each after its past.
    mutating func take(
        _ records: [[UInt8]], of peer: Session.PeerIdentity, in log: TripLog, limits: SessionLimits
    ) -> Progress {
        for record in records {
            guard let signed = try? SignedChange(record: record, using: log.cryptography) else { return .refused }
            guard log.graph.index(of: signed.hash) == nil else { continue }
            self.records.append(record)
            bytes += record.count
            guard self.records.count <= limits.strangerChangesMax, bytes <= limits.strangerBytesMax else {
                return .refused
            }
            if case .admit(let admission) = signed.change.statement, admission.device.replica == peer.replica {
                return .complete
            }
        }
        return .incomplete
    }
}

// A device may be one that nobody here has met, because the member who admitted it is gone, or was removed. Only the device itself
// can show its admission then.
extension SyncNode {
    /// Takes what a stranger hands over, if that shows that its person is in, or waits. Then this session ends: in the next one the
    /// device is known.
    mutating func shown(_ records: [[UInt8]], by session: StrangerSession) {
        guard let index = table.index(of: session.id) else { return }
        let peer = table[at: index].peer
        let progress =
            table[at: index].probation.take(records, under: limits)
            ? table[at: index].shownAdmission.take(records, of: peer, in: log, limits: limits) : .refused
        guard progress != .incomplete else { return }
        let shown = table[at: index].shownAdmission.records
        if progress == .complete, isLetIn(peer, by: shown) {
            turns.chargeAuthors(of: accept(shown).indices, in: log)
        }
        end(session.id)
    }

    /// Whether changes show that a device's person is in, or waits. O(log + changes): they are read on a copy of the log.
    private func isLetIn(_ peer: Session.PeerIdentity, by records: [[UInt8]]) -> Bool {
        var grown = log
        return grown.receive(records, ownedBy: secrets.device.participant).refusal == nil
            && grown.device(peer.replica)?.agreementKey == peer.key
            && (grown.isIn(peer.replica) || grown.departure(of: peer.replica)?.waitsFor != nil)
    }
}
