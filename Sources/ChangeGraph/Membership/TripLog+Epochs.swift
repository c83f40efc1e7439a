package import ChangeLog
import DeltaCRDT

extension TripLog {
    /// The newest epoch, as far as the log says; nil before the founding.
    package var newestEpoch: Bytes16? { epochs.ranking.first?.id }

    /// Whether there are removals that an epoch does not answer, so that somebody who is out holds its secret. O(epochs).
    package func leavesRemovalsUnanswered(_ epoch: Bytes16) -> Bool {
        epochs.ranking.first { $0.id == epoch }.map { epochs.leavesUnanswered($0) }
            ?? standing.persons.values.contains { !$0.isIn }
    }

    /// The devices with a node that are in, and to which nobody sealed an epoch's secret, in the order of their logs' names.
    /// O(devices log devices).
    package func devicesLacking(_ epoch: Bytes16) -> [Device] {
        membersWithNode.filter { !epochs.isHeld(epoch, by: $0.replica) }
    }
}
