import AvahiDiscovery
import ChangeLog
import SyncEngine

// When what is known of others is written down, and told the node again.
extension TripNode {
    /// How often what is known of others is written down while a node runs.
    private static let rememberingInterval = Duration.seconds(30)

    /// Writes down what is known of others and is not what was written last.
    func rememberPeers() { peers.write(node.peerRecords) }

    func rememberPeersNowAndThen() -> Task<Void, Never> {
        Task { [weak self] in
            while (try? await Task.sleep(for: Self.rememberingInterval)) != nil {
                await self?.rememberWhatPeersHold()
                await self?.lookAtNetworks()
            }
        }
    }

    private func rememberWhatPeersHold() {
        peers.writeWhatPeersHold(node.peerRecords)
        rememberBlocks()
    }

    /// A router may be known by its hardware address only a while after its network is there.
    private func lookAtNetworks() {
        for address in peers.addressesOfOtherNetwork() ?? [] { tell(.addAddress(address, isNamed: false)) }
    }

    /// Notes where a device was reached, or said that it is.
    func remember(_ address: PeerAddress, of device: Device, isTold: Bool = false) {
        peers.remember(address, of: device.replica, isTold: isTold, node.peerRecord(of: device.replica))
    }
}
