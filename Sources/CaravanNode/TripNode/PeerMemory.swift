import AvahiDiscovery
import ChangeLog
import DeltaCRDT
import SyncEngine
import TripStore

/// Members that this device met, their addresses, and the changes that they had: hints for after a restart. A lost hint does no
/// harm, so nothing here fails.
struct PeerMemory: Sendable {
    private let store: TripStore
    private let seal: StoreSeal
    private let mayWrite: Bool
    /// The records written last, by device.
    private(set) var written: [ReplicaID: PeerRecord] = [:]
    /// The networks that this machine was on at the last check.
    private var marks = NetworkMarks.current()

    init(store: TripStore, seal: StoreSeal, mayWrite: Bool) {
        self.store = store
        self.seal = seal
        self.mayWrite = mayWrite
    }

    private var known: [KnownPeer] { (try? store.knownPeers(seal)) ?? [] }

    /// Gives a restarted node the known hints.
    mutating func restore(_ node: inout SyncNode) {
        node.restore(known.map { PeerRecord(replica: $0.replica, lastHeard: $0.lastSeen, durable: $0.durable) })
        // What the node makes of it need not be written again.
        written = Dictionary(node.peerRecords.map { ($0.replica, $0) }) { first, _ in first }
    }

    /// Writes the hints that changed since the last write.
    mutating func write(_ records: [PeerRecord]) { put(records.filter { written[$0.replica] != $0 }) }

    /// The same during sessions, when the time of the last contact is not worth a write.
    mutating func writeWhatPeersHold(_ records: [PeerRecord]) {
        put(records.filter { written[$0.replica]?.durable != $0.durable })
    }

    private mutating func put(_ records: [PeerRecord]) {
        guard mayWrite, !records.isEmpty else { return }
        let addresses = addressesByDevice
        try? store.remember(
            records.map { record in
                KnownPeer(
                    replica: record.replica, addresses: addresses[record.replica] ?? [], lastSeen: record.lastHeard,
                    durable: record.durable)
            }, seal)
        for record in records { written[record.replica] = record }
    }

    /// Notes the address of a device, reached or reported, so that it is dialed at once the next time.
    /// - Parameters:
    ///   - isTold: whether the device reported it. Then it no longer uses other ports of that host.
    ///   - record: what is known of the device.
    func remember(_ address: PeerAddress, of device: ReplicaID, isTold: Bool, _ record: PeerRecord?) {
        guard mayWrite else { return }
        // Only its addresses on this network. On another network nobody may notice that this node looks for it.
        let known = addressesByDevice[device] ?? []
        let here = KnownAddress(address.description, network: marks.mark(of: address.host) ?? "")
        guard known.first != here else { return }
        let others = known.filter {
            $0.text != here.text && !(isTold && (try? PeerAddress(parsing: $0.text))?.host == address.host)
        }
        try? store.remember(
            [
                KnownPeer(
                    replica: device, addresses: [here] + others, lastSeen: Now.current.wall,
                    durable: record?.durable ?? [])
            ], seal)
    }

    /// The known addresses of members on this machine's present networks, the latest first.
    var addresses: [PeerAddress] {
        known.flatMap(\.addresses).compactMap { address in
            guard let place = try? PeerAddress(parsing: address.text), !address.network.isEmpty,
                address.network == marks.mark(of: place.host)
            else { return nil }
            return place
        }
    }

    /// Checks again which networks this machine is on.
    /// - Returns: the addresses that are known there, where they are others than before.
    mutating func addressesOfOtherNetwork() -> [PeerAddress]? {
        let current = NetworkMarks.current()
        guard current != marks else { return nil }
        marks = current
        return addresses
    }

    private var addressesByDevice: [ReplicaID: [KnownAddress]] {
        Dictionary(known.map { ($0.replica, $0.addresses) }) { first, _ in first }
    }
}
