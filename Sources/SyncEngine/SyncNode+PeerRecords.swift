package import ChangeLog
package import DeltaCRDT

/// What is known of another device, in a form that outlives the process.
package struct PeerRecord: Hashable, Sendable {
    /// The device's X25519 key.
    package let device: Bytes32
    /// Milliseconds since 1970 by this node's clock.
    package let lastHeard: Int64
    /// What it said is durable there (`PeerKnowledge.summary`).
    package let durable: [Bytes32]

    package init(device: Bytes32, lastHeard: Int64, durable: [Bytes32]) {
        self.device = device
        self.lastHeard = lastHeard
        self.durable = durable
    }
}

// Whom this node has met, and what they hold, is known again after a restart.
extension SyncNode {
    /// A record of each other device that is in and was met, in the order of their logs' names.
    /// O(devices · branches · `PeerKnowledge.summaryMax`).
    package var peerRecords: [PeerRecord] {
        let met = Set(peers.keys).union(connections.met.replicas).subtracting([secrets.device.replica])
        return met.sorted().compactMap { peerRecord(of: $0) }
    }

    /// The record of one device; nil where it was not met, or is out.
    package func peerRecord(of replica: ReplicaID) -> PeerRecord? {
        guard let device = log.membership.device(replica)?.device, log.membership.isIn(replica),
            log.membership.member(agreementKey: device.agreementKey)?.device == device,
            peers[replica] != nil || isMet(replica)
        else { return nil }
        return PeerRecord(
            device: device.agreementKey, lastHeard: peers[replica]?.lastHeard ?? now.wall,
            durable: durableKnowledge(of: replica).summary(in: log))
    }

    /// Takes in what was known before this process began: after the log was read, and before any event. Of devices and
    /// changes that are not in the log nothing is taken: the log may come from an older backup than the records.
    package mutating func restore(_ records: [PeerRecord]) {
        for record in records {
            guard let device = log.membership.member(agreementKey: record.device)?.device, device != secrets.device,
                peers[device.replica] == nil
            else { continue }
            peers[device.replica] = Peer(
                durable: PeerKnowledge(summary: record.durable, in: log), lastHeard: record.lastHeard)
        }
    }
}
