import ChangeLog
import DeltaCRDT
import Sodium
import SyncEngine
import TripModel
import TripRules
import TripService
import TripStore

/// The result of the intact changes: a log of those whose whole past is here, and those that wait for lost changes.
///
/// Every signature, and every change's place in its log, is checked as if a stranger had sent it.
struct SalvagedLog {
    private(set) var log: TripLog
    /// Intact, and built on lost changes; those that others of them build on first.
    private(set) var waiting: [SignedChange] = []
    /// Whether a change that the seal shows to be whole is of a form that this version does not read.
    private(set) var hasNewer = false

    /// - Parameter changes: in any order; fastest in the order in which they were written.
    init(_ changes: [StoredChange], of trip: Bytes32, using cryptography: SodiumCryptography) {
        log = TripLog(trip: trip, cryptography: cryptography)
        for change in changes {
            guard let signed = try? SignedChange(record: change.record, using: cryptography) else {
                hasNewer = true
                continue
            }
            if !take(signed) { waiting.append(signed) }
        }
        // By its time a change follows all of its past.
        waiting.sort { $0.stamp < $1.stamp }
        waiting = waiting.filter { !take($0) }
    }

    /// Whether nothing more is to be done with it: it is in the log, or belongs nowhere.
    private mutating func take(_ signed: SignedChange) -> Bool {
        let received = log.receive([signed.record])
        return received.refusal.map { $0 != .missingPast } ?? (log.graph.index(of: signed.hash) != nil)
    }

    /// The changes of the log, each after its past.
    var kept: [StoredChange] { log.graph.changes.map { StoredChange(hash: $0.hash, record: $0.record) } }

    /// What waits, as a store keeps it.
    var waitingChanges: [StoredChange] { waiting.map { StoredChange(hash: $0.hash, record: $0.record) } }

    /// The last change of each of these logs that is known to have been written: beside it nothing may be written.
    func marks(of replicas: Set<ReplicaID>, besides known: [WrittenMark]) -> [WrittenMark] {
        let seen = (log.graph.changes + waiting).filter { replicas.contains($0.change.replica) }.map {
            WrittenMark(replica: $0.change.replica, number: $0.change.number, hash: $0.hash)
        }
        let all = Dictionary(grouping: known + seen, by: \.replica)
        return all.values.compactMap { $0.max { $0.number < $1.number } }
    }

    // MARK: - For people

    /// What is known to have been and is not here.
    ///
    /// - Parameters:
    ///   - marks: of logs that are written here, the last change.
    ///   - unreadable: how many rows of the store do not open.
    func losses(_ marks: [WrittenMark], unreadable: Int) -> [SalvageView.Loss] {
        let names = names
        let here = Dictionary((log.graph.changes + waiting).map { ($0.hash, $0) }) { first, _ in first }
        var losses: [Bytes32: SalvageView.Loss] = [:]
        func note(_ hash: Bytes32, of replica: ReplicaID, number: UInt64, before: Int64?) {
            // The numbers of an author's changes have no gap.
            let last = here.values.filter { $0.change.replica == replica && $0.change.number < number }
                .max { $0.change.number < $1.change.number }
            let count = Int(clamping: number - (last?.change.number ?? 0))
            losses[hash] = SalvageView.Loss(
                author: names(replica), count: count, after: last?.change.wallTime, before: before)
        }
        for mark in marks where here[mark.hash] == nil {
            note(mark.hash, of: mark.replica, number: mark.number, before: nil)
        }
        for signed in waiting {
            guard let previous = signed.change.previous, here[previous] == nil else { continue }
            note(previous, of: signed.change.replica, number: signed.change.number - 1, before: signed.change.wallTime)
        }
        // Of what only others had seen nothing says whose it was.
        for signed in waiting {
            for head in signed.change.heads where here[head] == nil && losses[head] == nil {
                losses[head] = SalvageView.Loss(author: nil, count: 1, after: nil, before: signed.change.wallTime)
            }
        }
        let rest = unreadable - losses.values.reduce(0) { $0 + $1.count }
        let others = rest > 0 ? [SalvageView.Loss(author: nil, count: rest, after: nil, before: nil)] : []
        return losses.values.sorted { ($0.author ?? "~", $0.before ?? .max) < ($1.author ?? "~", $1.before ?? .max) }
            + others
    }

    /// What waits, by author.
    var waitingByAuthor: [SalvageView.Waiting] {
        let names = names
        return Dictionary(grouping: waiting) { names($0.change.replica) ?? "somebody" }.map { name, changes in
            let times = changes.map(\.change.wallTime)
            return SalvageView.Waiting(
                author: name, count: changes.count, from: times.min() ?? 0, to: times.max() ?? 0)
        }.sorted { $0.author < $1.author }
    }

    var title: String {
        var trip = trip
        return trip.title?.value ?? ""
    }

    private var trip: LiveTrip {
        var trip = LiveTrip()
        for index in log.graph.changes.indices where log.isShown(index) { trip.apply(log.applied(index)) }
        return trip
    }

    /// Whose device a log is.
    private var names: (ReplicaID) -> String? {
        let trip = trip
        return { replica in
            guard let participant = log.facts.participant(of: replica) else { return nil }
            return trip.givenName(of: ParticipantID(participant)) ?? log.person(participant)?.name
        }
    }
}
