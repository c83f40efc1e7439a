import ChangeLog
import DeltaCRDT

// A body that is needed and not here is asked of a peer that showed that it holds it.
extension SyncNode {
    /// Asks a peer for bodies that it holds and that are needed here, each author's in its fair share: so a member who tells headers and
    /// keeps the bodies back delays nobody else's.
    mutating func requestBodies(on id: ConnectionID) {
        guard let index = table.index(of: id), table[at: index].isWithMember else { return }
        let due = table[at: index].replication.bodiesDue(in: log, at: now.monotonic, pause: limits.wantDelay)
        if !due.isEmpty {
            let batch = fairShare(of: due, count: limits.bodiesWantedMax)
            table[at: index].replication.ask(forBodiesAt: batch, at: now.monotonic, pause: limits.wantDelay)
            send(.bodiesWanted(batch.map { log.graph[$0].hash }), on: id)
        }
        if let index = table.index(of: id), let next = table[at: index].replication.bodiesDeadline {
            turn.expect(next)
        }
    }

    /// Some of the changes at some indices: of each author the first, by branches of the tree of admissions.
    private mutating func fairShare(of indices: Set<Int>, count: Int) -> [Int] {
        guard indices.count > count else { return indices.sorted() }
        var remaining: [ReplicaID: [Int]] = [:]
        for index in indices.sorted(by: >) { remaining[log.graph[index].change.replica, default: []].append(index) }
        let log = log
        let lines = remaining.keys.sorted().map { ($0, turns.line(of: $0, in: log) ?? [Bytes32(words: (0, 0, 0, 0))]) }
        var (shares, batch) = (Shares(), [Int]())
        while batch.count < count {
            let next = lines.filter { remaining[$0.0]?.isEmpty == false }
                .min { shares.costs(along: $0.1).lexicographicallyPrecedes(shares.costs(along: $1.1)) }
            guard let (author, line) = next, let index = remaining[author]?.popLast() else { break }
            shares.charge(1, to: line)
            batch.append(index)
        }
        return batch.sorted()
    }

    /// Sends a member the bodies that it asks for, as far as one message holds them: it asks again for the rest.
    mutating func sendBodies(_ hashes: [Bytes32], to session: MemberSession) {
        var records: [[UInt8]] = []
        var bytes = 0
        for hash in hashes.prefix(limits.bodiesWantedMax) {
            guard let index = log.graph.index(of: hash), index < replication.durableCount, log.isShown(index) else {
                continue
            }
            let record = log.graph[index].record
            guard records.isEmpty || bytes + record.count <= limits.batchBytesMax else { break }
            records.append(record)
            bytes += record.count
        }
        if !records.isEmpty { send(.changes(records), on: session.id) }
    }
}
