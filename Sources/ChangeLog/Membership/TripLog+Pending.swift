package import DeltaCRDT

// What a person wrote who is out, as far as it doesn't count. It is pending: on the nodes of that person it is shown, and nowhere else. A
// person who waits goes on writing, and may be kept (Documentation/Protocol.md, section 5).
extension TripLog {
    /// Whether a device's person waits. Such a person may write content, and makes no statements.
    package func isWaiting(_ replica: ReplicaID) -> Bool {
        facts.participant(of: replica).flatMap { membership.persons[$0] }?.state == .waits
    }

    /// Whether a change is pending: its author is out, and it doesn't count. O(log branches).
    package func isPending(_ index: Int) -> Bool {
        !isEffective(index)
            && facts.participant(of: graph[index].change.replica).flatMap { membership.persons[$0] }?.isOut ?? false
    }

    /// Whether a person was admitted and is not resolved. A resolved person has at least the first device, which nobody can end.
    func isUnresolved(_ participant: Bytes32) -> Bool {
        membership.persons[participant].map { $0.isOut && $0.devices.isEmpty } ?? false
    }

    /// The newest changes of a person who is not resolved on which the next one of a device stands: of each branch the last, but for those
    /// in the past of another; what introduced the device, where the person wrote nothing yet. At most as many as a change may name.
    /// O(branches of the person · heads · log branches).
    func pendingHeads(of device: Device) -> [Int] {
        guard isUnresolved(device.participant), let person = facts.index(ofPerson: device.participant) else {
            return []
        }
        let branches = facts.said.persons[person].devices.flatMap {
            graph.branchesOfReplica[facts.devices[$0].replica] ?? []
        }
        var heads: [Int] = []
        for last in branches.map({ graph.branches[Int($0)].last }).sorted(by: >)
        where heads.count < ChangeBounds.headsMax {
            if !heads.contains(where: { graph.isPast(last, of: $0) }) { heads.append(last) }
        }
        guard heads.isEmpty else { return heads }
        return facts.index(ofDevice: device.replica).map { Array(facts.said.introductions[$0].prefix(1)) } ?? []
    }
}
