package import DeltaCRDT

extension TripLog {
    /// The newest epoch, as far as the log says; nil before the founding.
    package var newestEpoch: Bytes16? { epochs.ranking.first?.id }

    /// Whether there are removals that an epoch does not answer, so that somebody who is out holds its secret. O(1).
    package func leavesRemovalsUnanswered(_ epoch: Bytes16) -> Bool {
        epochs.newestBeginnings[epoch].map { $0.unanswered > 0 } ?? hasRemovals
    }

    /// Whether some who are in may hold another newest epoch's secret than others: somebody was removed, or any member began an epoch,
    /// for as few as they liked. O(1).
    package var mayEpochsDiffer: Bool { hasRemovals || epochs.beginnings.count > 1 }

    /// The epochs that only people began who were removed. They may have sealed each to one device alone. O(epochs).
    package var epochsOfRemovedPeople: Set<Bytes16> {
        guard hasRemovals else { return [] }
        var (theirs, others) = (Set<Bytes16>(), Set<Bytes16>())
        for beginning in epochs.ranking {
            let author = facts.participant(of: graph[beginning.index].change.replica).flatMap { person($0) }
            if author?.state == .removed { theirs.insert(beginning.id) } else { others.insert(beginning.id) }
        }
        return theirs.subtracting(others)
    }

    /// The device that founded the trip with an epoch, and those to which any member sealed its secret. O(boxes).
    package func holders(of epoch: Bytes16) -> Set<ReplicaID> {
        var holders: Set<ReplicaID> = []
        for index in epochs.grants(of: epoch) {
            switch graph[index].change.statement {
            case .found(let founder, _, _): holders.insert(founder.replica)
            case .admit(let admission): holders.insert(admission.device.replica)
            case let other: holders.formUnion((other?.grant?.boxes ?? []).lazy.map(\.replica))
            }
        }
        return holders
    }

    /// Whether a device wrote something after it had seen an epoch begin. O(branches of its log).
    package func hasSeen(_ epoch: Bytes16, _ replica: ReplicaID) -> Bool {
        guard let beginning = epochs.newestBeginnings[epoch]?.index else { return false }
        return (graph.branchesOfReplica[replica] ?? []).contains {
            graph.isPast(beginning, of: graph.branches[Int($0)].last)
        }
    }
}
