/// A fault put between the world and its real nodes, by name: each breaks one law, and shows that the law is checked.
public enum TripMutation: String, CaseIterable, Sendable {
    /// A write is said to be durable before it is: what a node sends may then be lost where it was done.
    case earlyAcknowledgement = "early-node-acknowledgement"
    /// The disk forgets, in a crash, a write that it said was durable.
    case forgottenWrite = "forgotten-write"
    /// A write that power cut in the middle is taken for a whole one.
    case believedTornWrite = "believed-torn-write"
    /// A disk's bytes are believed without a look at their checksums.
    case uncheckedDisk = "unchecked-disk"
    /// A batch is written without its first change: the disk's log has a hole.
    case skippedRecord = "skipped-record"
    /// What was shown is not made anew after a branch took another name.
    case ignoredRebuild = "ignored-rebuild"
    /// Nobody ever sees that something was removed.
    case skippedRemoves = "skipped-removes"
    /// A node holds any number of connections whose other side says nothing.
    case unboundedHandshakes = "unbounded-handshakes"
    /// A node is never woken.
    case droppedWakes = "dropped-wakes"
}
