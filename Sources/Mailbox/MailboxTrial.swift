package import ChangeLog
import SyncEngine

/// Whether a mailbox can be used, how quickly it answers, and what else is to be known of it.
package struct MailboxTrial: Hashable, Sendable {
    package let put: Duration
    package let list: Duration
    package let get: Duration
    /// Whether nothing lay there under the prefix before.
    package let wasEmpty: Bool
    /// Whether somebody without a user and a password can list it; nil if nobody tried.
    package let isOpen: Bool?
    /// What it still stores; nil if it doesn't tell.
    package let freeBytes: Int64?
    /// How far this machine's clock is ahead of the mailbox's, if that shows a time.
    package let clockAhead: Duration?
    /// What lies there and is no block.
    package let clutter: MailboxClutter?

    private static let blockBytes = 1_024

    /// Puts a random block into a slot that nobody uses, lists it, reads it back and deletes it.
    /// - Parameter stranger: the way to the mailbox of somebody without a user and a password.
    package static func run(
        _ port: any MailboxPort, prefix: Bytes16, stranger: (any MailboxPort)? = nil,
        using generator: inout some RandomNumberGenerator
    ) throws(MailboxError) -> MailboxTrial {
        let slot = MailboxSlot(prefix: prefix, tag: Bytes32.random(using: &generator).prefix16)
        let wasEmpty = try !port.holdsAnything(of: prefix)
        var start = ContinuousClock.now
        func lap() -> Duration {
            defer { start = .now }
            return ContinuousClock.now - start
        }
        let block = (0..<blockBytes / 32).flatMap { _ in Bytes32.random(using: &generator).bytes }
        let name = BlockName(of: block)
        try port.put(block, in: slot)
        let put = lap()
        let listed = try port.list([slot])[0].names
        let list = lap()
        let found = try port.get(name, in: slot)
        let get = lap()
        // Somebody who may not list it may be told that it is empty.
        let isOpen = stranger.map { (try? $0.list([slot]))?.first?.names == [name] }
        try port.drop([name], in: slot)
        guard listed == [name], found == block else {
            throw MailboxError(.refused, "the mailbox doesn't return what was put there; choose another one")
        }
        // A mailbox that works is not called broken because of the rest.
        return MailboxTrial(
            put: put, list: list, get: get, wasEmpty: wasEmpty, isOpen: isOpen,
            freeBytes: (try? port.freeBytes()) ?? nil, clockAhead: port.clockAhead,
            clutter: (try? port.clutter(of: prefix)) ?? nil)
    }
}
