import Attachments
import ChangeLog
import DeltaCRDT

/// What follows for a node from what a mailbox said.
enum MailboxNews: Sendable {
    case nothing
    case ask(MailboxRequest)
    case reached(Bound)
    /// Hand the records that are ready to the log, then say `accepted`.
    case letter(OpenedLetter)
    /// A member wrote under an epoch's secret. Where it is the member's latest letter, what it says of the member counts.
    case heard(ReplicaID, under: Bytes16?, LetterReport?)
    /// This device wanted these chunks in an earlier run.
    case wants([BlobHash])
    /// Chunks by their hashes, wanted or not.
    case chunks([(hash: BlobHash, bytes: [UInt8])])
    /// This device's request to join is there.
    case asked
    /// An epoch's secret for this joiner. Anybody with the link can write it: it is believed once it has led to this device's admission.
    case grant(DeviceGrant)
}

/// A letter of which the log is to judge the changes.
struct OpenedLetter: Sendable {
    let letter: MailboxLetter
    let key: BlockCatalogue.Key
    /// Nil where it isn't known.
    let author: Device?
    /// Nil for one that is no record.
    let changes: [SignedChange?]
    /// The records whose past is here, or before them in the letter.
    let ready: [[UInt8]]
}

/// What a device holds, as its latest letter says.
struct LetterReport: Sendable {
    let replica: ReplicaID
    let held: PeerKnowledge
    let absent: AbsentBodies
    /// When it was written, in milliseconds since 1970, by its author's clock.
    let time: Int64
}
