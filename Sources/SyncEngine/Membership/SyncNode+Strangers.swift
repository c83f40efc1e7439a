import ChangeLog
import DeltaCRDT

/// What a stranger handed over so far of the changes that admit it.
struct ShownAdmission: Sendable {
    /// Those that are not here, each after its past.
    private(set) var changes: [SignedChange] = []
    private var bytes = 0
    /// The last that came, here or not.
    private(set) var last: Bytes32?
    /// How often an admission of the stranger came.
    private var count = 0

    var isComplete: Bool { count > 0 }

    /// What follows from some of the changes.
    enum Progress: Hashable, Sendable {
        /// None of them admits the stranger.
        case incomplete
        /// The last that admits it.
        case admission(Bytes32)
        /// They can't be read, or are more than is taken.
        case refused
    }

    mutating func take(
        _ records: [[UInt8]], of peer: Session.PeerIdentity, in log: TripLog, limits: SessionLimits
    ) -> Progress {
        var progress = Progress.incomplete
        for record in records {
            guard let signed = try? SignedChange(record: record, using: log.cryptography) else { return .refused }
            last = signed.hash
            if case .admit(let admission) = signed.change.statement, admission.device.replica == peer.replica {
                progress = .admission(signed.hash)
            }
            guard log.graph.index(of: signed.hash) == nil else { continue }
            changes.append(signed)
            bytes += record.count
            guard changes.count <= limits.strangerChangesMax, bytes <= limits.strangerBytesMax else { return .refused }
        }
        if progress != .incomplete { count += 1 }
        return count > limits.strangerAdmissionsMax ? .refused : progress
    }

    /// Of these changes one with its past, each after its past.
    func past(of hash: Bytes32) -> [SignedChange] {
        var past: Set<Bytes32> = [hash]
        return changes.reversed().filter { signed in
            guard past.contains(signed.hash) else { return false }
            past.formUnion(signed.change.heads)
            if let previous = signed.change.previous { past.insert(previous) }
            return true
        }.reversed()
    }
}

// A device may be one that nobody here has met, because the member who admitted it is gone, or was removed. Only the device itself
// can show its admission then. Whatever is here of it, this node does the same: it listens, and tells why the device is out.
extension SyncNode {
    /// Takes what a stranger hands over, if that shows that its person is in, or waits.
    mutating func shown(_ records: [[UInt8]], by session: StrangerSession) {
        guard let index = table.index(of: session.id) else { return }
        let peer = table[at: index].peer
        guard table[at: index].probation.take(records, under: limits) else { return end(session.id) }
        switch table[at: index].shownAdmission.take(records, of: peer, in: log, limits: limits) {
        case .refused: return end(session.id)
        case .incomplete: break
        case .admission(let hash):
            let shown = table[at: index].shownAdmission.past(of: hash).map(\.record)
            if !shown.isEmpty, isLetIn(peer, by: shown) { turns.chargeAuthors(of: accept(shown).indices, in: log) }
        }
        // The peer sends only so much that isn't acknowledged. This says nothing of what is here.
        if let last = table[session.id]?.shownAdmission.last { send(.have([last]), on: session.id) }
        pump(session.id)
    }

    /// Whether changes show that a device's person is in, or waits, and no more wait than may. O(log + changes): they are read on a copy of
    /// the log.
    private func isLetIn(_ peer: Session.PeerIdentity, by records: [[UInt8]]) -> Bool {
        var grown = log
        guard grown.receive(records, ownedBy: secrets.device.participant).refusal == nil,
            grown.device(peer.replica)?.agreementKey == peer.key
        else { return false }
        return grown.isIn(peer.replica)
            || grown.departure(of: peer.replica)?.waitsFor != nil && grown.peopleWaiting.count <= limits.waitingMax
    }
}
