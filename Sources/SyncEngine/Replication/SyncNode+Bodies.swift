import ChangeLog
import DeltaCRDT

// A body that is needed and not here is asked of a peer that showed that it holds it.
extension SyncNode {
    /// Asks a peer for bodies that it holds and that are needed here, where it was not just asked.
    mutating func requestBodies(on id: ConnectionID) {
        guard let index = connections.sessionIndex(of: id) else { return }
        connections[session: index].bodies.forget()
        guard !log.lackingBodies.isEmpty, connections[at: index].isWithMember else { return }
        let (durable, absent) = (
            connections[session: index].peerDurable, Set(connections[session: index].peerAbsent.named)
        )
        let wanted = log.lackingBodies.filter { place in
            durable.contains(place, in: log.graph) && !absent.contains(log.graph[place].hash)
        }.sorted()
        guard !wanted.isEmpty else { return }
        guard connections[session: index].bodies.mayAsk(at: now.monotonic, pause: limits.wantDelay) else {
            if let due = connections[session: index].bodies.deadline { turn.expect(due) }
            return
        }
        let due = now.monotonic + limits.wantDelay
        turn.expect(due)
        send(.bodiesWanted(wanted.prefix(limits.bodiesWantedMax).map { log.graph[$0].hash }), on: id)
        // Looked at again, for what is asked for may come in several messages.
        guard let index = connections.sessionIndex(of: id) else { return }
        connections[session: index].bodies.lookAgain(at: due)
    }

    /// Sends a member the bodies that it asks for, as far as one message holds them: it asks again for the rest.
    mutating func sendBodies(_ hashes: [Bytes32], on id: ConnectionID) {
        var records: [[UInt8]] = []
        var bytes = 0
        for hash in hashes.prefix(limits.bodiesWantedMax) {
            guard let place = log.graph.place(of: hash), place < replication.durableCount, log.isShown(place) else {
                continue
            }
            let record = log.graph[place].record
            guard records.isEmpty || bytes + record.count <= limits.batchBytesMax else { break }
            records.append(record)
            bytes += record.count
        }
        if !records.isEmpty { send(.changes(records), on: id) }
    }
}
