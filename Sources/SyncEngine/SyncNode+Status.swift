package import ChangeLog
package import DeltaCRDT

// What people may ask of a node: whom it is with, and who has what.
extension SyncNode {
    /// One session, as people see it.
    package struct SessionStatus: Sendable {
        package let device: Device
        /// Where it was dialled; nil where the peer dialled.
        package let address: PeerAddress?
    }

    /// The sessions with members, in the order of their logs' names.
    package var sessions: [SessionStatus] {
        connections.values.compactMap { connection in
            connection.device.map { SessionStatus(device: $0, address: connection.address) }
        }
        .sorted { $0.device.replica < $1.device.replica }
    }

    /// How this device's person came to be out, as far as is known here; nil while they are in. O(1).
    package var ownRemoval: Removal? { log.removal(of: secrets.device.participant) }

    /// How many changes that are durable here a device is not known to hold durably. O(changes).
    ///
    /// What a device wrote after seeing a change counts as knowledge, as what it said in sessions does.
    package func changesNotKnown(at replica: ReplicaID) -> Int {
        var knowledge = durableKnowledge(of: replica)
        for branch in log.branches.indices(of: replica) {
            knowledge.learn(log.branches.all[branch].lastPlace, in: log)
        }
        return (0..<durableCount).count { log.isKept($0) && !knowledge.contains($0, in: log) }
    }

    /// What a device is known to hold durably, as it said itself.
    func durableKnowledge(of replica: ReplicaID) -> PeerKnowledge {
        let ongoing = connections.values.first { $0.device?.replica == replica }
        return ongoing?.ongoing.durable ?? peers[replica]?.durable ?? PeerKnowledge()
    }

    /// What a node holds for others, beside the log.
    package struct Load: Hashable, Sendable {
        package var connections = 0
        /// Connections whose handshake is not over.
        package var handshakes = 0
        package var sessions = 0
        /// Addresses that are tried.
        package var addresses = 0
        /// Instance names that are present.
        package var instances = 0
        /// Bytes of changes that the peer of one session has not said are durable: the greatest of all.
        package var unacknowledgedBytesMax = 0
    }

    /// O(connections).
    package var load: Load {
        var load = Load(connections: connections.count, addresses: addresses.entries.count, instances: instances.count)
        for connection in connections.values {
            if connection.hasSession {
                load.sessions += 1
                load.unacknowledgedBytesMax = max(load.unacknowledgedBytesMax, connection.ongoing.unacknowledgedBytes)
            } else {
                load.handshakes += 1
            }
        }
        return load
    }

    /// Whether anything waits to become durable.
    package var isPersisting: Bool { !persisting.isEmpty }

    /// The numbers of all connections, ascending.
    package var connectionIDs: [ConnectionID] { connections.keys.sorted() }

    /// The numbers of the connections on which there is a session, ascending.
    package var connectionsWithSession: [ConnectionID] {
        connections.keys.filter { connections.sessionIndex(of: $0) != nil }
    }

    /// Whether people see the change at a place: it counts, and is not held back.
    package func isShown(_ place: Int) -> Bool { log.counts(place) && !isHeldBack(place) }

    /// Whether a change was written here and is not durable yet, so that it may not be shown. What this device wrote
    /// before its backup was restored, and others give back, is no such change.
    private func isHeldBack(_ place: Int) -> Bool {
        place >= durableCount && persisting.contains { $0.end == place + 1 && $0.completion != nil }
    }
}
