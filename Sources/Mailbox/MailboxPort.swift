package import ChangeLog
package import SyncEngine

/// A place that stores sealed blocks for the members of a trip who are apart.
///
/// A mailbox is never trusted: it may lie, forget, repeat and serve another trip's blocks. A reader checks what it
/// reads. Each call blocks until it is done, so it needs a thread that may block. A request that carries a block takes
/// `MailboxPortLimits.blockTimeout` at most, and any other one `callTimeout`. Calls may come from several threads.
package protocol MailboxPort: Sendable {
    /// Stores a block unless it is there. Once this returns, the mailbox says that the block is durable.
    func put(_ block: [UInt8], in slot: MailboxSlot) throws(MailboxError)

    /// The blocks in slots of one prefix, one listing for each. There is no cursor, and no listing is cut: only a whole list
    /// shows what a mailbox has lost. A slot with too many entries is an error.
    func list(_ slots: [MailboxSlot]) throws(MailboxError) -> [MailboxListing]

    /// A block whose bytes have this name; nil if there is none.
    func get(_ name: BlockName, in slot: MailboxSlot) throws(MailboxError) -> [UInt8]?

    /// Deletes blocks, those that are there, of a slot that nobody writes to any more. Some mailboxes leave that to their own
    /// expiry.
    func drop(_ names: [BlockName], in slot: MailboxSlot) throws(MailboxError)

    /// Hints that something may have changed below a prefix, with at most one pending. A mailbox that can't tell gives
    /// none, so list now and then anyway. The hints end with `end()`.
    func watch(prefix: Bytes16) -> AsyncStream<Void>

    /// What lies among the blocks of a prefix and is none, such as a "conflicted copy"; nil if there is nothing, or if a mailbox
    /// doesn't look.
    func clutter(of prefix: Bytes16) throws(MailboxError) -> MailboxClutter?

    /// Whether anything lies there under a prefix; true if it doesn't tell.
    func holdsAnything(of prefix: Bytes16) throws(MailboxError) -> Bool

    /// How many bytes it still stores; nil if it doesn't tell.
    func freeBytes() throws(MailboxError) -> Int64?

    /// How far this machine's clock is ahead of the mailbox's, as the last answer with a time showed; nil if none did.
    var clockAhead: Duration? { get }

    /// Interrupts what waits, and ends all hints. Calls after it throw.
    func end()
}

extension MailboxPort {
    package func clutter(of prefix: Bytes16) throws(MailboxError) -> MailboxClutter? { nil }

    package func holdsAnything(of prefix: Bytes16) throws(MailboxError) -> Bool { true }

    package func freeBytes() throws(MailboxError) -> Int64? { nil }

    package var clockAhead: Duration? { nil }
}

/// Files that do no harm in a mailbox.
package struct MailboxClutter: Hashable, Sendable {
    package let count: Int
    /// The name of one of them.
    package let example: String
}

package struct MailboxListing: Hashable, Sendable {
    /// In their order.
    package var names: [BlockName] = []

    package init() {}
}

extension MailboxSlot {
    /// The name of all that belongs to a prefix, in folders and on servers.
    static func root(of prefix: Bytes16) -> String { "cv.\(prefix)" }
}
