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
        let others = node.log.membersWithNode.filter { $0.replica != own.replica }
        let labels = deviceLabels(others)
        let lacks = node.changesNotKnown(at: others.map(\.replica))
        let devices = zip(others, lacks).map { device, lacks in
            DeviceStatus(
                id: device.replica.description, label: labels[device.replica] ?? name(of: device),
                name: device.participant == own.participant ? deviceName(device) : nil,
                isYours: device.participant == own.participant,
                mayBeRemoved: device.participant == own.participant && node.log.isFirst(own), isHere: isHere(device),
                lacks: lacks, lastHeard: node.lastHeard(device.replica),
                lastWritten: lastWritten(by: device.replica),
                inMailbox: lacks == 0 ? 0 : node.changesInMailbox(notKnownAt: device.replica))
        }
        return StatusView(
            title: title, you: name(of: own), changes: node.log.graph.count,
            listening: connectivity.network.map { network in
                .init(port: network.place.port, addresses: addresses(at: network.place.port))
            },
            discoveryProblem: discoveryProblem,
            writingProblem: writingProblem ?? lossProblem ?? HomeCheck.fullDiskProblem(at: folder),
            lostChanges: Int(clamping: lostCount),
            removal: ownRemoval,
            waiting: node.log.peopleWaiting.filter { node.log.keepable($0, by: own.participant) != nil }
                .map { ownName(of: $0) },
            exposedInvites: node.invitesInQuestion.isEmpty ? [] : openInvites.filter { $0.exposure != nil },
            devices: devices.sorted { ($0.label, $0.id) < ($1.label, $1.id) },
            inTwoPlaces: forkedDevices.map { name(of: $0) }.sorted(),
            newerChanges: newerChanges, photos: photosStatus, mailboxes: mailboxViews, isArchived: self.own.isArchived,
            fetchesLinks: self.own.fetchesLinks)
    }

    /// When the newest change of a log that is retained was written, by its author's clock.
    private func lastWritten(by replica: ReplicaID) -> Int64? {
        let lasts = (node.log.graph.branchesOfReplica[replica] ?? []).compactMap { branch in
            node.log.graph.last(of: branch, in: node.log.retained)
        }
        return lasts.map { node.log.graph[$0] }.max { $0.stamp < $1.stamp }?.change.wallTime
    }

    /// Whose changes say what this version does not know, by name.
    private var newerChanges: [StatusView.NewerChanges] {
        trip.replica.unknownCounts.map { .init(name: trip.displayName(of: $0.key), count: $0.value) }
            .sorted { ($0.name, $0.count) < ($1.name, $1.count) }
    }

    /// The name with which a device joined.
    func deviceName(_ device: Device) -> String { Self.shown(admittedName(of: device)) }

    /// A label for each device, no two alike: whose it is, and which of theirs, where they have several.
    private func deviceLabels(_ devices: [Device]) -> [ReplicaID: String] {
        let own = node.secrets.device
        var labels: [ReplicaID: String] = [:]
        for (participant, devices) in Dictionary(grouping: devices, by: \.participant) {
            let name = name(of: participant)
            for device in devices {
                let called = Self.shown(admittedName(of: device))
                if participant == own.participant {
                    labels[device.replica] = "your device “\(called)”"
                } else if devices.count == 1 {
                    labels[device.replica] = name
                } else {
                    labels[device.replica] =
                        node.log.isFirst(device) ? "\(name)'s first device" : "\(name)'s “\(called)”"
                }
            }
        }
        for (label, same) in Dictionary(grouping: labels.keys, by: { labels[$0] ?? "" }) where same.count > 1 {
            for replica in same { labels[replica] = "\(label) (\(replica.description.prefix(6)))" }
        }
        return labels
    }

    /// The devices that are in and write in several places. O(logs).
    private var forkedDevices: [Device] {
        node.log.graph.branchesOfReplica
            .filter { replica, branches in
                node.log.isIn(replica) && branches.count { isRetained(branch: $0) } > 1
            }
            .compactMap { node.log.device($0.key) }
    }

    private func isRetained(branch: Int32) -> Bool {
        node.log.isRetained(node.log.graph.branches[Int(branch)].first)
    }
}
