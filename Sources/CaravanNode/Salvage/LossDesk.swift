import ChangeLog
import DeltaCRDT
import TripStore

/// Changes written here that the disk lost, and changes that it kept and whose past it lost (`caravan salvage`). Members may have what is
/// missing. Until it is back, nothing is written here, because a new change would begin a second branch of the same log.
struct LossDesk: Sendable {
    /// What follows from what came back. Outcomes are carried out in order, but not while effects are performed.
    enum Outcome: Sendable {
        /// All changes written here are here again.
        case regained
        /// The past of these is here now: the log takes their records.
        case carry([SignedChange])
    }

    /// The last acknowledged change of each log that is written here and is not whole.
    private(set) var lost: [WrittenMark] = []
    /// Changes whose past is missing, each after those that it builds on.
    private var orphans: [SignedChange] = []

    /// Compares what was acknowledged with what is here.
    ///
    /// - Returns: whether some of it is missing.
    mutating func find(_ marks: [WrittenMark], in log: TripLog) -> Bool {
        lost = marks.filter { log.graph.index(of: $0.hash) == nil }
        return !lost.isEmpty
    }

    /// Keeps changes whose past is missing.
    mutating func keep(orphans new: [SignedChange]) { orphans = new.sorted { $0.stamp < $1.stamp } }

    /// Notes what came back. Orphans whose whole past is here are tried once, and again when the trip is opened.
    mutating func look(in log: TripLog) -> [Outcome] {
        var outcomes: [Outcome] = []
        if !lost.isEmpty, !find(lost, in: log) { outcomes.append(.regained) }
        var ready: [SignedChange] = []
        var hashes: Set<Bytes32> = []
        for signed in orphans
        where signed.change.links.allSatisfy({ log.graph.index(of: $0) != nil || hashes.contains($0) }) {
            ready.append(signed)
            hashes.insert(signed.hash)
        }
        orphans.removeAll { hashes.contains($0.hash) }
        if !ready.isEmpty { outcomes.append(.carry(ready)) }
        return outcomes
    }

    /// Gives up what is missing: the present end of each log counts as what was acknowledged.
    ///
    /// - Parameter marks: what was acknowledged.
    /// - Returns: what counts as acknowledged now, and the loss, as a text for people.
    mutating func giveUp(_ marks: [WrittenMark], in log: TripLog) -> (marks: [WrittenMark], loss: String) {
        let loss = "\(text(in: log)) lost on disk and could not be recovered"
        let missing = Set(lost.map(\.replica))
        lost = []
        return (marks.filter { !missing.contains($0.replica) } + missing.compactMap { log.lastMark(of: $0) }, loss)
    }

    // MARK: - What people are told

    /// How many changes are missing.
    func count(in log: TripLog) -> UInt64 {
        lost.reduce(0) { $0 + max(1, $1.number - min($1.number, log.lastMark(of: $1.replica)?.number ?? 0)) }
    }

    /// The message to people while changes are missing; nil if none are.
    func problem(in log: TripLog) -> String? {
        guard !lost.isEmpty else { return nil }
        return
            "\(text(in: log)) lost on disk; run `caravan up` near members who have \(count(in: log) == 1 ? "it" : "them") to recover"
    }

    /// "1 of your changes was".
    private func text(in log: TripLog) -> String {
        let count = count(in: log)
        return "\(count) of your changes \(count == 1 ? "was" : "were")"
    }
}

extension TripLog {
    /// The change of a log with the greatest number here.
    fileprivate func lastMark(of replica: ReplicaID) -> WrittenMark? {
        let lasts = (graph.branchesOfReplica[replica] ?? []).map { graph[graph.branches[Int($0)].last] }
        return lasts.max { $0.change.number < $1.change.number }.map {
            WrittenMark(replica: replica, number: $0.change.number, hash: $0.hash)
        }
    }
}
