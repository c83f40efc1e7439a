import ChangeLog
import DeltaCRDT
import SyncEngine
import TripModel
import TripService

// Who is here, and who has what.
extension TripNode {
    func isHere(_ device: Device) -> Bool {
        device.replica == node.secrets.device.replica
            || node.sessions.contains { $0.device.replica == device.replica }
    }

    /// Whether this node runs, with whom, and whether everyone has everything. O(changes, devices).
    var statusView: StatusView {
        let own = node.secrets.device
        let members = node.log.membership.allMembers.map(\.device)
        let others = node.log.membership.membersWithNode.map(\.device).filter { $0.replica != own.replica }
        let labels = deviceLabels(others)
        let heard = lastHeardByDevice
        let devices = others.map { device in
            DeviceStatus(
                id: device.replica.description, label: labels[device.replica] ?? name(of: device),
                isYours: device.participant == own.participant, isHere: isHere(device),
                lacks: node.changesNotKnown(at: device.replica), lastHeard: heard[device.replica])
        }
        return StatusView(
            title: title, you: name(of: own), changes: node.log.changes.count,
            listening: connectivity.network.map { network in
                .init(port: network.port, addresses: addresses(at: network.port))
            },
            discoveryProblem: discoveryProblem, writingProblem: writingProblem,
            removal: removal(of: own.participant),
            devices: devices.sorted { ($0.label, $0.id) < ($1.label, $1.id) },
            inTwoPlaces: members.filter { node.log.branches.isForked($0.replica) }.map { name(of: $0) }.sorted())
    }

    /// A label for each device, no two alike: whose it is, and which of theirs, where they have several.
    private func deviceLabels(_ devices: [Device]) -> [ReplicaID: String] {
        let own = node.secrets.device
        var labels: [ReplicaID: String] = [:]
        for (participant, devices) in Dictionary(grouping: devices, by: \.participant) {
            let name = name(of: participant)
            for device in devices {
                let called = Self.shown(node.log.membership.device(device.replica)?.name)
                if participant == own.participant {
                    labels[device.replica] = "your device \"\(called)\""
                } else if devices.count == 1 {
                    labels[device.replica] = name
                } else {
                    labels[device.replica] =
                        device.isFirst(using: cryptography) ? "\(name)'s first device" : "\(name)'s \"\(called)\""
                }
            }
        }
        for (label, same) in Dictionary(grouping: labels.keys, by: { labels[$0] ?? "" }) where same.count > 1 {
            for replica in same { labels[replica] = "\(label) (\(replica.description.prefix(6)))" }
        }
        return labels
    }

    /// When other devices were last heard, in milliseconds since 1970 by this machine's clock.
    var lastHeardByDevice: [ReplicaID: Int64] { node.peers.mapValues(\.lastHeard) }
}
