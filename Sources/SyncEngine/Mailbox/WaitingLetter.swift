import ChangeLog
import DeltaCRDT

/// A letter of whose changes some stand on what is not here.
struct WaitingLetter: Sendable {
    let letter: MailboxLetter
    let bytes: Int
    /// Its author, where that is known to be in: they share what may wait.
    let author: ReplicaID?
    /// Of each change that is not here: what it stands on that is not here either.
    let missing: [[Bytes32]]
    /// Of the first of these changes.
    let lamport: UInt64

    /// Whether one of its changes can be taken now.
    func isReady(in graph: ChangeGraph) -> Bool {
        missing.contains { $0.allSatisfy { graph.index(of: $0) != nil } }
    }
}
