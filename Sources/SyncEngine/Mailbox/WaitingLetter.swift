import ChangeLog
import DeltaCRDT

/// A letter whose changes stand on what is not here.
struct WaitingLetter: Sendable {
    let letter: MailboxLetter
    let bytes: Int
    /// Its author, where that is known to be in: they share what may wait.
    let author: ReplicaID?
    /// What is missing.
    let links: [Bytes32]
    /// Of its first change.
    let lamport: UInt64
}
