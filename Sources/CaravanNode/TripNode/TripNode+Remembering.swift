import AvahiDiscovery
import ChangeLog
import DeltaCRDT
import SyncEngine
import TripStore

// Whom this device met, where, and what they had: hints that are known again after a restart.
extension TripNode {
    /// How often what is known of others is written down while a node runs.
    private static let rememberingInterval = Duration.seconds(30)

    /// Tells a node as a value that was made anew what was known before.
    /// - Returns: what it makes of that, by device: what the disk need not be told again.
    static func restorePeers(
        of node: inout SyncNode, from store: TripStore, _ seal: StoreSeal
    ) -> [ReplicaID: PeerRecord] {
        let known = (try? store.knownPeers(seal)) ?? []
        node.restore(known.map { PeerRecord(replica: $0.replica, lastHeard: $0.lastSeen, durable: $0.durable) })
        return Dictionary(node.peerRecords.map { ($0.replica, $0) }) { first, _ in first }
    }

    /// Writes down what is known of others and is not what was written last.
    func rememberPeers() { write(node.peerRecords.filter { rememberedPeers[$0.replica] != $0 }) }

    /// The same while sessions go on: when somebody was heard last is then not worth a write.
    private func rememberWhatPeersHold() {
        write(node.peerRecords.filter { rememberedPeers[$0.replica]?.durable != $0.durable })
    }

    private func write(_ records: [PeerRecord]) {
        guard writingProblem == nil, !records.isEmpty else { return }
        let addresses = knownAddresses
        // A hint that is lost does no harm.
        try? store.remember(
            records.map { record in
                KnownPeer(
                    replica: record.replica, addresses: addresses[record.replica] ?? [], lastSeen: record.lastHeard,
                    durable: record.durable)
            }, seal)
        for record in records { rememberedPeers[record.replica] = record }
    }

    /// A router may be known by its hardware address only a while after its network is there.
    private func lookAtNetworks() {
        for address in addressesOfOtherNetwork() ?? [] { tell(.addAddress(address, isNamed: false)) }
    }

    func rememberPeersNowAndThen() -> Task<Void, Never> {
        Task { [weak self] in
            while (try? await Task.sleep(for: Self.rememberingInterval)) != nil {
                await self?.rememberWhatPeersHold()
                await self?.lookAtNetworks()
            }
        }
    }

    /// Notes where a device was reached, or said that it is: to be dialled at once the next time.
    /// - Parameter isTold: whether it said so: at another port of that host it is no more.
    func remember(_ address: PeerAddress, of device: Device, isTold: Bool = false) {
        guard writingProblem == nil else { return }
        // Where it is reached over this network alone: on another one nobody shall hear that it is looked for.
        let known = knownAddresses[device.replica] ?? []
        let here = KnownAddress(address.description, network: networkMarks.mark(of: address.host) ?? "")
        guard known.first != here else { return }
        let record = node.peerRecord(of: device.replica)
        let others = known.filter {
            $0.text != here.text && !(isTold && (try? PeerAddress(parsing: $0.text))?.host == address.host)
        }
        let peer = KnownPeer(
            replica: device.replica, addresses: [here] + others, lastSeen: Now.current.wall,
            durable: record?.durable ?? [])
        try? store.remember([peer], seal)
    }

    /// Where people were met before on the networks that this machine is on now, the latest first.
    func rememberedAddresses() -> [PeerAddress] {
        let known = (try? store.knownPeers(seal)) ?? []
        return known.flatMap(\.addresses).compactMap { address in
            guard let place = try? PeerAddress(parsing: address.text), !address.network.isEmpty,
                address.network == networkMarks.mark(of: place.host)
            else { return nil }
            return place
        }
    }

    /// Looks again at which networks this machine is on.
    /// - Returns: the addresses that are known there, where they are others than before.
    func addressesOfOtherNetwork() -> [PeerAddress]? {
        let current = NetworkMarks.current()
        guard current != networkMarks else { return nil }
        networkMarks = current
        return rememberedAddresses()
    }

    private var knownAddresses: [ReplicaID: [KnownAddress]] {
        let known = (try? store.knownPeers(seal)) ?? []
        return Dictionary(known.map { ($0.replica, $0.addresses) }) { first, _ in first }
    }
}
