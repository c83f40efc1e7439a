import Attachments
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
        table.values.compactMap { session in
            session.device.map { SessionStatus(device: $0, address: session.address) }
        }
        .sorted { $0.device.replica < $1.device.replica }
    }

    /// When a device was last heard, in milliseconds since 1970 by this node's clock; nil where it never was.
    package func lastHeard(_ replica: ReplicaID) -> Int64? { replication.peers[replica]?.lastHeard }

    /// How this device, or its person, came to be out, as far as is known here; nil while it is in. O(statements).
    package var ownDeparture: TripLog.Departure? { log.departure(of: secrets.device.replica) }

    /// How many changes that are durable here devices are not known to hold durably, in the order of the devices.
    ///
    /// What a device wrote after seeing a change counts as knowledge, as what it said in sessions does. A change whose body is absent
    /// there and not here counts as not known. O(changes, and devices · branches · log changes at worst).
    package func changesNotKnown(at replicas: [ReplicaID]) -> [Int] {
        let counts = RetainedCounts(of: log, before: replication.durableCount)
        return replicas.map { replica in
            let (held, absent) = knowledge(of: replica)
            return counts.missing(at: held) + absent.missing(of: log)
        }
    }

    /// The same of one device. O(changes).
    package func changesNotKnown(at replica: ReplicaID) -> Int { changesNotKnown(at: [replica])[0] }

    /// What a device is known to hold: as it said, and as what it wrote shows.
    func knowledge(of replica: ReplicaID) -> (held: PeerKnowledge, absent: AbsentBodies) {
        var (held, absent) = durableKnowledge(of: replica)
        held.learn(logsOf: replica, in: log.graph)
        return (held, absent)
    }

    /// What a device is known to hold durably, as it said itself, and the bodies that are absent of that.
    func durableKnowledge(of replica: ReplicaID) -> (PeerKnowledge, absent: AbsentBodies) {
        if let ongoing = table.values.first(where: { $0.device?.replica == replica }) {
            return (ongoing.replication.durable, ongoing.replication.absent)
        }
        return replication.durableKnowledge(of: replica)
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
        /// Chunks of photos that are wanted and have not come; that peers sent, as they were named; and that were sent.
        package var chunksWanted = 0
        package var chunksReceived = 0
        package var chunksSent = 0
    }

    /// O(connections).
    package var load: Load {
        var load = Load(
            connections: gate.count + table.count, handshakes: gate.count, sessions: table.count,
            addresses: dialer.addresses.entries.count,
            instances: dialer.names.count, chunksWanted: photos.fetching.missingCount,
            chunksReceived: photos.receivedCount, chunksSent: photos.sentCount)
        load.unacknowledgedBytesMax = table.values.map(\.replication.window.unacknowledgedBytes).max() ?? 0
        return load
    }

    /// The newest epoch whose secret is here; nil while this device is not let in.
    package var newestEpoch: Epoch? { epochs.newest }

    /// The epochs whose secrets are here, the newest first.
    package var heldEpochs: [Epoch] { epochs.held }

    /// Changes here, from the first on, that are durable.
    package var durableCount: Int { replication.durableCount }

    /// Whether anything waits to become durable.
    package var isPersisting: Bool { !replication.writes.isEmpty }

    /// The numbers of all connections, ascending.
    package var connectionIDs: [ConnectionID] { (gate.ids + table.keys).sorted() }

    /// The numbers of the connections on which there is a session, ascending.
    package var connectionsWithSession: [ConnectionID] { table.keys }

    /// Whether the session on a connection is with somebody who is out, and tells that alone.
    package func isWithOutsider(_ id: ConnectionID) -> Bool {
        table[id]?.standing.isOutsider ?? false
    }

    /// Whether the session on a connection is with a device that this log doesn't name, as one that tells a person why they wait.
    package func isWithStranger(_ id: ConnectionID) -> Bool {
        table[id].map { log.device($0.peer.replica) == nil } ?? false
    }

    /// Whether people see the change at an index: it is effective, or the person's here and pending, and it is not held back.
    package func isShown(_ index: Int) -> Bool { isInView(index) && !replication.writes.isHeldBack(index) }

    /// The same, durable or not.
    func isInView(_ index: Int) -> Bool { log.isShown(index) || isOwnPending(index) }

    /// The change at an index, as people here see it.
    package func applied(_ index: Int) -> AppliedChange { log.applied(index, isPending: isOwnPending(index)) }

    private func isOwnPending(_ index: Int) -> Bool {
        log.facts.participant(of: log.graph[index].change.replica) == secrets.device.participant && log.isPending(index)
    }

    /// Numbers the connections that this node asks for after those of the node whose place it takes: what is said of those
    /// may still come.
    package mutating func numberConnections(after other: SyncNode) { gate.number(after: other.gate) }
}
