import ChangeLog
import PeerTransport
import SyncEngine
import TripService

extension TripNode {
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
