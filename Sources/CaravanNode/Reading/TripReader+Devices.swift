import Attachments
import ChangeLog
import DeltaCRDT
import SyncEngine
import TripModel
import TripService

// Which devices are here, and which has what.
extension TripReader {
    func isHere(_ device: Device) -> Bool {
        device.replica == own.replica || node.sessions.contains { $0.device.replica == device.replica }
    }

    /// Every other device that is in and has a node, by its label. O(changes, devices).
    var otherDevices: [DeviceStatus] {
        let others = node.log.membersWithNode.filter { $0.replica != own.replica }
        let labels = labels(of: others)
        let lacks = node.changesNotKnown(at: others.map(\.replica))
        let devices = zip(others, lacks).map { device, lacks in
            DeviceStatus(
                id: device.replica.description, label: labels[device.replica] ?? name(of: device),
                name: device.participant == own.participant && !node.log.isFirst(device)
                    ? node.log.name(of: device) : nil,
                isYours: device.participant == own.participant,
                mayBeRemoved: device.participant == own.participant && node.log.isFirst(own), isHere: isHere(device),
                lacks: lacks, lastHeard: node.lastHeard(device.replica),
                lastWritten: lastWritten(by: device.replica),
                inMailbox: lacks == 0 ? 0 : node.changesInMailbox(notKnownAt: device.replica),
                version: node.version(of: device.replica)?.text)
        }
        return devices.sorted { ($0.label, $0.id) < ($1.label, $1.id) }
    }

    /// Who waits for an answer of the person here, by name.
    var waitingForMe: [String] {
        node.log.peopleWaiting.filter { node.log.keepable($0, by: own.participant) != nil }.map { ownName(of: $0) }
    }

    /// Whose devices are in and write in several places. O(logs).
    var inTwoPlaces: [String] { copiedDevices.map { name(of: $0) }.sorted() }

    /// Whether the device here is one of them. O(logs).
    var isInTwoPlaces: Bool { copiedDevices.contains { $0.replica == own.replica } }

    private var copiedDevices: [Device] {
        node.log.graph.branchesOfReplica
            .filter { replica, branches in
                node.log.isIn(replica) && branches.count { isRetained(branch: $0) } > 1
            }
            .compactMap { node.log.device($0.key) }
    }

    private func isRetained(branch: Int32) -> Bool {
        node.log.isRetained(node.log.graph.branches[Int(branch)].first)
    }

    /// When the newest change of a log that is retained was written, by its author's clock.
    private func lastWritten(by replica: ReplicaID) -> Int64? {
        let lasts = (node.log.graph.branchesOfReplica[replica] ?? []).compactMap { branch in
            node.log.graph.last(of: branch, in: node.log.retained)
        }
        return lasts.map { node.log.graph[$0] }.max { $0.stamp < $1.stamp }?.change.wallTime
    }

    /// A label for each device, no two alike: whose it is, and which of theirs, where they have several.
    private func labels(of devices: [Device]) -> [ReplicaID: String] {
        var labels: [ReplicaID: String] = [:]
        for (participant, devices) in Dictionary(grouping: devices, by: \.participant) {
            let person = name(of: participant)
            for device in devices {
                if participant == own.participant {
                    labels[device.replica] = labelOfOwn(device)
                } else if devices.count == 1 {
                    labels[device.replica] = person
                } else {
                    labels[device.replica] =
                        node.log.isFirst(device)
                        ? "\(person)'s first device" : "\(person)'s “\(node.log.name(of: device))”"
                }
            }
        }
        for (label, same) in Dictionary(grouping: labels.keys, by: { labels[$0] ?? "" }) where same.count > 1 {
            for replica in same { labels[replica] = "\(label) (\(replica.description.prefix(6)))" }
        }
        return labels
    }
    /// Who is here and has some of these chunks of photos, by name.
    func holders(of chunks: [BlobHash]) -> [String] {
        Set(chunks.flatMap { node.holders(of: $0) }.map { name(of: $0.device) }).sorted()
    }
}
