import ChangeLog
import DeltaCRDT

// What one branch writes much of is taken no faster than it is made durable, and than others take it from here: all that is written
// here has it in its past, and arrives nowhere before it. Credits do the same at each hop (Kung, Blackwell and Chapman, SIGCOMM 1994).
extension SyncNode {
    /// Whether what a session says is to wait for the disk, or for members who lag behind.
    mutating func isPaced(_ line: [Bytes32]) -> Bool {
        now.monotonic + limits.pacedAtOnceMax < turns.pacedUntil && outpaces(line)
    }

    /// Whether the branch of a person that the founder admitted writes much while the disk or a member of another branch lags behind.
    mutating func outpaces(_ line: [Bytes32]) -> Bool {
        guard line.count > 1, turns.shares.written(inBranchOf: line[1]) > limits.bulkCostMin else { return false }
        if replication.writes.waitingBytes > limits.laggingBytesMin { return true }
        for id in table.keys where lagsBehind(id) {
            let other = self.line(ofPeerOn: id)
            if other.count == 1 || other[1] != line[1] { return true }
        }
        return false
    }

    private func lagsBehind(_ id: ConnectionID) -> Bool {
        // What waits here may be what it acknowledges.
        guard let index = table.index(of: id), !turns.waiting.contains(id) else { return false }
        return table[at: index].isWithMember
            && table[at: index].replication.window.unacknowledgedBytes > limits.laggingBytesMin
    }
}
