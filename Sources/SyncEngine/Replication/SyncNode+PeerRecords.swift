package import ChangeLog
package import DeltaCRDT

/// What is known of another device, in a form that outlives the process.
package struct PeerRecord: Hashable, Sendable {
    /// Its log's name.
    package let replica: ReplicaID
    /// Milliseconds since 1970 by this node's clock.
    package let lastHeard: Int64
    /// What it said is durable there, with all bodies (`PeerKnowledge.summary`).
    package let durable: [Bytes32]

    package init(replica: ReplicaID, lastHeard: Int64, durable: [Bytes32]) {
        self.replica = replica
        self.lastHeard = lastHeard
        self.durable = durable
    }
}

// Whom this node has met, and what they hold, is known again after a restart.
extension SyncNode {
    /// A record of each other device that is in and was met, in the order of their logs' names.
    /// O(devices · branches · `PeerKnowledge.summaryMax`).
    package var peerRecords: [PeerRecord] {
        let met = Set(replication.peers.keys).union(table.metReplicas).subtracting([secrets.device.replica])
        return met.sorted().compactMap { peerRecord(of: $0) }
    }

    /// The record of one device; nil where it was not met, or is out.
    package func peerRecord(of replica: ReplicaID) -> PeerRecord? {
        let peer = replication.peers[replica]
        guard log.isIn(replica), peer != nil || table.hasMet(replica) else { return nil }
        let (durable, absent) = durableKnowledge(of: replica)
        return PeerRecord(
            replica: replica, lastHeard: peer?.lastHeard ?? now.wall,
            durable: durable.summary(in: log.graph, without: absent))
    }

    /// Takes in what was known before this process began: after the log was read, and before any event. Of devices and
    /// changes that are not in the log nothing is taken: the log may come from an older backup than the records.
    package mutating func restore(_ records: [PeerRecord]) {
        for record in records where log.isIn(record.replica) && record.replica != secrets.device.replica {
            replication.restore(
                Replication.Peer(
                    durable: PeerKnowledge(summary: record.durable, in: log.graph), lastHeard: record.lastHeard),
                of: record.replica)
        }
    }
}
