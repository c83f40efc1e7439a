package import ChangeLog
package import SyncEngine

/// What an observer of the world sees happen, in order.
package enum Sight: Sendable {
    /// Where changes that a machine took came from.
    package struct Source: Sendable {
        package let machine: World.NodeID
        /// The sender's start, and how many changes were durable on its disk, when it sent what arrived.
        package let start: Int
        package let durableCount: Int
        /// Bytes that came over the same connection since it last brought changes.
        package let bytes: Int
    }

    /// A node holds changes, and has asked for them to be written: its own where there is no source.
    case took(World.NodeID, [SignedChange], Source?)
    /// Changes are durable on a disk.
    case durable(World.NodeID, [SignedChange])
    /// A person was told that what they did is durable, or was refused.
    case authored(World.NodeID, ticket: UInt64, Result<Bytes32, WritingFailure>)
    /// People are shown changes.
    case applied(World.NodeID, [AppliedChange])
    /// People's view must be derived again.
    case rebuilt(World.NodeID)
    case notice(World.NodeID, Notice)
    /// A machine lost power, was switched off, or left.
    case stopped(World.NodeID)
    /// A machine started from its disk.
    case started(World.NodeID)
    /// A machine could not start from its disk.
    case startFailed(World.NodeID, World.StartFailure)
    /// A write failed, and what was asked for is not done.
    case writeFailed(World.NodeID)
    /// A machine sent something that nobody outside may read.
    case secretSeen(World.NodeID)
    /// A machine put a block into the mailbox.
    case posted(World.NodeID, MailboxSlot, [UInt8])
    /// Somebody outside the trip was sent bytes, or their connection was closed.
    case outsiderHeard(connection: Int, [UInt8])
    case outsiderCut(connection: Int)
}
