package import ChangeLog
import SyncEngine

/// Whether a mailbox can be used, how quickly it answers, and what else lies in it.
package struct MailboxTrial: Hashable, Sendable {
    package let list: Duration
    package let put: Duration?
    package let get: Duration?
    /// How far this machine's clock is ahead of the mailbox's, if that shows a time.
    package let clockAhead: Duration?
    /// What lies there and is no block.
    package let clutter: MailboxClutter?

    private static let blockBytes = 1_024

    /// Lists a slot that nobody uses. If it may write, puts a random block there, reads it back and deletes it.
    package static func run(
        _ port: any MailboxPort, prefix: Bytes16, writes: Bool, using generator: inout some RandomNumberGenerator
    ) throws(MailboxError) -> MailboxTrial {
        let slot = MailboxSlot(prefix: prefix, tag: Bytes32.random(using: &generator).prefix16)
        var start = ContinuousClock.now
        func lap() -> Duration {
            defer { start = .now }
            return ContinuousClock.now - start
        }
        guard writes else {
            _ = try port.list([slot])
            return MailboxTrial(
                list: lap(), put: nil, get: nil, clockAhead: port.clockAhead, clutter: clutter(in: port, prefix))
        }
        let block = (0..<blockBytes / 32).flatMap { _ in Bytes32.random(using: &generator).bytes }
        let name = BlockName(of: block)
        try port.put(block, in: slot)
        let put = lap()
        let listed = try port.list([slot])[0].names
        let list = lap()
        let found = try port.get(name, in: slot)
        let get = lap()
        try port.drop([name], in: slot)
        guard listed == [name], found == block else {
            throw MailboxError(.refused, "the mailbox doesn't return what was put there; choose another one")
        }
        return MailboxTrial(
            list: list, put: put, get: get, clockAhead: port.clockAhead, clutter: clutter(in: port, prefix))
    }

    /// A mailbox that works is not called broken because of what else lies in it.
    private static func clutter(in port: any MailboxPort, _ prefix: Bytes16) -> MailboxClutter? {
        (try? port.clutter(of: prefix)) ?? nil
    }
}
