import ChangeLog
import PeerTransport
import SyncEngine
import TripModel
import TripService

// How this node is, for people and for measurements.
extension TripNode {
    /// Whether this node runs, with whom, and whether everyone has everything. O(changes, devices).
    var statusView: StatusView {
        let reader = reader
        return StatusView(
            title: title, you: reader.name(of: reader.own), changes: node.log.graph.count,
            listening: connectivity.network.map { network in
                .init(port: network.place.port, addresses: addresses(at: network.place.port))
            },
            discoveryProblem: discoveryProblem,
            writingProblem: writingProblem ?? lossProblem ?? HomeCheck.fullDiskProblem(at: folder),
            lostChanges: Int(clamping: losses.count(in: node.log)), removal: reader.ownRemoval,
            waiting: reader.waitingForMe,
            exposedInvites: node.invitesInQuestion.isEmpty ? [] : inviteDesk.views().filter { $0.exposure != nil },
            devices: reader.otherDevices, inTwoPlaces: reader.inTwoPlaces, isInTwoPlaces: reader.isInTwoPlaces,
            newerChanges: newerChanges, photos: photosStatus, mailboxes: mailboxViews, isArchived: own.isArchived,
            fetchesLinks: own.fetchesLinks)
    }

    /// Whose changes say what this version does not know, by name.
    private var newerChanges: [StatusView.NewerChanges] {
        shown.trip.replica.unknownCounts.map { .init(name: shown.trip.displayName(of: $0.key), count: $0.value) }
            .sorted { ($0.name, $0.count) < ($1.name, $1.count) }
    }

    /// What is counted and measured here, but for what is told as an event. O(connections).
    func metrics(id: String) -> TripMetrics {
        let load = node.load
        var metrics = TripMetrics(trip: id)
        metrics.changes = node.log.graph.count
        metrics.sessions = load.sessions
        metrics.handshakes = load.handshakes
        metrics.names = load.instances
        metrics.addresses = load.addresses
        metrics.photoChunks = PhotoChunkMetrics(
            wanted: load.chunksWanted, received: load.chunksReceived, sent: load.chunksSent)
        metrics.store = writer?.metrics ?? StoreMetrics()
        guard let network = connectivity.network else { return metrics }
        metrics.isDiscovering = network.discovery.map { _ in network.discoveryState.problem == nil }
        metrics.connections = ConnectionMetrics(network.transport.counters)
        metrics.waitingBytes = network.intake.waitingBytes
        return metrics
    }
}

extension ConnectionMetrics {
    init(_ counters: TCPTransport.Counters) {
        self.init()
        accepted = counters.accepted
        acceptedFromOthers = counters.acceptedFromOthers
        dialled = counters.dialled
        dialledToOthers = counters.dialledToOthers
        refused = counters.overLimit
        overflowed = counters.overflowed
        receivedBytes = counters.receivedBytes
        sentBytes = counters.sentBytes
        unsentBytes = counters.unsentBytes
    }
}
